/** An ID in every encoding. */
import { sno } from "graupel";
import { encode } from "graupel/encode";
import { base64url } from "graupel/encodings";
import { ALPHABETS } from "../lib/alphabets.ts";
import type { AnyFormat, Id } from "../lib/formats.ts";

/** Names and texts. The first is the canonical text. */
export function encodingsOf(format: AnyFormat, id: Id): (readonly [string, string])[] {
  const integer = format.toBigInt(id);
  const bytes = format.toBytes(id);
  const text = format.format(id);
  const all: (readonly [string, string])[] = [
    ["text", text],
    ["decimal", String(integer)],
    ["hex", encode(format, id, "hex")],
    ["base 36", integer.toString(36)],
    ...ALPHABETS.map(({ name, encoding }) => [name, encode(format, id, encoding)] as const),
    ["binary", integer.toString(2).padStart(8 * bytes.length, "0")],
    ["base64url", encode(format, id, base64url)],
    ["bytes", `[${[...bytes].join(", ")}]`],
  ];
  if ("toUUID" in format) all.push(["UUID", sno.toUUID(text)]);
  // The canonical text of most formats is decimal.
  return all.filter(([name, value]) => name === "text" || value !== text);
}
