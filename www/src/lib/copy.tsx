/** A value with a button that copies it. */
import { useEffect, useState } from "preact/hooks";

/** How long the button says that it has copied, in milliseconds. */
const SHOWN = 1500;

export function Copy({ value, what }: { readonly value: string; readonly what: string }) {
  const [said, say] = useState("");
  useEffect(() => {
    if (said === "") return undefined;
    const timer = setTimeout(say, SHOWN, "");
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => say("Copied"),
      () => say("Refused"),
    );
  return (
    <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={copy}>
      <span aria-live="polite">{said || "Copy"}</span>
    </button>
  );
}
