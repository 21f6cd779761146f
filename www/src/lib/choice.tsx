/** A labelled choice between several values. */
import { Labelled, type Labels } from "./labelled.tsx";

interface Properties extends Labels {
  readonly value: string;
  /** The values, each with the words shown for it. */
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onChange: (value: string) => void;
}

export function Choice({ value, options, onChange, ...labels }: Properties) {
  return (
    <Labelled {...labels}>
      {(ties) => (
        <select {...ties} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map(([each, words]) => (
            <option key={each} value={each} selected={each === value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
