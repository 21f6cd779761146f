/**
 * The answer as a card: the kind of the ID, how certain the answer is, when the ID was made, and
 * the values of its fields.
 */
import type { Certainty } from "../find/types.ts";
import { Copy } from "../lib/copy.tsx";
import { ago, localTime, timeInWords } from "../lib/time.ts";
import { type FieldShown, type SaidField, type Shown, saidFieldsOf } from "./shown.ts";

/** How certain an answer is. "chosen": the reader or a link selected this reading. */
export type AnswerState = Certainty | "chosen";

const STATES: Readonly<Record<AnswerState, string>> = {
  sure: "Sure",
  likely: "Likely",
  none: "Probably no ID",
  chosen: "Your choice",
};

export const StateView = ({ state }: { readonly state: AnswerState }) => (
  <span class="state" data-state={state}>
    {STATES[state]}
  </span>
);

interface Properties {
  readonly shown: Shown;
  readonly state: AnswerState;
  readonly now: number;
  readonly marked: string | undefined;
  readonly onMark: (field: string | undefined) => void;
  /** Moves the focus to the bits of a field; undefined if no bits are shown. */
  readonly onGo: ((field: FieldShown) => void) | undefined;
}

export function Answer({ shown, state, now, onGo, ...marks }: Properties) {
  const parts = saidFieldsOf(shown);
  const fieldOf = ({ field }: SaidField) => shown.fields.find(({ name }) => name === field);
  return (
    <div class="answer card">
      <p class="kind">
        <strong>{shown.name}</strong> <StateView state={state} />
      </p>
      {shown.timestamp !== undefined && <Times timestamp={shown.timestamp} now={now} />}
      {parts.length > 0 && (
        <p class="parts">
          {parts.map((part, index) => (
            <span key={part.field}>
              {index > 0 && ", "}
              <PartView part={part} field={fieldOf(part)} onGo={onGo} {...marks} />
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

/** Shows a time in the reader's time zone, in words and in UTC. */
export function Times({ timestamp, now }: { readonly timestamp: number; readonly now: number }) {
  const [local, utc] = [localTime(timestamp), timeInWords(timestamp)];
  const rows = [
    // Show the time once if the reader's time zone is UTC.
    ...(local === utc ? [] : [["local", local, "the local time"]]),
    ["utc", utc, "the time in UTC"],
    ["ago", ago(timestamp, now), "how long ago it was made"],
  ] as const;
  return (
    <ul class="times">
      {rows.map(([name, value, what]) => (
        <li key={name} class={name}>
          <span>{value}</span> <Copy value={value} what={what} />
        </li>
      ))}
    </ul>
  );
}

interface PartProperties extends Pick<Properties, "marked" | "onMark" | "onGo"> {
  readonly part: SaidField;
  readonly field: FieldShown | undefined;
}

function PartView({ part, field, marked, onMark, onGo }: PartProperties) {
  const text = `${part.words} ${part.value}`;
  if (field === undefined) return <>{text}</>;
  const shared = {
    class: `part kind-${field.kind}${marked === field.name ? " marked" : ""}`,
    "data-field": field.name,
    onMouseEnter: () => onMark(field.name),
    onMouseLeave: () => onMark(undefined),
  };
  if (onGo === undefined) return <span {...shared}>{text}</span>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot wrap across lines like a sentence
    <span
      role="button"
      tabIndex={0}
      {...shared}
      onFocus={() => onMark(field.name)}
      onBlur={() => onMark(undefined)}
      onClick={() => onGo(field)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onGo(field);
      }}
    >
      {text}
    </span>
  );
}
