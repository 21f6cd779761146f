/**
 * Snowflake-SI: 53 bits, so that every ID is a safe integer in JavaScript and JSON.
 * Defined by https://github.com/litert/uuid.js.
 *
 * @module graupel/snowflake-si
 */

import { type Given, numberIn } from "../checks.js";
import { numberIds } from "../core/ids.js";
import { maxOf, schemaOf } from "../core/schema.js";
import { snowflakeSIOf } from "../declared.js";
import { fail } from "../errors.js";
import { snowflakeSi as row } from "../generated/layouts.js";
import { fixedFieldGenerators } from "../generator/fixed-fields.js";
import { PLAIN } from "../generator/settings.js";
import type { CounterOptions, Epoch, FixedFields, Format, TypedGenerator } from "../types.js";
import { formatOf } from "../verbs/all.js";

export type * from "../types.js";

/** The fields, without the time. `machineId` exists only if it has bits. */
export type SnowflakeSIField = "machineId" | "sequence";

/**
 * The declaration of a Snowflake-SI format. The widths sum to 53, so `machineBits` and
 * `sequenceBits` determine each other.
 */
export interface SnowflakeSIDeclaration {
  /**
   * Your epoch: the Unix milliseconds of tick 0. Use the same one everywhere and never change it.
   */
  readonly epoch: Epoch;
  /** Bits of milliseconds since the epoch: 40 (34 years, the default) or 41 (69 years). */
  readonly clockBits?: number | undefined;
  /**
   * Bits of the machine ID: 0 to 12. By default, the remaining bits, or 5 if `sequenceBits` is also
   * omitted.
   */
  readonly machineBits?: number | undefined;
  /** Bits that count the IDs of a millisecond: 1 to 13. By default, the remaining bits. */
  readonly sequenceBits?: number | undefined;
}

/** Options of a generator, without `machineId`. */
export interface SnowflakeSISequenceOptions extends CounterOptions {
  /**
   * With `sequenceStart: "lowest"`: restart from 0 only after the sequence has reached this value;
   * 0 by default. Above 0, as with `"continue"`, the sequence may wrap around within a millisecond:
   * no ID repeats, but the IDs of that millisecond do not ascend in the order of issue.
   */
  readonly sequenceResetThreshold?: number | undefined;
}

/**
 * Options of a generator; `machineId` must differ between all generators that run at the same time.
 */
export type SnowflakeSIOptions<Field extends SnowflakeSIField = SnowflakeSIField> =
  SnowflakeSISequenceOptions & FixedFields<Exclude<Field, "sequence">>;

/** A generator of Snowflake-SI. */
export type SnowflakeSIGenerator = TypedGenerator<number, Float64Array>;

/** A Snowflake-SI format. */
export type SnowflakeSI<Field extends SnowflakeSIField = SnowflakeSIField> = Format<
  number,
  Field,
  SnowflakeSIOptions<Field>,
  SnowflakeSIGenerator
>;

/** Widths that leave no bit for a machine ID: 40 + 0 + 13, or 41 + 0 + 12. */
export type WithoutMachine =
  | {
      /** No bits for the machine. */ readonly machineBits: 0;
    }
  | {
      /** All bits below a 40-bit clock. */ readonly sequenceBits: 13;
    }
  | {
      /** The 41-bit clock. */ readonly clockBits: 41;
      /** All bits below it. */ readonly sequenceBits: 12;
    };

/** The sequence rule of a generator's options. `max`: the largest sequence. */
function ruleOf(options: Given, max: number): readonly [sequence: number] {
  const field = "sequenceResetThreshold";
  const { [field]: value = 0 } = options;
  const threshold = numberIn(value, field, max);
  const [start] = PLAIN.sequenceRule(options);
  if (start > 0 && options[field] !== undefined) {
    fail("CONFLICT", field, threshold, `${field}: only with sequenceStart "lowest"`);
  }
  return [start + threshold];
}

/**
 * Declares a Snowflake-SI format with your epoch and widths.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"`. The reference's "use reversed time" repeats IDs and is not available. |
 * | sequence full | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * Errors: `TYPE`, `RANGE`, `CONFLICT`, `UNKNOWN_OPTION`.
 *
 * @example
 * ```js
 * import { snowflakeSI } from "graupel/snowflake-si";
 * const orders = snowflakeSI({ epoch: Date.UTC(2020, 0, 1) });
 * console.log(orders.inspect(11243404281601).sequence);   // 1
 * ```
 */
export function snowflakeSI(declaration: SnowflakeSIDeclaration & WithoutMachine): SnowflakeSI<"sequence">;
export function snowflakeSI(declaration: SnowflakeSIDeclaration): SnowflakeSI;
export function snowflakeSI(declaration: SnowflakeSIDeclaration): SnowflakeSI {
  const { epoch, fields, inspection } = snowflakeSIOf(declaration, row.fields, row.inspection);
  const sequence = fields.length - 1;
  const schema = schemaOf({ ...row, fields, sequence, epoch, inspection }, numberIds);
  return formatOf(schema, (schema) =>
    fixedFieldGenerators(schema, {
      ...PLAIN,
      options: [...PLAIN.options, "sequenceResetThreshold"],
      sequenceRule: (options) => ruleOf(options, maxOf(fields[sequence])),
    }),
  );
}
