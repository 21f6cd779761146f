/** Writes an ID in every encoding. */
import { sno } from "graupel";
import { encode } from "graupel/encode";
import { SHORTCODES } from "../find/hosts.ts";
import { ALPHABETS, ENCODINGS } from "../lib/alphabets.ts";
import type { AnyFormat, Id } from "../lib/formats.ts";

/** The encodings by name, each with the ID's text. The first is the canonical text. */
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
    ["bytes", `[${[...bytes].join(", ")}]`],
  ];
  if ("toUUID" in format) all.push(["UUID", sno.toUUID(text)]);
  const more = ENCODINGS.filter(({ name }) => name !== "shortcode" || SHORTCODES.includes(format.name));
  all.push(...more.map(({ name, encode }) => [name, encode(format, id)] as const));
  // The canonical text of most formats is decimal, and two encodings may produce the same text.
  const texts = all.map(([, value]) => value);
  const isText = (value: string) => value.toUpperCase() === text.toUpperCase();
  return all.filter(
    ([name, value], index) => name === "text" || (texts.indexOf(value) === index && !isText(value)),
  );
}
