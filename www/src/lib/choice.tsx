/** A labelled choice of one of several values. */
import { useId } from "preact/hooks";

interface Properties {
  readonly label: string;
  readonly value: string;
  /** Values with their words. */
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChange: (value: string) => void;
  /** Why the value is refused. */
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly width?: string;
}

export function Choice({ label, value, options, onChange, error, hint, width }: Properties) {
  const id = useId();
  return (
    <div class="field" style={width === undefined ? {} : { width }}>
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={`${id}-about`}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([each, words]) => (
          <option key={each} value={each} selected={each === value}>
            {words}
          </option>
        ))}
      </select>
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
