/**
 * Nanoflake: 41 bits of milliseconds since your epoch, 10 bits of generator ID, 12 bits of
 * sequence; text in base 36. Defined by https://github.com/nanoflakes/spec.
 *
 * @module graupel/nanoflake
 */

import { noMoreArguments, numberIn } from "../checks.js";
import { signedBy } from "../core/ids.js";
import { type Row, type Schema, schemaOf } from "../core/schema.js";
import { nanoflakeOf } from "../declared.js";
import * as abi from "../generated/constants.js";
import { nanoflakeReference24, nanoflake as row } from "../generated/layouts.js";
import { fixedFieldGenerators } from "../generator/fixed-fields.js";
import { bigintsOfLetters } from "../read/load.js";
import type { CounterOptions, Epoch, FixedFields, Format, TextGenerator, TypedGenerator } from "../types.js";
import { formatOf, parse, toBigInt } from "../verbs/all.js";

export type * from "../types.js";

/**
 * The fields of a Nanoflake, without the time. `inspect` of the layout `reference-24` also returns
 * `unused`.
 */
export type NanoflakeField = "generatorId" | "sequence";

/** The declaration of a Nanoflake format. */
export interface NanoflakeDeclaration {
  /**
   * Your epoch: the Unix milliseconds of tick 0. Use the same one everywhere and never change it.
   */
  readonly epoch: Epoch;
  /**
   * The layout of the published Java and Kotlin implementations: the time is shifted by 24 bits,
   * and two bits are unused.
   */
  readonly layout?: "reference-24" | undefined;
}

/**
 * Options of a generator; `generatorId` is 0 to 1023 and must differ between all generators that
 * run at the same time.
 */
export type NanoflakeOptions = CounterOptions & FixedFields<"generatorId">;

/** A generator of Nanoflakes. */
export type NanoflakeGenerator = TypedGenerator<bigint, BigInt64Array>;

/** A Nanoflake format with IDs of the type `Id`. */
export interface NanoflakeOf<Id extends bigint | string, Gen>
  extends Format<Id, NanoflakeField, NanoflakeOptions, Gen> {
  /**
   * Parses an ID, or its digits in a radix of 2 to 36, in either case, without a sign, prefix or
   * leading zero. Errors: `TYPE`, `LENGTH`, `CHARACTER`, `NOT_CANONICAL`, `OVERFLOW`, `RANGE`.
   */
  parse(this: void, x: unknown, radix?: number): Id;
  /**
   * Returns lower-case digits without leading zeros. These texts do not sort as their IDs do.
   * Errors: those of `parse`.
   */
  format(this: void, id: Id | string, radix?: number): string;
  /** The same format with base 36 text as its type. */
  readonly text: NanoflakeOf<string, TextGenerator<Gen>>;
}

/** A Nanoflake format. */
export type Nanoflake = NanoflakeOf<bigint, NanoflakeGenerator>;

/** The digits of the largest radix. */
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * Declares a Nanoflake format with your epoch.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"` |
 * | sequence full | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * The published implementations throw when the clock goes back: `clockBackwards: "throw"`.
 *
 * Errors: `TYPE`, `RANGE`, `UNKNOWN_OPTION`.
 *
 * @example
 * ```js
 * import { nanoflake } from "graupel/nanoflake";
 * const ids = nanoflake({ epoch: Date.UTC(2020, 0, 1) });
 * console.log(ids.parse("2uhssg7inw1s"));   // 374735900706918400n
 * ```
 */
export function nanoflake(declaration: NanoflakeDeclaration): Nanoflake {
  const declared: Row = nanoflakeOf(declaration, row, nanoflakeReference24);
  /** The schemas for texts by their radix. */
  const schemas: Record<number, Schema<bigint, BigInt64Array>> = {};
  const schemaIn = (radix: number) => {
    schemas[radix] ??= schemaOf(
      { ...declared, radix },
      signedBy(bigintsOfLetters(DIGITS.slice(0, radix), true)),
    );
    return schemas[radix];
  };
  const schema = schemaIn(declared.radix);
  const form = (radix: unknown = schema.radix) => numberIn(radix, "radix", abi.MAX_RADIX, abi.MIN_RADIX);
  return formatOf(schema as Schema, (own) => ({
    parse(x: unknown, radix?: number, ...beyond: unknown[]) {
      noMoreArguments(beyond.length);
      const base = form(radix);
      if (base === schema.radix || typeof x !== "string") return parse(own, x);
      return own.idType.ofInteger(parse(schemaIn(base), x) as bigint);
    },
    format(id: bigint | string, radix?: number, ...beyond: unknown[]) {
      noMoreArguments(beyond.length);
      const digits = form(radix);
      return toBigInt(own, id).toString(digits);
    },
    ...fixedFieldGenerators(own),
  }));
}
