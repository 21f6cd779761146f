/** What the ID is, in one sentence. Each part belongs to a field, and leads to its bits. */
import { ago } from "../lib/time.ts";
import { type FieldShown, type Part, partsOf, type Shown } from "./shown.ts";

interface Properties {
  readonly shown: Shown;
  readonly now: number;
  readonly marked: string | undefined;
  readonly onMark: (field: string | undefined) => void;
  /** Goes to the bits of a field; without it, there is nothing to go to. */
  readonly onGo: ((field: FieldShown) => void) | undefined;
}

export function Answer({ shown, now, onGo, ...marks }: Properties) {
  const parts = partsOf(shown);
  const fieldOf = ({ field }: Part) => shown.fields.find(({ name }) => name === field);
  return (
    <p class="answer">
      <strong>{shown.name}</strong>
      {parts.map((part) => (
        <span key={part.field}>
          , <PartView part={part} field={fieldOf(part)} onGo={onGo} {...marks} />
        </span>
      ))}
      {shown.timestamp !== undefined && (
        <>
          {" "}
          <span class="age">{ago(shown.timestamp, now)}</span>
        </>
      )}
    </p>
  );
}

interface PartProperties extends Pick<Properties, "marked" | "onMark" | "onGo"> {
  readonly part: Part;
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
    // biome-ignore lint/a11y/useSemanticElements: a button does not break across lines, as a sentence does
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
