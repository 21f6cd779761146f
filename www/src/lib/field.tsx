/** A labelled input that explains why a value is rejected. */
import { Labelled, type Labels } from "./labelled.tsx";

interface Properties extends Labels {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly inputMode?: "numeric" | "text";
}

export function Field({ value, onInput, inputMode = "text", ...labels }: Properties) {
  return (
    <Labelled {...labels}>
      {(ties) => (
        <input
          {...ties}
          type="text"
          inputMode={inputMode}
          value={value}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}
