/**
 * Makes a button copy a text. `say`: shows whether the text was copied; gets `undefined` when the
 * reader leaves the button. The message has no time-out, because a slow reader or a slow machine
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
