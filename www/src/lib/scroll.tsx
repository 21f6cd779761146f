/** A container for content that may be wider than the window: it scrolls, also by keyboard. */
import type { ComponentChildren } from "preact";

interface Properties {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Scroll({ label, children }: Properties) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus, so that arrow keys scroll it
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
