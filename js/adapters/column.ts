/** What adapters share: the column that holds a format's IDs, and how its values are read and written, strictly. */
import type { AnyFormat, AnyId } from "../any-format.js";
import { checkOptions } from "../checks.js";
import { fail, typeError } from "../errors.js";
import { givenFormat, type IdOf } from "../given-format.js";

/** What makes the IDs of new rows: a generator, or sno and Ulid-Flake themselves. */
export interface IdSource<Id> {
  /** One ID. */
  next(): Id;
}

/** A column or a field of IDs whose rows get an ID if they have none. */
export interface GeneratedIds {
  /** Checks the IDs. */
  readonly format: AnyFormat;
  /** Makes the ID of a row that leaves it out. */
  readonly generator: IdSource<AnyId>;
}

/** A column of IDs. */
export interface IdColumn<Id> {
  /** Characters of a text column; 0: the IDs are integers. */
  readonly width: number;
  /** An ID from what a driver gives. */
  read(this: void, value: unknown): Id;
  /**
   * What a driver takes for an ID, or for its canonical text: an integer that is always safe as a number, because some drivers take no BigInt. It
   * also takes what it has made: libraries write a value more than once, and rows of Prisma have bigints where the IDs are numbers.
   */
  write(this: void, id: unknown): bigint | number | string;
}

/** What keeps drivers of SQLite from rounding. */
export const SQLITE_REMEDY =
  "read exact integers, as the guide to SQLite does; in D1 and Durable Objects, use Snowflake-SI or sno";

/** Whether a value is an integer as drivers return it: a bigint, a number or decimal text. Never calls `toString` of an object. */
export const isDecimal = (value: unknown): boolean =>
  Object(value) !== value && /^(0|-?[1-9]\d{0,19})$/.test(String(value));

/**
 * The column of a format. Formats whose own IDs are texts (sno, Ulid-Flake) have a column of characters, all others one of integers, also
 * for `format.text`: decimal texts of different lengths would sort wrongly. Loads no core.
 *
 * @param remedy What keeps the driver from rounding.
 */
export function columnOf<F extends AnyFormat>(format: F, remedy: string): IdColumn<IdOf<F>> {
  const { columnType, layout } = givenFormat(format);
  const isText = columnType === "string";
  return {
    width: isText ? Math.ceil(layout.bits / Math.log2(layout.base)) : 0,
    read(value) {
      if (isText) {
        return format.parse(value) as IdOf<F>;
      }
      if (typeof value === "number" && !Number.isSafeInteger(value)) {
        fail("TYPE", "id", value, `id: the driver has rounded it to ${value}; ${remedy}`);
      }
      // A safe number is exact: some drivers give numbers for small IDs, and text for large ones.
      return isDecimal(value)
        ? (format.fromBigInt(BigInt(value as string)) as IdOf<F>)
        : typeError("id", value, "a bigint, decimal text, or a safe number");
    },
    write: (id) => {
      if (isText) return format.parse(id) as string;
      const integer = format.toBigInt((typeof id === "bigint" ? format.fromBigInt(id) : id) as string);
      return columnType === "number" ? Number(integer) : integer;
    },
  };
}

/** Checks what makes IDs. */
export function givenSource<Source extends IdSource<unknown>>(source: Source): Source {
  return typeof Object(source).next === "function"
    ? source
    : typeError("generator", source, "anything with next()");
}

/** Checks what is given for a column or a field: a format, or a format with what makes its IDs. */
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
