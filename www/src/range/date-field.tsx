/** An input of a date and a time. An empty one leaves that end open. */
import { useId } from "preact/hooks";

interface Properties {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly error: string | undefined;
  /** `incomplete`: only a part was entered so far; then the text is empty. */
  readonly onInput: (text: string, incomplete: boolean) => void;
}

export function DateField({ label, value, hint, error, onInput }: Properties) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        step="1"
        value={value}
        placeholder="2025-01-31T12:00"
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={`${id}-about`}
        onInput={({ currentTarget }) => onInput(currentTarget.value, currentTarget.validity.badInput)}
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
