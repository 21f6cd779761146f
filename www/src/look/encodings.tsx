/** Shows the ID in every encoding and its time as numbers, each with a button that copies it. */
import type { Reading } from "../find/types.ts";
import { Copy } from "../lib/copy.tsx";
import { encodingsOf } from "./encodings.ts";

/** The names of encodings that are not the names in code. */
const NAMES: Readonly<Record<string, string>> = {
  "crockford32-lower": "Crockford 32, lower case",
  shortcode: "short code",
  uuidv8: "UUID v8",
  zbase32: "z-base-32",
};

/** The texts of an ID of another family: its own text and its integer. */
const textsOf = (reading: Reading): (readonly [string, string])[] =>
  reading.kind === "family"
    ? encodingsOf(reading.format, reading.id)
    : [
        ["text", reading.text],
        ["hex", reading.integer.toString(16).padStart(reading.width / 4, "0")],
        ["decimal", String(reading.integer)],
      ];

/** The time as numbers. */
function timesOf({ timestamp, ...reading }: Reading): (readonly [string, string])[] {
  if (timestamp === undefined) return [];
  const ticks =
    "format" in reading ? [["ticks", String(reading.format.inspect(reading.id).ticks)] as const] : [];
  return [["Unix ms", String(timestamp)], ...ticks];
}

export function Encodings({ reading }: { readonly reading: Reading }) {
  return (
    <>
      <h2>Every encoding</h2>
      <dl class="pairs encodings">
        {[...textsOf(reading), ...timesOf(reading)].map(([key, text]) => {
          const name = NAMES[key] ?? key;
          return (
            <div key={key}>
              <dt>{name}</dt>
              <dd>
                <span class="mono">{text}</span>
                <Copy value={text} what={`the ID as ${name}`} />
              </dd>
            </div>
          );
        })}
      </dl>
    </>
  );
}
