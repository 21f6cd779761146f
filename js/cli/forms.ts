/** The forms in which IDs are written and read. */
import type { FormatFacts } from "../facts.js";
import { type AnyFormat, type AnyId, GraupelError, sno } from "../index.js";
import { integerOf } from "../texts/digits.js";
import { decode, type Encoding, encode, type TextEncoding } from "../texts/encode.js";
import * as more from "../texts/encodings.js";
import { TextError } from "./answers.js";
import { type OptionName, type Typed, type TypedValues, UsageError, unknownName } from "./arguments.js";
import { parserOf } from "./format.js";

interface Form {
  readonly about: string;
  of(format: AnyFormat, id: AnyId): string | number[];
  /** Reads only texts that `of` writes. */
  read(format: AnyFormat, text: string): AnyId;
}

/** A form of `graupel/encode`. */
const encoded = (name: string, about: string, encoding: TextEncoding | Encoding): [string, Form] => [
  name,
  {
    about,
    of: (format, id) => encode(format, id, encoding),
    read: (format, text) => decode(format, text, encoding),
  },
];

const DIGITS = "0123456789";

/** A form that writes the integer in the digits of an alphabet, without leading zeros. */
const integer = (alphabet: string, about: string, digits: string): Form => {
  const written = new RegExp(`^(?:0|(?!0)[${digits}]+)$`);
  return {
    about,
    of: (format, id) => format.toBigInt(id).toString(alphabet.length),
    read(format, text) {
      if (!written.test(text)) throw textError(`${digits} without leading zeros`);
      return format.fromBigInt(integerOf(text, alphabet) as bigint);
    },
  };
};

const binary: Form = {
  about: "every bit, with leading zeros",
  of: (format, id) => format.toBigInt(id).toString(2).padStart(format.layout.bits, "0"),
  read(format, text) {
    const { bits } = format.layout;
    if (!/^[01]+$/.test(text)) throw textError("zeros and ones");
    if (text.length !== bits) throw textError(`${bits} bits, got ${text.length}`, "LENGTH");
    return format.fromBigInt(BigInt(`0b${text}`));
  },
};

const bytes: Form = {
  about: "the bytes as a JSON array",
  of: (format, id) => [...format.toBytes(id)],
  read(format, text) {
    const isArray = /^\[(?:0|[1-9]\d{0,2})(?:, ?(?:0|[1-9]\d{0,2}))*\]$/.test(text);
    const all = isArray ? (JSON.parse(text) as number[]) : [256];
    if (all.some((byte) => byte > 255)) throw textError("a JSON array of numbers from 0 to 255");
    return format.fromBytes(Uint8Array.from(all));
  },
};

const textError = (expected: string, code = "CHARACTER"): TextError =>
  new TextError(code, `expected ${expected} [${code}]`);

/** The forms by name. */
export const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  [
    "text",
    {
      about: "the format's own text",
      of: (format, id) => format.format(id),
      read: (format, text) => format.parse(text),
    },
  ],
  ["decimal", integer(DIGITS, "the integer", "0-9")],
  encoded("hex", "the bytes, two digits each", "hex"),
  ["base36", integer(`${DIGITS}abcdefghijklmnopqrstuvwxyz`, "the integer in base 36", "0-9a-z")],
  encoded("base62", "fixed width: 0-9, A-Z and a-z", "base62"),
  encoded("base58", "fixed width: the same without 0, O, I and l", "base58"),
  encoded("crockford32", "fixed width: 0-9 and A-Z without I, L, O and U", "crockford32"),
  encoded("crockford32-lower", "the same in lower case", more.crockford32Lower),
  encoded("crockford32-lenient", "the same; also reads a-z, i, l, o and hyphens", more.crockford32Lenient),
  encoded("zbase32", "the bytes in z-base-32; does not sort", more.zbase32),
  encoded("base64url", "the bytes in base64url; does not sort", more.base64url),
  encoded("shortcode", "Instagram's short code: the integer in base 64", more.shortcode),
  encoded("uuidv8", "the bytes as a UUID of version 8", more.uuidv8),
  ["binary", binary],
  ["bytes", bytes],
  [
    "uuid",
    {
      about: "the 16 characters as a UUID; only sno",
      of: (_, id) => sno.toUUID(id as string),
      read: (_, text) => sno.fromUUID(text),
    },
  ],
]);

/** The option for the form of the input. */
export const fromOption: OptionName = { name: "from" };

/** The form that an option names. */
export function formOf({ as, text: name }: Typed, format: AnyFormat): Form & { readonly name: string } {
  const form = forms.get(name);
  if (!form) throw unknownName(`${as}: unknown form`, name, [...forms.keys()]);
  if (name === "uuid" && !("toUUID" in format)) {
    throw new UsageError(`${as} uuid is only for ${sno.name}, not for ${format.name}`);
  }
  return { name, ...form };
}

/**
 * Reads IDs in the form of `from`; without it, the format's texts, in the user's radix if there is
 * one.
 */
export function readerOf(
  format: AnyFormat,
  facts: FormatFacts,
  from: Typed | undefined,
  values: TypedValues,
): (text: string) => AnyId {
  if (from === undefined) return parserOf(format, facts, values);
  const form = formOf(from, format);
  if (form.name === "text") return parserOf(format, facts, values);
  const radix = values.get("radix");
  if (radix) throw new UsageError(`${radix.as} is for texts, not for ${form.name}`);
  return (text) => inItsForm(() => form.read(format, text));
}

/**
 * Removes the package's argument name from an error: the user typed an ID, not a "text" or "bytes".
 */
function inItsForm(action: () => AnyId): AnyId {
  try {
    return action();
  } catch (error) {
    if (!GraupelError.is(error)) throw error;
    throw new TextError(error.code, error.message.replace(/^(?:text|bytes|uuid): /, ""));
  }
}
