/** Adds a button to each block of code that copies the code. */
import { copies } from "../lib/copies.ts";

export function copyButtons(): void {
  for (const code of document.querySelectorAll<HTMLElement>("pre.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-code";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy this code");
    copies(button, code.textContent ?? "", (copied) => {
      button.textContent = copied === undefined ? "Copy" : copied ? "Copied" : "Refused";
    });
    code.after(button);
  }
}
