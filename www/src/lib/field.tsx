/** A labelled input that says why a value is refused. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Properties {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Why the value is refused. */
  readonly error?: string | undefined;
  /** What to enter, in small print below. */
  readonly hint?: ComponentChildren;
  readonly inputMode?: "numeric" | "text";
  readonly width?: string;
}

export function Field({ label, value, onInput, error, hint, inputMode = "text", width }: Properties) {
  const id = useId();
  return (
    <div class="field" style={width === undefined ? {} : { width }}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={inputMode}
        value={value}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={`${id}-about`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <small
        id={`${id}-about`}
        class={error === undefined ? "quiet" : "refused"}
        role={error === undefined ? undefined : "alert"}
      >
        {error ?? hint}
      </small>
    </div>
  );
}
