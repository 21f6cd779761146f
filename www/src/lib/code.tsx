/** A block of code with a button that copies it. */
import type { ComponentChildren } from "preact";
import "./code.css";
import { Copy } from "./copy.tsx";
import { Scroll } from "./scroll.tsx";

interface Properties {
  /** The heading. A block without one belongs to the heading above it. */
  readonly title?: string;
  readonly code: string;
  readonly children?: ComponentChildren;
}

export function Code({ title, code, children }: Properties) {
  return (
    <div class="code">
      <div class="titled">
        {title !== undefined && <h3>{title}</h3>}
        <Copy value={code} what={title ?? "the code"} />
      </div>
      <Scroll label={title === undefined ? "The code" : `${title}, the code`}>
        <pre>{code}</pre>
      </Scroll>
      {children}
    </div>
  );
}
