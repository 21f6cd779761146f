/** An input for a date and a time. An empty input leaves that end of the range open. */
import { Labelled, type Labels } from "../lib/labelled.tsx";

interface Properties extends Labels {
  readonly value: string;
  /** `incomplete`: only a part of the date was entered, and the text is empty. */
  readonly onInput: (text: string, incomplete: boolean) => void;
}

export function DateField({ value, onInput, ...labels }: Properties) {
  return (
    <Labelled {...labels}>
      {(ties) => (
        <input
          {...ties}
          type="datetime-local"
          step="1"
          value={value}
          placeholder="2025-01-31T12:00"
          onInput={({ currentTarget }) => onInput(currentTarget.value, currentTarget.validity.badInput)}
        />
      )}
    </Labelled>
  );
}
