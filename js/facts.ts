/**
 * What every format is, as data: fields, text, IDs, time, and what its options take. Needs no core, and makes no ID.
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
  /** How many characters the alphabet has: the radix, where texts are digits. */
  readonly base: number;
  /** The characters, by their value. */
  readonly alphabet: string;
  /** Whether `parse` takes letters in either case. */
  readonly ignoresCase: boolean;
  /** The fewest characters of a text. */
  readonly shortest: number;
  /** The most characters of a text. Texts sort as their IDs do if this is also the fewest. */
  readonly longest: number;
  /**
   * A regular expression, for a JSON Schema or an input. Every canonical text matches it; so does a text without a fixed length whose
   * integer is too large.
   */
  readonly pattern: string;
}

/** The IDs of a format. */
export interface IdFacts {
  /** Their type. */
  readonly type: "string" | "bigint" | "number";
  /** How many bytes `toBytes` returns. */
  readonly bytes: number;
  /** The smallest ID, as canonical text. */
  readonly min: string;
  /** The largest ID, as canonical text. */
  readonly max: string;
}

/**
 * What an option takes. `number`: a whole number. `duration`: milliseconds, also with a fraction. `time`: Unix milliseconds or a `Date`.
 * `word`: one of `words`. `flag`: true or false. `function`, `snapshot`, `lease`: what their names say. `fields`: names to widths in bits.
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
  | "fields";

/**
 * An option. What does not apply to its kind is null. Of sno, three are not said whole here: `partition` may also be its two bytes; a
 * `sequenceMax` of 0 means the largest; and the two bounds have at least four values, so that `sequenceMin` alone is at most 65,532.
 */
export interface OptionFacts {
  /** Its name. */
  readonly name: string;
  /** What it takes. */
  readonly kind: OptionKind;
  /** Whether it must be given; a snapshot or a lease, if there is one, gives the fixed fields. */
  readonly required: boolean;
  /** What holds if it and all others are left out; null where no single value says that. */
  readonly default: number | string | boolean | null;
  /** The smallest number or the earliest time. */
  readonly min: number | null;
  /** The largest number or the latest time. */
  readonly max: number | null;
  /** The words. */
  readonly words: readonly string[] | null;
}

/** The facts of a format. What the user declares is null, or the default of the declaration. */
export interface FormatFacts {
  /** The name, as the command line and `identify` spell it. */
  readonly name: FormatName;
  /** The entry that exports the format. */
  readonly entry: string;
  /** The name of the export there. */
  readonly export: string;
  /** Whether the export is a function of a declaration; else it is the format. */
  readonly declared: boolean;
  /** What a declaration must say to get this format, besides what the user chooses. */
  readonly given: Readonly<Record<string, string>>;
  /** Width of an ID in bits. */
  readonly bits: number | null;
  /** The fields, high to low; the first is the time. */
  readonly fields: readonly LayoutField[] | null;
  /** Length of a tick in milliseconds. */
  readonly tickMs: number | null;
  /** How a time becomes a tick. */
  readonly rounding: "down" | "nearest";
  /** Unix milliseconds of tick 0; null if it is the user's. */
  readonly epoch: number | null;
  /** Unix milliseconds at which the last tick starts; null if the epoch is the user's. */
  readonly endOfLife: number | null;
  /** Milliseconds from the epoch to the start of the last tick. */
  readonly lifeMs: number | null;
  /** How many values the field has that tells the IDs of a tick apart. */
  readonly capacity: number | null;
  /** The texts. */
  readonly text: TextFacts;
  /** The IDs. */
  readonly id: IdFacts;
  /** What the declaration takes; for a format with an epoch of its own, what `withEpoch` takes: the default holds without it. */
  readonly declaration: readonly OptionFacts[];
  /** What `generator` takes. The fixed fields of a declared layout come on top. */
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
 * The facts of every format, by name; frozen, and JSON.
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
