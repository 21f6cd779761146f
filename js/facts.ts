/**
 * The facts of every format as data: fields, text, IDs, time and options. Loads no core.
 *
 * @module graupel/facts
 */
import { written } from "./generated/facts.js";
import type { FormatName } from "./generated/names.js";
import type { LayoutField } from "./types.js";

export type { FormatName } from "./generated/names.js";
export type { FieldRole, LayoutField } from "./types.js";

/** The canonical texts of a format. */
export interface TextFacts {
  /** The number of characters in the alphabet: the radix, if texts are digits. */
  readonly base: number;
  /** The characters in the order of their values. */
  readonly alphabet: string;
  /** Whether `parse` accepts letters in either case. */
  readonly ignoresCase: boolean;
  /** The length of the shortest text, in characters. */
  readonly shortest: number;
  /** The length of the longest text. If it equals `shortest`, texts sort as their IDs do. */
  readonly longest: number;
  /**
   * A regular expression for a JSON Schema or an input. Every canonical text matches it. If texts
   * have no fixed length, integers that are too large also match.
   */
  readonly pattern: string;
}

/** The IDs of a format. */
export interface IdFacts {
  /** The JavaScript type. */
  readonly type: "string" | "bigint" | "number";
  /** The number of bytes that `toBytes` returns. */
  readonly bytes: number;
  /** The smallest ID, as canonical text. */
  readonly min: string;
  /** The largest ID, as canonical text. */
  readonly max: string;
}

/**
 * The kind of an option's value. `number`: a whole number. `duration`: milliseconds, fractions
 * allowed. `time`: Unix milliseconds or a `Date`. `word`: one of `words`. `flag`: true or false.
 * `function`, `snapshot`, `lease`: as named. `fields`: names and their widths in bits. `field`: one
 * of these names.
 */
export type OptionKind =
  | "number"
  | "duration"
  | "time"
  | "word"
  | "flag"
  | "function"
  | "snapshot"
  | "lease"
  | "fields"
  | "field";

/**
 * An option. Properties that do not apply to its kind are null. Three facts of sno are missing:
 * `partition` may also be two bytes; a `sequenceMax` of 0 means the largest; and the bounds contain
 * at least four values, so `sequenceMin` alone is at most 65,532.
 */
export interface OptionFacts {
  /** Its name. */
  readonly name: string;
  /** The kind of its value. */
  readonly kind: OptionKind;
  /** Whether it is required. A snapshot or a lease replaces required fixed fields. */
  readonly required: boolean;
  /** The default if no option is given; null if there is no single default value. */
  readonly default: number | string | boolean | null;
  /** The smallest number or the earliest time. */
  readonly min: number | null;
  /** The largest number or the latest time. */
  readonly max: number | null;
  /** The allowed words. */
  readonly words: readonly string[] | null;
}

/**
 * The facts of a format. A fact that the user declares is null, or the default of the declaration.
 */
export interface FormatFacts {
  /** The name, as on the command line and in `identify`. */
  readonly name: FormatName;
  /** The entry that exports the format. */
  readonly entry: string;
  /** The name of the export there. */
  readonly export: string;
  /** Whether the export is a function that takes a declaration. Otherwise it is the format. */
  readonly declared: boolean;
  /** The fixed part of a declaration of this format. */
  readonly given: Readonly<Record<string, string>>;
  /** Width of an ID in bits. */
  readonly bits: number | null;
  /** The fields, high to low; the first is the time. */
  readonly fields: readonly LayoutField[] | null;
  /** Length of a tick in milliseconds. */
  readonly tickMs: number | null;
  /** How a time becomes a tick. */
  readonly rounding: "down" | "nearest";
  /** Unix milliseconds of tick 0; null if the user chooses the epoch. */
  readonly epoch: number | null;
  /** Unix milliseconds at which the last tick starts; null if the user chooses the epoch. */
  readonly endOfLife: number | null;
  /** Milliseconds from the epoch to the start of the last tick. */
  readonly lifeMs: number | null;
  /** The number of IDs per tick: the number of values of the field that distinguishes them. */
  readonly capacity: number | null;
  /** The texts. */
  readonly text: TextFacts;
  /** The IDs. */
  readonly id: IdFacts;
  /**
   * The options of the declaration; for a format with its own epoch, the options of `withEpoch`.
   */
  readonly declaration: readonly OptionFacts[];
  /** The options of `generator`, without the fixed fields of a declared layout. */
  readonly options: readonly OptionFacts[];
}

function frozen<T extends object>(data: T): T {
  for (const part of Object.values(data)) {
    if (typeof part === "object" && part !== null) {
      frozen(part);
    }
  }
  return Object.freeze(data);
}

/**
 * The facts of every format by name, as frozen JSON values.
 *
 * @example
 * ```js
 * import { facts } from "graupel/facts";
 * const { fields, text, options } = facts.sonyflake;
 * console.log(fields.map(({ name, role }) => `${name}: ${role}`).join(", "));
 * // time: time, sequence: sequence, machineId: fixed
 * console.log(text.pattern);   // ^(?:0|[1-9][0-9]{0,18})$
 * console.log(options.find(({ required }) => required).max);   // 65535
 * ```
 */
export const facts: Readonly<Record<FormatName, FormatFacts>> = /* @__PURE__ */ frozen(written);
