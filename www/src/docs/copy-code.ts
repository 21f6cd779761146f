/** A button at each block of code that copies it. */

/** How long the button says what has come of it, in milliseconds. */
const SHOWN = 1500;

export function copyButtons(): void {
  for (const code of document.querySelectorAll<HTMLElement>("pre.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-code";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy this code");
    button.addEventListener("click", async () => {
      const copied = await navigator.clipboard.writeText(code.textContent ?? "").then(
        () => true,
        () => false,
      );
      button.textContent = copied ? "Copied" : "Refused";
      setTimeout(() => {
        button.textContent = "Copy";
      }, SHOWN);
    });
    code.after(button);
  }
}
