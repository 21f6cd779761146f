/** The ID in every encoding, each with a button that copies it. */
import type { Reading } from "../find/types.ts";
import { Copy } from "../lib/copy.tsx";
import { encodingsOf } from "./encodings.ts";

/** Of an ID of another family: its own text, and its integer. */
const textsOf = (reading: Reading): (readonly [string, string])[] =>
  reading.kind === "family"
    ? encodingsOf(reading.format, reading.id)
    : [
        ["text", reading.text],
        ["hex", reading.integer.toString(16).padStart(reading.width / 4, "0")],
        ["decimal", String(reading.integer)],
      ];

export function Encodings({ reading }: { readonly reading: Reading }) {
  return (
    <>
      <h3>Every encoding</h3>
      <dl class="pairs encodings">
        {textsOf(reading).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="mono">{text}</span>
              <Copy value={text} what={`the ID as ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
