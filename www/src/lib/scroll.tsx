/**
 * A container for content that may be wider than the window. You can scroll it with the keyboard,
 * too.
 */
import type { ComponentChildren } from "preact";

interface Properties {
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Scroll({ label, children }: Properties) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll only the focused element
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
