/**
 * A format whose IDs are public texts, such as those with a prefix: for columns of ORMs.
 *
 * @module graupel/text-format
 */
import { type AnyFormat, type AnyGenerator, type AnyId, givenFormat, type IdOf } from "../any-format.js";
import { fail, OWN_TEXT, standardOf, typeError } from "../errors.js";

/**
 * The functions that read and write the texts: the result of `prefixed` or `sealed`, or your own.
 */
export type Texts<Id> =
  | {
      /** The ID of a text. */
      parse(this: void, text: string): Id;
      /** The text of an ID. */
      format(this: void, id: Id): string;
    }
  | {
      /** The ID of a text. */
      open(this: void, text: string): Id;
      /** The text of an ID. */
      seal(this: void, id: Id): string;
    };

/** The same format with other texts as its type. */
export type TextFormat<F extends AnyFormat> = Pick<F["text"], keyof AnyFormat & keyof F["text"]>;

/**
 * The same format with other texts as its type. Give it to a column of an ORM like any format: your
 * program has `usr_…` everywhere, and the database has the integer, with its order and its size. If
 * the IDs of a format are texts (sno, Ulid-Flake), the database has the same text as the program.
 * An ID without its prefix is an error. A column also accepts a bigint, because drivers return it.
 *
 * @param format Any format.
 * @param texts The result of `prefixed`, or of `sealed` for keys with prefixes, or an object with
 *   `parse` and `format`. Each text must contain a `.`, `_`, `~` or `-`, so that it cannot be taken
 *   for an integer of the database. `parse` must accept only the texts that `format` writes.
 * @throws `TYPE` if `format` is not a format, or `texts` has no such functions. On use, `TYPE` for
 *   a text without such a character, and `NOT_CANONICAL` for a text that `format` does not write.
 *
 * @example
 * ```js
 * import { prefixed } from "graupel/prefixed";
 * import { twitter } from "graupel/snowflake";
 * import { textFormat } from "graupel/text-format";
 *
 * const users = textFormat(twitter, prefixed(twitter, "usr_"));
 * console.log(users.fromBigInt(1585841080431321088n));       // usr_1585841080431321088
 * console.log(users.toBigInt("usr_1585841080431321088"));    // 1585841080431321088n
 * console.log(users.isValid("1585841080431321088"));         // false
 * const ids = users.generator({ datacenterId: 0, workerId: 7 });
 * console.log(ids.next().slice(0, 4));                       // usr_
 * ```
 */
export function textFormat<F extends AnyFormat>(format: F, texts: Texts<IdOf<F>>): TextFormat<F> {
  givenFormat(format);
  const [open, seal] = functionsOf(texts);
  const checked = (x: unknown) => {
    open(x);
    return x as string;
  };
  const standard = standardOf<string, string>(checked);
  const { name, epoch, capacity, endOfLife, max, columnType, toJSON } = format;
  // Leave out members that only some formats have, because they take and return canonical texts.
  return {
    __proto__: OWN_TEXT,
    name,
    epoch,
    capacity,
    endOfLife,
    max,
    columnType,
    toJSON,
    valueType: "string",
    // No digits of a radix.
    layout: { ...format.layout, base: 0, ignoresCase: false, pattern: "" },
    generator: (...options) => generatorOf(format.generator(...options), seal),
    parse: checked,
    isValid: (x: unknown) => "value" in standard.validate(x),
    format: checked,
    toBytes: (id) => format.toBytes(open(id)),
    fromBytes: (bytes) => seal(format.fromBytes(bytes)),
    toBigInt: (id) => format.toBigInt(open(id)),
    fromBigInt: (integer) => seal(format.fromBigInt(integer)),
    textWidth: () => seal(format.fromBigInt(max)).length,
    inspect: (id) => format.inspect(open(id)),
    timestamp: (id) => format.timestamp(open(id)),
    compose: (fields) => seal(format.compose(fields)),
    with: (id, changes) => seal(format.with(open(id), changes)),
    range(from, to) {
      const bounds = format.range(from, to);
      return { min: seal(bounds.min), max: seal(bounds.max) };
    },
    compare: (a, b) => format.compare(open(a), open(b)),
    "~standard": standard,
  } as Omit<AnyFormat, "text"> as TextFormat<F>;
}

/** Reads a text and writes one. */
type Functions = readonly [open: (text: unknown) => AnyId, seal: (id: AnyId) => string];

/** A function of unknown types. */
type Unchecked = (given: unknown) => unknown;

/** The two functions, with checks of their results. */
function functionsOf<Id>(texts: Texts<Id>): Functions {
  const { parse, format, open = parse, seal = format } = Object(texts) as Record<string, Unchecked>;
  for (const one of [open, seal]) {
    if (typeof one !== "function") {
      typeError("texts", texts, "the result of prefixed or sealed, or { parse, format }");
    }
  }
  const write = (id: AnyId) => {
    const text = (seal as Unchecked)(id);
    // A driver may return an ID as text, and a library may read a value twice, so digits could be
    // either.
    return typeof text === "string" && /[._~-]/.test(text)
      ? text
      : typeError("texts", text, "texts with a prefix, or another of the characters . _ ~ -");
  };
  const read = (text: unknown) => {
    if (typeof text !== "string") typeError("id", text, "a text");
    const id = (open as Unchecked)(text) as AnyId;
    const one = write(id);
    return one === text ? id : fail("NOT_CANONICAL", "id", text, `id: expected ${one}`);
  };
  return [read, write];
}

/** The methods that generate IDs. */
type Making = Record<"next" | "at", (...given: unknown[]) => AnyId> & {
  nextMany(...given: unknown[]): AnyId[];
  nextAsync(...given: unknown[]): Promise<AnyId>;
};

/** The same generator with other texts. */
function generatorOf(generator: AnyGenerator, textOf: (id: AnyId) => string): AnyGenerator {
  const { next, nextMany, nextAsync, at } = generator as unknown as Making;
  const one = (...given: unknown[]) => textOf(next(...given));
  const many = (...given: unknown[]) => nextMany(...given).map(textOf);
  const made = {
    ...generator,
    next: one,
    nextText: one,
    nextMany: many,
    nextManyText: many,
    nextAsync: async (...given: unknown[]) => textOf(await nextAsync(...given)),
    at: (...given: unknown[]) => textOf(at(...given)),
  };
  delete made.nextTyped;
  return made;
}
