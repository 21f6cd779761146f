/**
 * Snowflake: Twitter's, the dialects of Discord, Instagram, Mastodon and Sonyflake, and layouts of
 * your own. Field names are those of each dialect's own documents.
 *
 * @module graupel/snowflake
 */

import { type IdType, numberIds, signed, unsigned } from "../core/ids.js";
import { type Row, schemaOf } from "../core/schema.js";
import { inspectionOf, snowflakeOf } from "../declared.js";
import * as rows from "../generated/layouts.js";
import { fixedFieldGenerators } from "../generator/fixed-fields.js";
import type { CounterOptions, Epoch, FixedFields, Format, TypedGenerator } from "../types.js";
import { formatOf } from "../verbs/all.js";

export type * from "../types.js";

/** Options of a generator with the given fixed fields. */
export type SnowflakeOptions<Fixed extends string> = CounterOptions & FixedFields<Fixed>;

/** A generator of signed 64-bit Snowflakes. */
export type SnowflakeGenerator = TypedGenerator<bigint, BigInt64Array>;

/**
 * A Snowflake format: its fixed fields, its counting field, the result of `nextTyped`, and the type
 * of its IDs.
 */
export type Snowflake<
  Fixed extends string,
  Sequence extends string,
  Typed = BigInt64Array,
  Id extends bigint | number = bigint,
> = Format<Id, Fixed | Sequence, SnowflakeOptions<Fixed>, TypedGenerator<Id, Typed>>;

/** Discord's format, which is unsigned. */
export type DiscordSnowflake = Snowflake<
  "internalWorkerId" | "internalProcessId",
  "increment",
  BigUint64Array
>;

const dialect = <F>(row: Row, idType: IdType<bigint>): F =>
  formatOf(schemaOf(row, idType), (schema) => fixedFieldGenerators(schema));

/**
 * Twitter: milliseconds since 2010-11-04, 5 bits of datacenter, 5 of worker, 12 of sequence.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"` |
 * | sequence full | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * Twitter's implementation throws when the clock goes back: `clockBackwards: "throw"`.
 *
 * Source: https://github.com/twitter-archive/snowflake/tree/snowflake-2010.
 *
 * @example
 * ```js
 * import { twitter } from "graupel/snowflake";
 * console.log(twitter.inspect(1305120710456668160n).workerId);   // 7
 * ```
 */
export const twitter: Snowflake<"datacenterId" | "workerId", "sequence"> = /* @__PURE__ */ dialect(
  rows.twitter,
  signed,
);

/**
 * Discord: milliseconds since 2015, 5 bits of worker, 5 of process, 12 of increment; unsigned.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"` |
 * | sequence full | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * Source: https://discord.com/developers/docs/reference#snowflakes.
 *
 * @example
 * ```js
 * import { discord } from "graupel/snowflake";
 * console.log(discord.inspect(175928847299117063n).timestamp);   // 1462015105796
 * ```
 */
export const discord: DiscordSnowflake = /* @__PURE__ */ dialect(rows.discord, unsigned);

/**
 * Instagram: milliseconds since 2011-08-24T21:07:01.721Z, 13 bits of shard, 10 of sequence. As
 * signed integers, its IDs run out in 2046.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"` |
 * | sequence full | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * Source: https://instagram-engineering.com/sharding-ids-at-instagram-1cf5a71e5a5c.
 *
 * @example
 * ```js
 * import { instagram } from "graupel/snowflake";
 * console.log(instagram.inspect(11637205501278089n).shardId);   // 1341
 * ```
 */
export const instagram: Snowflake<"shardId", "sequence"> = /* @__PURE__ */ dialect(rows.instagram, signed);

/**
 * Mastodon: 48 bits of Unix milliseconds (rounded, not floored), 16 bits of sequence data, here a
 * counter.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"` |
 * | sequence full | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * Source: https://github.com/mastodon/mastodon/blob/main/lib/mastodon/snowflake.rb.
 *
 * @example
 * ```js
 * import { mastodon } from "graupel/snowflake";
 * console.log(mastodon.inspect(103270115826048975n).timestamp);   // 1575776913849
 * ```
 */
export const mastodon: Snowflake<never, "sequenceData"> = /* @__PURE__ */ dialect(rows.mastodon, signed);

/**
 * Sonyflake, version 1: ticks of 10 ms since 2014-09-01, 8 bits of sequence, 16 of machine ID.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"` |
 * | sequence full | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * For another start time, use `snowflake({ epoch, tickMs: 10, fields: { time: 39, sequence: 8,
 * machineId: 16 } })`.
 *
 * Source: https://github.com/sony/sonyflake.
 *
 * @example
 * ```js
 * import { sonyflake } from "graupel/snowflake";
 * console.log(sonyflake.inspect(545466215301579010n).machineId);   // 258
 * ```
 */
export const sonyflake: Snowflake<"machineId", "sequence"> = /* @__PURE__ */ dialect(rows.sonyflake, signed);

/**
 * A layout: names and their widths in bits, high to low. `time` comes first, one field counts, and
 * all others are fixed. A name has at most 64 English letters, digits and underscores, and does not
 * begin with a digit.
 */
export type SnowflakeFields<Sequence extends string = "sequence"> = {
  /** Bits of ticks since the epoch: 1 to 53. */
  readonly time: number;
} & {
  /** Bits that count the IDs of a tick: 1 to 53. */
  readonly [S in Sequence]: number;
} & {
  readonly [name: string]: number;
};

/** The type of the IDs of a declared layout. */
export type SnowflakeIds = "bigint" | "unsigned" | "number";

/** The declaration of a layout. */
export interface SnowflakeDeclaration<
  F extends SnowflakeFields<Sequence>,
  Sequence extends string = "sequence",
  Ids extends SnowflakeIds = "bigint",
> {
  /**
   * Your epoch: the Unix milliseconds of tick 0, also as a bigint. Use the same one everywhere and
   * never change it.
   */
  readonly epoch: Epoch;
  /**
   * Length of a tick in milliseconds, a whole number from 1 to 4,294,967,295; 1 by default. The
   * last tick must be at most 2^53 - 1 ms after the epoch, and within the range of a `Date`: with
   * 41 bits of time since 2024, `tickMs` is 1 to 3,928.
   */
  readonly tickMs?: number | undefined;
  /** The layout, of 2 to 64 bits. */
  readonly fields: F;
  /** The name of the field that counts the IDs of a tick; `"sequence"` by default. */
  readonly sequenceField?: Sequence | undefined;
  /**
   * The type of the IDs; `"bigint"` by default. It does not change their bits.
   *
   * - `"bigint"`: BigInts that fit a signed 64-bit integer. With 64 bits, the top bit stays 0.
   * - `"unsigned"`: BigInts that use all 64 bits, like Discord's. The layout must have 64 bits.
   * - `"number"`: safe numbers. The layout must have at most 53 bits.
   */
  readonly ids?: Ids | undefined;
}

/** The fixed fields of a declared layout: all except the time and the counting field. */
export type FixedOf<F extends SnowflakeFields<Sequence>, Sequence extends string = "sequence"> = Exclude<
  keyof F & string,
  "time" | Sequence
>;

/** The format of a declared layout. */
export type DeclaredSnowflake<
  Fixed extends string,
  Sequence extends string = "sequence",
  Ids extends SnowflakeIds = "bigint",
> = Ids extends "number"
  ? Snowflake<Fixed, Sequence, Float64Array, number>
  : Snowflake<Fixed, Sequence, Ids extends "unsigned" ? BigUint64Array : BigInt64Array>;

/** The types of IDs, by the words of a declaration. */
const TYPES = { bigint: signed, unsigned, number: numberIds };

/**
 * Declares your own layout and checks it at once.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"` |
 * | sequence full | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * Errors: `TYPE`, `RANGE`, `UNKNOWN_OPTION`, `UNKNOWN_FIELD`, `CONFLICT`.
 *
 * @example
 * ```js
 * import { snowflake } from "graupel/snowflake";
 * const ids = snowflake({ epoch: Date.UTC(2024, 0, 1), fields: { time: 41, region: 4, worker: 6, sequence: 12 } });
 * const id = ids.compose({ timestamp: Date.UTC(2025, 0, 1), region: 3, worker: 9, sequence: 0 });
 * console.log(id, ids.inspect(id).region);   // 132633958810423296n 3
 * const small = snowflake({ epoch: Date.UTC(2024, 0, 1), fields: { time: 41, worker: 6, sequence: 6 }, ids: "number" });
 * console.log(small.compose({ timestamp: Date.UTC(2025, 0, 1), worker: 9, sequence: 0 }));   // 129525350400576
 * ```
 */
export function snowflake<
  const F extends SnowflakeFields<Sequence>,
  const Sequence extends string = "sequence",
  const Ids extends SnowflakeIds = "bigint",
>(
  declaration: SnowflakeDeclaration<F, Sequence, Ids>,
): DeclaredSnowflake<FixedOf<F, Sequence>, Sequence, Ids> {
  const { ids, ...declared } = snowflakeOf(declaration);
  // Policies, rounding and decimal text are Twitter's; unsigned texts are Discord's.
  const { facts } = ids === "unsigned" ? rows.discord : rows.twitter;
  const row = { ...rows.twitter, ...declared, facts, inspection: inspectionOf(declared.fields) };
  return dialect(row, TYPES[ids] as IdType<bigint>);
}
