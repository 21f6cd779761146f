/**
 * Compares SQL with `inspect` and `range` on any database: the values of its expressions for IDs
 * and times of every format.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type SqlDialects, sql } from "graupel/sql";
import type { AnyFormat } from "../support/any-format.ts";
import { custom, declarations, named, snowflakeSIs, tiny } from "../support/layouts.ts";
import { MADE_UP } from "../support/made-up.ts";
import { SEED_VARIABLE, seedOfRun } from "../support/random.ts";

/** Failures show the seed. */
const seed = seedOfRun();
const SEED = `${SEED_VARIABLE}=${seed}`;

/** Runs a statement. In its rows, numbers are texts and NULL is null. */
export type Rows = (statement: string) => Promise<(string | null)[][]>;

export interface Database {
  readonly dialect: keyof SqlDialects;
  readonly rows: Rows;
}

/** The largest integer of a signed column. */
const SIGNED_MAX = 2n ** 63n - 1n;

/**
 * Every format with integer IDs, including all widths of Snowflake-SI, fictional formats, and
 * layouts with unusual ticks and epochs.
 */
const integers = () =>
  [
    ...Object.entries(MADE_UP).map(([name, format]) => ({ name, format: format as AnyFormat })),
    ...named(),
    ...snowflakeSIs(),
    ...tiny(),
    ...fc.sample(declarations, { numRuns: 60, seed }).map(custom),
  ].filter(({ format }) => typeof format.fromBigInt(0n) !== "string");

/** The largest ID that a column can hold. */
function largest({ dialect }: Database, format: AnyFormat): bigint {
  const max = format.toBigInt(format.range().max as never);
  return dialect === "mysql" || max < SIGNED_MAX ? max : SIGNED_MAX;
}

/**
 * Numbers from 0 up to, but not including, a limit. They are the same in each run with the same
 * seed.
 */
function* numbers(limit: bigint): Generator<bigint> {
  let state = BigInt(seed >>> 0) | 1n;
  for (;;) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & (2n ** 128n - 1n);
    yield (state >> 32n) % limit;
  }
}

/** The first and the last IDs, those on both sides of ticks, and random ones. */
function someIds(max: bigint, shift: bigint, count: number): bigint[] {
  const random = numbers(max + 1n);
  const ids = [0n, 1n, max - 1n, max];
  while (ids.length < count) {
    const id = random.next().value as bigint;
    const first = (id >> shift) << shift;
    ids.push(id, first, first + (1n << shift) - 1n);
  }
  return ids.filter((id) => id >= 0n && id <= max);
}

/**
 * A time as text in UTC, with microseconds; undefined if some databases do not support the year.
 */
function textOf(micros: bigint): string | undefined {
  const ms = micros / 1000n - (micros % 1000n < 0n ? 1n : 0n);
  const date = new Date(Number(ms));
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999
    ? `${date.toISOString().slice(0, 23).replace("T", " ")}${`${micros - ms * 1000n}`.padStart(3, "0")}`
    : undefined;
}

/** Reads the time of an ID as text, with milliseconds. */
const READ = {
  postgres: (time: string) => `to_char((${time}) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')`,
  mysql: (time: string) => `CAST(${time} AS CHAR)`,
  sqlite: (time: string) => time,
};

/** Turns the text of a time into an expression. */
const WRITTEN = {
  postgres: (text: string) => `'${text}+00'`,
  mysql: (text: string) => `TIMESTAMP'${text}'`,
  sqlite: (text: string) => `'${text}'`,
};

/** The result of `range`, or NULL if it fails. */
function boundOf(format: AnyFormat, max: bigint, which: "min" | "max", unixMs: number): string | null {
  let id: unknown;
  try {
    id = which === "min" ? format.range(unixMs).min : format.range(undefined, unixMs).max;
  } catch (error) {
    assert.match((error as { code: string }).code, /BEFORE_EPOCH|END_OF_LIFE/);
    return null;
  }
  const integer = format.toBigInt(id as never);
  // The bound is beyond the signed column.
  return integer <= max ? `${integer}` : which === "min" ? null : `${max}`;
}

/** Checks that the times of `count` IDs of each format equal those of `inspect`. */
export async function agreeOnTimes(database: Database, count: number): Promise<void> {
  for (const { name: label, format } of integers()) {
    const { timeOf, unixMsOf } = sql(format, database.dialect);
    const shift = BigInt(format.layout.bits - (format.layout.fields[0]?.bits as number));
    const ids = someIds(largest(database, format), shift, count);
    const list = ids.map((id) => `SELECT ${id} AS id`).join(" UNION ALL ");
    const found = await database.rows(`SELECT id, ${unixMsOf(["v", "id"])} FROM (${list}) AS v`);
    assert.equal(found.length, ids.length);
    for (const [id, unixMs] of found) {
      const { timestamp } = format.inspect(format.fromBigInt(BigInt(id as string)) as never);
      assert.equal(unixMs, `${timestamp}`, `${SEED}, ${label}: ${id}`);
    }
    // Beyond these years, PostgreSQL has other limits, and the other databases return NULL.
    const dated = ids.filter((id) => {
      const { timestamp } = format.inspect(format.fromBigInt(id) as never);
      return timestamp >= -62135596800000 && timestamp <= 253402300799999;
    });
    if (dated.length === 0) continue;
    const few = dated.map((id) => `SELECT ${id} AS id`).join(" UNION ALL ");
    const time = READ[database.dialect](timeOf(["v", "id"]));
    for (const [id, text] of await database.rows(`SELECT id, ${time} FROM (${few}) AS v`)) {
      const { time } = format.inspect(format.fromBigInt(BigInt(id as string)) as never);
      assert.equal(text, time.toISOString().slice(0, 23).replace("T", " "), `${SEED}, ${label}: ${id}`);
    }
  }
}

/**
 * Checks that bounds equal those of `range`: on both sides of ticks, with fractions of
 * milliseconds, before the epoch and after the last tick.
 */
export async function agreeOnBounds(database: Database, count: number): Promise<void> {
  const { dialect } = database;
  for (const { name: label, format } of integers()) {
    const { min, max } = sql(format, dialect);
    const shift = BigInt(format.layout.bits - (format.layout.fields[0]?.bits as number));
    const limit = largest(database, format);
    const starts = someIds(limit, shift, count).map((id) => format.timestamp(format.fromBigInt(id) as never));
    const { epoch, endOfLife, layout } = format;
    const all = [...starts, epoch - 1e6, epoch, endOfLife, endOfLife + layout.tickMs, endOfLife + 1e9];
    // Only times whose doubles have a precision of at least a quarter of a millisecond.
    const times = all
      .flatMap((start) => [-1, -0.5, 0, 0.25, layout.tickMs - 0.5, 1].map((more) => start + more))
      .filter((ms) => Math.abs(ms) < 2 ** 50);
    const cases = times.map((ms) => {
      const micros = BigInt(Math.floor(ms)) * 1000n + BigInt((ms - Math.floor(ms)) * 1000);
      return { ms, decimal: `${ms}`, text: textOf(micros) };
    });
    type Written = (one: (typeof cases)[0]) => string;
    const check = async (list: typeof cases, what: string, written: Written, time: object | string) => {
      if (list.length === 0) return;
      const values = list.map((one, i) => `SELECT ${i} AS i, ${written(one)} AS t`).join(" UNION ALL ");
      const found = await database.rows(
        `SELECT i, ${min(time as string)}, ${max(time as string)} FROM (${values}) AS v`,
      );
      assert.equal(found.length, list.length);
      for (const [i, least, most] of found) {
        const { ms } = list[Number(i)] as (typeof cases)[0];
        const expected = [boundOf(format, limit, "min", ms), boundOf(format, limit, "max", ms)];
        assert.deepEqual([least, most], expected, `${SEED}, ${label}: ${what}, ${ms}`);
      }
    };
    await check(cases, "Unix ms", ({ decimal }) => decimal, { unixMs: "v.t" });
    // SQLite rounds to the millisecond.
    const dated = cases.filter(
      ({ ms, text }) => text !== undefined && (dialect !== "sqlite" || Number.isInteger(ms)),
    );
    await check(dated, "time", ({ text }) => WRITTEN[dialect](text as string), "v.t");
    for (const ms of times.flatMap((ms) => [ms, new Date(ms)])) {
      for (const [which, bound] of Object.entries({ min, max })) {
        const expected = boundOf(format, limit, which as "min" | "max", Number(ms));
        if (expected !== null) assert.equal(bound(ms), expected, `${SEED}, ${label}: ${ms}`);
        else assert.throws(() => bound(ms), { name: "GraupelError", code: /BEFORE_EPOCH|END_OF_LIFE/ });
      }
    }
  }
}
