/** A value with a button that copies it. */
import { useEffect, useState } from "preact/hooks";

/** How long the button confirms the copy, in milliseconds. */
const SHOWN = 1500;

interface Properties {
  /** The value, or a function that computes it on demand. */
  readonly value: string | (() => string);
  /** The label for screen readers. */
  readonly what: string;
  /** The label on the button. */
  readonly label?: string;
}

export function Copy({ value, what, label = "Copy" }: Properties) {
  const [said, say] = useState("");
  useEffect(() => {
    if (said === "") return undefined;
    const timer = setTimeout(say, SHOWN, "");
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(typeof value === "string" ? value : value()).then(
      () => say("Copied"),
      () => say("Refused"),
    );
  return (
    <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={copy}>
      <span aria-live="polite">{said || label}</span>
    </button>
  );
}
