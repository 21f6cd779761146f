/** Copies the command that installs the package when the reader clicks it. */
import { copies } from "./copies.ts";

export function copyInstallLine(): void {
  for (const button of document.querySelectorAll<HTMLElement>(".install")) {
    const code = button.querySelector("code");
    if (code === null) continue;
    const line = code.textContent ?? "";
    copies(button, line, (copied) => {
      const said = copied ? "copied" : "not copied";
      // Keep the width of the line, so that nothing beside it moves.
      code.textContent = copied === undefined ? line : said.padEnd(line.length, "\u00a0");
    });
  }
}
