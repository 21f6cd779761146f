/** The forms in which the page can write IDs. */
import { sno } from "graupel";
import { type Encoding, encode, type TextEncoding } from "graupel/encode";
import { ALPHABETS, ENCODINGS } from "../lib/alphabets.ts";
import type { AnyFormat } from "../lib/formats.ts";

/** Writes an ID, given as its canonical text, in a form. */
export type Writer = (text: string) => string;

interface Form {
  readonly words: string;
  of(format: AnyFormat, radix: number): Writer;
}

const inRadix = (format: AnyFormat, radix: number): Writer => {
  const written = format as unknown as { format(id: unknown, radix?: number): string };
  // Nanoflake and Ulid-Flake check the radix. The other formats have only one text.
  return (text) => written.format(text, radix);
};

const encoded = (encoding: Encoding | TextEncoding, words: string): Form => ({
  words,
  of: (format) => (text) => encode(format, text, encoding),
});

/** All forms. The first is the format's own text. */
const FORMS: Readonly<Record<string, Form>> = {
  text: { words: "", of: () => (text) => text },
  decimal: { words: "decimal", of: (format) => (text) => String(format.toBigInt(text)) },
  hex: encoded("hex", "hex, all bytes"),
  ...Object.fromEntries(ALPHABETS.map(({ name, encoding }) => [encoding, encoded(encoding, name)])),
  ...Object.fromEntries(ENCODINGS.map((encoding) => [encoding.name, encoded(encoding, encoding.name)])),
  base36: { words: "base 36", of: (format) => (text) => format.toBigInt(text).toString(36) },
  uuid: { words: "UUID", of: () => (text) => sno.toUUID(text) },
  radix: { words: "another radix", of: inRadix },
  binary: { words: "binary", of: (format) => inRadix(format, 2) },
};

/** The forms that each format offers, with a description of its own text. */
const BY_NAME: Readonly<Record<string, readonly [own: string, ...others: string[]]>> = {
  sno: ["16 characters", "uuid", "hex", "base62", "base58", "crockford32"],
  nanoflake: ["base 36", "decimal", "hex", "base62", "base58", "crockford32", "radix"],
  // The canonical text already uses Crockford's alphabet.
  "ulid-flake": ["13 characters", "decimal", "hex", "base62", "base58", "binary"],
  "ulid-flake-scalable": ["13 characters", "decimal", "hex", "base62", "base58", "binary"],
};

const USUAL = ["decimal", "hex", "base36", "base62", "base58", "crockford32"] as const;

/** The useful forms of a format, with their labels. */
export function formsOf(name: string): readonly (readonly [form: string, words: string])[] {
  const [own, ...others] = BY_NAME[name] ?? USUAL;
  const all = [...others, ...ENCODINGS.map((encoding) => encoding.name)];
  return [["text", own], ...all.map((form) => [form, FORMS[form]?.words ?? form] as const)];
}

/** The requested form if the format offers it, or else the format's own text. */
export const fittingForm = (name: string, form: string | undefined): string =>
  formsOf(name).find(([each]) => each === form)?.[0] ?? "text";

/** Throws the package's own error for a radix that the format does not support. */
export function writerOf(format: AnyFormat, form: string, radix: number): Writer {
  const writer = (FORMS[form] ?? FORMS.text)!.of(format, radix);
  if (form === "radix") writer(format.format(format.fromBigInt(0n)));
  return writer;
}
