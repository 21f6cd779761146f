/**
 * Shared by the adapters: the column of a format's IDs, with strict reading and writing of its
 * values.
 */
import { type AnyFormat, type AnyId, givenFormat, type IdOf } from "../any-format.js";
import { checkOptions } from "../checks.js";
import { fail, typeError } from "../errors.js";

/** The source of IDs for new rows: a generator, or sno and Ulid-Flake themselves. */
export interface IdSource<Id> {
  /** Generates one ID. */
  next(): Id;
}

/** A column or field whose rows get an ID if they have none. */
export interface GeneratedIds {
  /** Checks the IDs. */
  readonly format: AnyFormat;
  /** Generates the ID of a row without one. */
  readonly generator: IdSource<AnyId>;
}

/** A column of IDs. */
export interface IdColumn<Id> {
  /** The number of characters of a text column; 0 for integers. */
  readonly width: number;
  /** Reads an ID from a driver's value. */
  read(this: void, value: unknown): Id;
  /**
   * Converts an ID, or its canonical text, for a driver. If all IDs of the format are safe
   * integers, the result is a number, because some drivers do not accept BigInt. It also accepts
   * its own results: libraries write a value more than once, and rows of Prisma have bigints even
   * if IDs are numbers.
   */
  write(this: void, id: unknown): bigint | number | string;
}

/** The advice against rounding in SQLite drivers. */
export const SQLITE_REMEDY =
  "read exact integers, as the guide to SQLite does; in D1 and Durable Objects, use Snowflake-SI or sno";

/**
 * Whether a value is an integer from a driver: a bigint, a number or decimal text. Never calls an
 * object's `toString`.
 */
export const isDecimal = (value: unknown): boolean =>
  Object(value) !== value && /^(0|-?[1-9]\d{0,19})$/.test(String(value));

/**
 * The column of a format. It is a text column if the format's IDs are texts (sno, Ulid-Flake), and
 * an integer column for all others, including `format.text`: decimal texts of different lengths
 * would sort wrongly. Loads no core.
 *
 * @param remedy The advice for drivers that round.
 */
export function columnOf<F extends AnyFormat>(format: F, remedy: string): IdColumn<IdOf<F>> {
  const { columnType, layout } = givenFormat(format);
  const isText = columnType === "string";
  return {
    width: isText ? (format.textWidth?.() ?? Math.ceil(layout.bits / Math.log2(layout.base))) : 0,
    read(value) {
      if (isText) {
        return format.parse(value) as IdOf<F>;
      }
      if (typeof value === "number" && !Number.isSafeInteger(value)) {
        fail("TYPE", "id", value, `id: the driver has rounded it to ${value}; ${remedy}`);
      }
      // A safe number is exact. Some drivers return numbers for small IDs, and text for large ones.
      if (isDecimal(value)) return format.fromBigInt(BigInt(value as string)) as IdOf<F>;
      // Libraries read a value more than once.
      return format.textWidth
        ? (format.parse(value) as IdOf<F>)
        : typeError("id", value, "a bigint, decimal text, or a safe number");
    },
    write: (id) => {
      if (isText) return format.parse(id) as string;
      const integer = format.toBigInt((typeof id === "bigint" ? format.fromBigInt(id) : id) as string);
      return columnType === "number" ? Number(integer) : integer;
    },
  };
}

/**
 * Throws if a format's IDs are texts of stored integers in another base than 10, for libraries that
 * read a value twice, or get decimal text from the database: a text in base 36 may look like
 * decimal text.
 */
export function checkBase(format: AnyFormat): void {
  const { name, columnType, valueType, layout } = format;
  // Base 0 is no base, as of prefixed texts, which never look like decimal text.
  if (valueType === "string" && columnType !== "string" && ![0, 10].includes(layout.base)) {
    typeError("format", format, `${name}, not its text`);
  }
}

/** Checks a source of IDs. */
export function givenSource<Source extends IdSource<unknown>>(source: Source): Source {
  return typeof Object(source).next === "function"
    ? source
    : typeError("generator", source, "an object with next()");
}

/** Checks the argument for a column or field: a format, or a format with a source of IDs. */
export function givenIds(name: string, given: unknown): Partial<GeneratedIds> & Pick<GeneratedIds, "format"> {
  const { parse, format } = Object(given) as Partial<AnyFormat>;
  if (typeof parse === "function") {
    return { format: givenFormat(given as AnyFormat) };
  }
  if (format === undefined) {
    typeError(name, given, "a format, or { format, generator }");
  }
  const both = checkOptions(given as GeneratedIds, { format: "object", generator: "object" });
  givenFormat(both.format);
  givenSource(both.generator);
  return both;
}
