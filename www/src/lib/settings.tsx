/** The inputs of a format's settings. A rejected value has the reason beside it. */
import { Choice } from "./choice.tsx";
import { Field } from "./field.tsx";
import { OFFERED, offeredOf, type Setting, type Texts, textOf } from "./offered.ts";
import type { Refusal } from "./refusal.ts";

/** Whether an error concerns an option. The package separates the parts of an option by a dot. */
export const concerns = (refusal: Refusal | undefined, key: string): boolean =>
  refusal?.field === key || refusal?.field?.startsWith(`${key}.`) === true;

interface SettingsProperties {
  readonly settings: readonly Setting[];
  readonly texts: Texts;
  readonly refusal: Refusal | undefined;
  readonly onChange: (key: string, text: string) => void;
}

const WIDTHS = {
  time: "15rem",
  whole: "11rem",
  decimal: "11rem",
  fields: "22rem",
  word: "14rem",
  field: "11rem",
};

export function Settings({ settings, texts, refusal, onChange }: SettingsProperties) {
  return settings.map((setting) => {
    const { key, name = key, label, kind, hint, words } = setting;
    const shared = {
      label,
      value: textOf(setting, texts),
      error: concerns(refusal, key) ? refusal : undefined,
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

/**
 * The choice of the format itself. `asked`: the format in the address. If it is unknown, the page
 * says so.
 */
export function FormatChoice({
  asked,
  onChange,
}: {
  readonly asked: string | undefined;
  readonly onChange: (name: string) => void;
}) {
  const { name, title } = offeredOf(asked);
  return (
    <Choice
      label="Format"
      value={name}
      error={
        asked === undefined || asked === name
          ? undefined
          : `The address asks for “${asked}”, which is not a format. The page shows ${title} instead.`
      }
      options={OFFERED.map(({ name, title }) => [name, title])}
      onChange={onChange}
      width="15rem"
    />
  );
}
