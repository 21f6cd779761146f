/** The line that installs the package is copied by a click. */

/** How long it says what has come of it, in milliseconds. */
const SHOWN = 1500;

export function copyInstallLine(): void {
  for (const button of document.querySelectorAll<HTMLElement>(".install")) {
    const code = button.querySelector("code");
    const line = code?.textContent ?? "";
    if (code === null) continue;
    button.addEventListener("click", async () => {
      const copied = await navigator.clipboard.writeText(line).then(
        () => true,
        () => false,
      );
      // As wide as the line, so that nothing beside it moves.
      code.textContent = (copied ? "copied" : "not copied").padEnd(line.length, "\u00a0");
      setTimeout(() => {
        code.textContent = line;
      }, SHOWN);
    });
  }
}
