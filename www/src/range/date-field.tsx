/** An input of a date and a time. An empty one leaves that end open. */
import { Labelled, type Labels } from "../lib/labelled.tsx";

interface Properties extends Labels {
  readonly value: string;
  /** `incomplete`: only a part was entered so far; then the text is empty. */
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
