/**
 * Snowflake-SI: 53 bits, so that every ID is a safe integer in JavaScript and JSON.
 * Defined by https://github.com/litert/uuid.js.
 *
 * @module graupel/snowflake-si
 */

import { type Given, numberIn, orDefault } from "../checks.js";
import { numbers } from "../core/ids.js";
import { inspectionOf, maxOf, schemaOf } from "../core/schema.js";
import { snowflakeSIOf } from "../declared.js";
import { fail } from "../errors.js";
import { snowflakeSi as row } from "../generated/layouts.js";
import { fixedFieldGenerators } from "../generator/fixed-fields.js";
import { PLAIN } from "../generator/maker.js";
import type { CounterOptions, FixedFields, Format, Time, TypedGenerator } from "../types.js";
import { formatOf } from "../verbs/all.js";

export type * from "../types.js";

/** The fields but the time; `machineId` only where it has bits. */
export type SnowflakeSIField = "machineId" | "sequence";

/** What `snowflakeSI` takes. The widths sum to 53; one of the lower two determines the other. */
export interface SnowflakeSIDeclaration {
  /** Unix milliseconds of tick 0: your own, and the same everywhere for ever. */
  readonly epoch: Time;
  /** Bits of milliseconds since the epoch: 40 (34 years, the default) or 41 (69 years). */
  readonly clockBits?: number | undefined;
  /** Bits of the machine number: 0 to 12. If left out, what the others leave; 5 if those are left out too. */
  readonly machineBits?: number | undefined;
  /** Bits that count the IDs of a millisecond: 1 to 13. If left out, what the others leave. */
  readonly sequenceBits?: number | undefined;
}

/** Options of a generator but its machine number. */
export interface SnowflakeSISequenceOptions extends CounterOptions {
  /**
   * With `sequenceStart: "lowest"`: start from 0 only once the sequence has reached this; 0 if left out. Above 0, as with
   * `"continue"`, the sequence may roll over within a millisecond: no ID repeats, but their order within it is not that of their issue.
   */
  readonly sequenceResetThreshold?: number | undefined;
}

/** Options of a generator; `machineId` must differ in everything that generates at the same time. */
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

/** Widths that leave no bit for a machine number. */
export type WithoutMachine =
  | {
      /** None. */
      readonly machineBits: 0;
    }
  | {
      /** All that the clock leaves, if it has 40. */
      readonly sequenceBits: 13;
    }
  | {
      /** The wide clock. */
      readonly clockBits: 41;
      /** All that it leaves. */
      readonly sequenceBits: 12;
    };

/** The sequence rule of a generator's options. `max`: the largest sequence. */
function ruleOf(options: Given, max: number): number {
  const field = "sequenceResetThreshold";
  const threshold = numberIn(orDefault(options[field], 0), field, max);
  const start = PLAIN.sequenceRule(options);
  if (start > 0 && options[field] !== undefined) {
    fail("CONFLICT", field, threshold, `${field}: only with sequenceStart "lowest"`);
  }
  return start + threshold;
}

/**
 * A Snowflake-SI format with your epoch and widths.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"`. The reference's "use reversed time" repeats IDs and does not exist here. |
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
  const { epoch, fields } = snowflakeSIOf(declaration, row.fields);
  const sequence = fields.length - 1;
  const inspection = sequence === 1 ? inspectionOf(fields) : row.inspection;
  const schema = schemaOf({ ...row, fields, sequence, epoch, inspection }, numbers);
  return formatOf(schema, (schema) =>
    fixedFieldGenerators(schema, {
      ...PLAIN,
      options: [...PLAIN.options, "sequenceResetThreshold"],
      sequenceRule: (options) => ruleOf(options, maxOf(fields[sequence])),
    }),
  );
}
