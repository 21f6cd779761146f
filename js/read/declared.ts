/**
 * The declared formats of this entry. They take the same declarations as the formats that also
 * generate.
 */
import { epochMs, lifeOf, widthOf } from "../checks.js";
import { inspectionOf, nanoflakeOf, snowflakeOf, snowflakeSIOf } from "../declared.js";
import type { NanoflakeDeclaration, NanoflakeField } from "../formats/nanoflake.js";
import type { FixedOf, SnowflakeDeclaration, SnowflakeFields, SnowflakeIds } from "../formats/snowflake.js";
import type { SnowflakeSIDeclaration, SnowflakeSIField, WithoutMachine } from "../formats/snowflake-si.js";
import { twitter } from "../generated/read.js";
import {
  nanoflake as nanoflakeRow,
  nanoflakeReference24 as reference24,
  snowflakeSiFields as siFields,
  snowflakeSi as siRow,
} from "../generated/read-declared.js";
import type { Epoch, LayoutField } from "../types.js";
import type { ReadFormat } from "./load.js";

/** Returns a row with declared fields. Checks its last tick. `most`: the most bits of an ID. */
function withFields<R extends ReadFormat<unknown, never>>(
  row: R,
  fields: readonly LayoutField[],
  inspection: R["inspection"],
  most = 63,
) {
  const { name, expected, epoch, tickMs, shortest, load, idOf } = row;
  const all = widthOf(fields);
  const bits = Math.min(all, most);
  const time = fields[0]?.bits ?? 0;
  const below = all - time;
  const last = lifeOf(time, all - bits, epoch, tickMs) / tickMs;
  const max = (1n << BigInt(bits)) - 1n;
  const [up, longest] = [2 ** (32 - below), `${max}`.length];
  // No property is overwritten: V8 would no longer treat `load` as constant.
  return { name, expected, epoch, tickMs, last, max, up, shortest, longest, load, idOf, inspection };
}

/** Returns a row after a check of its last tick. */
function checked<R extends ReadFormat<unknown, never>>(row: R): R {
  lifeOf(Math.log2(row.last + 1), 0, row.epoch, row.tickMs);
  return row;
}

/**
 * Declares a Nanoflake format to read, like `nanoflake` of `graupel/nanoflake`. Errors: `TYPE`,
 * `RANGE`, `UNKNOWN_OPTION`.
 *
 * @example
 * ```js
 * import { nanoflake, parse } from "graupel/read";
 * console.log(parse(nanoflake({ epoch: Date.UTC(2020, 0, 1) }), "2uhssg7inw1s"));   // 374735900706918400n
 * ```
 */
export function nanoflake(declaration: NanoflakeDeclaration): ReadFormat<bigint, NanoflakeField> {
  return checked(nanoflakeOf(declaration, nanoflakeRow, reference24));
}

/**
 * Declares your own layout to read, like `snowflake` of `graupel/snowflake`. Errors: `TYPE`,
 * `RANGE`, `UNKNOWN_OPTION`, `UNKNOWN_FIELD`, `CONFLICT`.
 *
 * @example
 * ```js
 * import { inspect, snowflake } from "graupel/read";
 * const ids = snowflake({ epoch: Date.UTC(2024, 0, 1), fields: { time: 41, region: 4, worker: 6, sequence: 12 } });
 * console.log(inspect(ids, 132633958810423296n).region);   // 3
 * ```
 */
export function snowflake<
  const F extends SnowflakeFields<Sequence>,
  const Sequence extends string = "sequence",
  const Ids extends SnowflakeIds = "bigint",
>(
  declaration: SnowflakeDeclaration<F, Sequence, Ids>,
): ReadFormat<Ids extends "number" ? number : bigint, FixedOf<F, Sequence> | Sequence> {
  const { ids, sequence, fields, ...declared } = snowflakeOf(declaration);
  const row = { ...(ids === "number" ? siRow : twitter), ...declared };
  // The top bit of a signed integer stays clear.
  return withFields(row, fields, inspectionOf(fields), ids === "unsigned" ? 64 : 63) as never;
}

/**
 * Declares a Snowflake-SI format to read, like `snowflakeSI` of `graupel/snowflake-si`. Errors:
 * `TYPE`, `RANGE`, `CONFLICT`, `UNKNOWN_OPTION`.
 *
 * @example
 * ```js
 * import { inspect, snowflakeSI } from "graupel/read";
 * console.log(inspect(snowflakeSI({ epoch: Date.UTC(2020, 0, 1) }), 11243404281601).sequence);   // 1
 * ```
 */
export function snowflakeSI(
  declaration: SnowflakeSIDeclaration & WithoutMachine,
): ReadFormat<number, "sequence">;
export function snowflakeSI(declaration: SnowflakeSIDeclaration): ReadFormat<number, SnowflakeSIField>;
export function snowflakeSI(declaration: SnowflakeSIDeclaration): ReadFormat<number, SnowflakeSIField> {
  const { epoch, fields, inspection } = snowflakeSIOf(declaration, siFields, siRow.inspection);
  return withFields({ ...siRow, epoch }, fields, inspection) as ReadFormat<number, SnowflakeSIField>;
}

/**
 * Returns a Ulid-Flake format with another epoch. Errors: `TYPE`, `RANGE`.
 *
 * @example
 * ```js
 * import { timestamp, ulidFlake, withEpoch } from "graupel/read";
 * const orders = withEpoch(ulidFlake, Date.UTC(2030, 0, 1));
 * console.log(timestamp(orders, "00CMXB6TAK4SA") - timestamp(ulidFlake, "00CMXB6TAK4SA"));   // 189388800000
 * ```
 */
export function withEpoch<Id, Field extends string>(
  format: ReadFormat<Id, Field>,
  epoch: Epoch,
): ReadFormat<Id, Field> {
  return checked({ ...format, epoch: epochMs(epoch) });
}
