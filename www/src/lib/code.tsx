/** Code with a button that copies it. */
import type { ComponentChildren } from "preact";
import "./code.css";
import { Copy } from "./copy.tsx";
import { Scroll } from "./scroll.tsx";

interface Properties {
  readonly title: string;
  readonly code: string;
  readonly children?: ComponentChildren;
}

export function Code({ title, code, children }: Properties) {
  return (
    <div class="code">
      <div class="titled">
        <h3>{title}</h3>
        <Copy value={code} what={title} />
      </div>
      <Scroll label={`${title}, the code`}>
        <pre>{code}</pre>
      </Scroll>
      {children}
    </div>
  );
}
