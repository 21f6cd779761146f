/** Inputs of a format's settings, each with the reason beside it if it is refused. */
import { Choice } from "./choice.tsx";
import { Field } from "./field.tsx";
import { type Setting, SUBJECTS, type Texts, textOf } from "./subjects.ts";

/** Why something was refused, and which option it concerns. */
export interface Refusal {
  readonly error: string;
  readonly field: string | undefined;
}

/** Whether a refusal concerns an option: the package names parts of it with a dot. */
export const concerns = (refusal: Refusal | undefined, key: string): boolean =>
  refusal?.field === key || refusal?.field?.startsWith(`${key}.`) === true;

interface SettingsProperties {
  readonly settings: readonly Setting[];
  readonly texts: Texts;
  readonly refusal: Refusal | undefined;
  readonly onChange: (key: string, text: string) => void;
}

const WIDTHS = { time: "15rem", whole: "11rem", decimal: "11rem", fields: "22rem", word: "14rem" };

export function Settings({ settings, texts, refusal, onChange }: SettingsProperties) {
  return settings.map((setting) => {
    const { key, name = key, label, kind, hint, words } = setting;
    const shared = {
      label,
      value: textOf(setting, texts),
      error: concerns(refusal, key) ? refusal?.error : undefined,
      hint,
      width: WIDTHS[kind],
    };
    return words === undefined ? (
      <Field
        key={key}
        {...shared}
        inputMode={kind === "whole" || kind === "decimal" ? "numeric" : "text"}
        onInput={(text) => onChange(name, text)}
      />
    ) : (
      <Choice key={key} {...shared} options={words} onChange={(text) => onChange(name, text)} />
    );
  });
}

/** The choice of the format itself. */
export function FormatChoice({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (name: string) => void;
}) {
  return (
    <Choice
      label="Format"
      value={value}
      options={SUBJECTS.map(({ name, title }) => [name, title])}
      onChange={onChange}
      width="15rem"
    />
  );
}
