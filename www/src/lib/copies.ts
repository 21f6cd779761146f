/**
 * Copies a text at a click. `say`: shows whether it was copied; `undefined` once the reader has
 * left the button. The message does not disappear after a time, because a slow reader or machine
 * could miss it.
 */
export function copies(button: HTMLElement, text: string, say: (copied?: boolean) => void): void {
  button.addEventListener("click", () =>
    navigator.clipboard.writeText(text).then(
      () => say(true),
      () => say(false),
    ),
  );
  for (const left of ["pointerleave", "blur"]) button.addEventListener(left, () => say());
}
