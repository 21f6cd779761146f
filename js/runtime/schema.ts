/**
 * What a format is made of, on this side of the boundary: its row of the layout table with an epoch. All that follows
 * from it without the module (limits, dates) is worked out here; everything about single IDs is the module's.
 */
import { FIELDS } from "../generated/layouts.js";
import type { Layout, LayoutField } from "../types.js";
import { LATEST, outOfRange } from "./check.js";
import type { Core } from "./core.js";

/** The default policies, by the words of the options. */
type Policies = { readonly clockBackwards: Backwards; readonly sequenceFull: Full };
export type Backwards = "throw" | "wait" | "hold" | "tick-tock";
export type Full = "throw" | "wait" | "borrow";

/** A row of the table with its epoch. */
export interface Schema extends Policies {
  readonly name: string;
  readonly fields: readonly LayoutField[];
  /** Which field counts (or is random) within a tick. */
  readonly sequence: number;
  /** Fields that `compose` takes as 0 when they are left out. */
  readonly optional: readonly number[];
  readonly epoch: number;
  readonly tickMs: number;
  /** Whether a 64-bit ID uses its top bit. */
  readonly unsigned: boolean;
  /** Whether times are rounded to the millisecond instead of floored. */
  readonly nearest: boolean;
  /** The text form: a radix, or one of the two alphabets. */
  readonly radix: number;
}

/** The largest value of a field. */
export const most = (field: LayoutField | undefined): number => 2 ** (field?.bits ?? 0) - 1;

/** The facts of a schema that need no module. Errors: `RANGE` for an epoch past which a date cannot follow. */
export interface Facts {
  readonly layout: Layout;
  readonly capacity: number;
  readonly endOfLife: number;
  /** The largest ID, as an integer. */
  readonly max: bigint;
}

export function factsOf({ fields, sequence, epoch, tickMs, unsigned }: Schema): Facts {
  const bits = fields.reduce((sum, field) => sum + field.bits, 0);
  // The top bit of 64 stays clear unless the format is unsigned.
  const spare = bits === 64 && !unsigned ? 1 : 0;
  const span = (2 ** ((fields[0]?.bits ?? 0) - spare) - 1) * tickMs;
  if (span > Number.MAX_SAFE_INTEGER) {
    outOfRange("tickMs", tickMs, 1, Math.floor(Number.MAX_SAFE_INTEGER / (span / tickMs)));
  }
  if (epoch > LATEST - span) {
    outOfRange("epoch", epoch, -LATEST, LATEST - span);
  }
  return {
    layout: { bits, tickMs, fields: fields.map(({ name, bits }) => ({ name, bits })) },
    capacity: most(fields[sequence]) + 1,
    endOfLife: epoch + span,
    max: (1n << BigInt(bits - spare)) - 1n,
  };
}

/** Makes `schema` the one that the module's calls speak of. */
export function use(core: Core, schema: Schema): void {
  if (core.schema !== schema) {
    const { fields, sequence, epoch, tickMs, unsigned, nearest } = schema;
    fields.forEach((field, i) => {
      core.u8[FIELDS + i] = field.bits;
    });
    core.wasm.schema(fields.length, sequence, epoch, tickMs, Number(unsigned), Number(nearest));
    core.schema = schema;
  }
}
