/**
 * Shared by the tests of the database adapters: 10,000 IDs from busy ticks, their counts by time,
 * and rejected values.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError, snowflake, twitter } from "graupel";

const START = Date.UTC(2025, 0, 1);

/**
 * A clock that stays at each millisecond for many IDs: in a busy millisecond, rounding changes
 * them.
 */
function busyClock(): () => number {
  let calls = 0;
  return () => START + Math.floor(calls++ / 4) * 4_000_000;
}

/** A custom layout. No other test shares its generator's state. */
export const orders = snowflake({
  epoch: Date.UTC(2024, 0, 1),
  fields: { time: 41, worker: 10, sequence: 12 },
});

/** A generator that records the IDs it generates. */
export function ids() {
  const generator = orders.generator({ worker: 1023, clock: busyClock() });
  const made: bigint[] = [];
  const next = () => {
    const id = generator.next();
    made.push(id);
    return id;
  };
  return { made, next };
}

export const MANY = 10_000;

interface Row {
  readonly id: bigint;
  readonly note: string;
}

/**
 * A library's operations on the table `many`, whose rows get generated IDs by default. Tests also
 * pass IDs as texts and invalid values.
 */
export interface Calls {
  /** The generator of the column. */
  readonly source: { made: bigint[] };
  insert(rows: { id?: bigint; note: string }[]): Promise<unknown>;
  /** All rows, sorted by ID. */
  all(): Promise<readonly Row[]>;
  find(...ids: bigint[]): Promise<readonly Row[]>;
  count(min: bigint, max: bigint): Promise<number>;
  rename(id: bigint, note: string): Promise<unknown>;
  remove(...ids: bigint[]): Promise<unknown>;
  /** TypeORM treats an ID as text as a different key, so a column of BigInts rejects it. */
  readonly writesTexts?: false;
}

/** The maximum number of rows in a statement. PostgreSQL allows 65,535 parameters. */
const CHUNK = 5000;

/** The tests for all libraries. `opened`: returns the database once it is open. */
export function holdsIds(opened: () => Calls | Promise<Calls>): void {
  const emptied = async () => {
    const calls = await opened();
    const left = pluck(await calls.all()) as bigint[];
    for (let i = 0; i < left.length; i += CHUNK) await calls.remove(...left.slice(i, i + CHUNK));
    calls.source.made.length = 0;
    return calls;
  };
  const [a, b, c] = [ODD, ODD + 1n, ODD + 2n];
  const textOf = (id: bigint) => `${id}` as never as bigint;

  test("a given ID is kept, and a row without one, or with undefined, gets one", async () => {
    const calls = await emptied();
    const second = calls.writesTexts === false ? b : textOf(b);
    const rows = [{ id: a }, { id: second }, {}, { id: undefined as never }];
    await calls.insert(rows.map((row, i) => ({ ...row, note: `${i}` })));
    const found = pluck(await calls.all()) as bigint[];
    assert.deepEqual(found.slice(2), [a, b]);
    for (const id of found.slice(0, 2)) assert.ok(calls.source.made.includes(id));
  });

  test("conditions distinguish adjacent IDs", async () => {
    const calls = await emptied();
    await calls.insert([a, b, c].map((id) => ({ id, note: `${id}` })));
    for (const id of [b, textOf(b)]) assert.deepEqual(await calls.find(id), [{ id: b, note: `${b}` }]);
    assert.deepEqual(pluck(await calls.find(a, textOf(c))), [a, c]);
    assert.equal(await calls.count(b, textOf(c)), 2);
    await calls.rename(textOf(b), "changed");
    await calls.remove(textOf(c));
    assert.deepEqual(await calls.all(), [
      { id: a, note: `${a}` },
      { id: b, note: "changed" },
    ]);
  });

  test("invalid IDs are rejected in rows and in conditions", async () => {
    const calls = await emptied();
    for (const [given, code] of NO_IDS) {
      const id = given as bigint;
      await refuses(
        calls.writesTexts === false && typeof given === "string" ? "TYPE" : code,
        () => calls.insert([{ id, note: "no" }]),
        () => calls.insert([{ note: "no" }, { id, note: "no" }]),
      );
      await refuses(
        code,
        () => calls.find(id),
        () => calls.find(a, id),
        () => calls.count(a, id),
        () => calls.rename(id, "no"),
        () => calls.remove(id),
        () => calls.remove(a, id),
      );
    }
    assert.deepEqual(await calls.all(), []);
  });

  test("10,000 generated IDs are read back whole, and ranges count them", async () => {
    const { source, insert, all, count } = await emptied();
    for (let done = 0; done < MANY; done += CHUNK) {
      await insert(Array.from({ length: CHUNK }, (_, i) => ({ note: `${done + i}` })));
    }
    await agree(source.made, pluck(await all()) as bigint[], count);
  });
}

/** A property of each row. */
export const pluck = (rows: readonly object[], name = "id"): unknown[] =>
  rows.map((row) => (row as Record<string, unknown>)[name]);

/**
 * Checks that the rows have the generator's IDs in its order, and that the database and `inspect`
 * give the same counts by month. `many`: the number of rows.
 */
export async function agree(
  wanted: readonly bigint[],
  found: readonly bigint[],
  count: (min: bigint, max: bigint) => Promise<number>,
  many = MANY,
): Promise<void> {
  assert.equal(wanted.length, many);
  assert.equal(found.length, many);
  // Compare one by one: for 10,000 differences, the message of `deepEqual` would use up all
  // memory.
  for (const [i, id] of wanted.entries()) assert.equal(found[i], id);
  assert.ok(wanted.filter((id) => BigInt(Number(id)) !== id).length > many / 4, "rounding would change many");
  const months = new Map<number, number>();
  for (const id of wanted) {
    const month = orders.inspect(id).time.getUTCMonth();
    months.set(month, (months.get(month) ?? 0) + 1);
  }
  assert.ok(months.size > 1);
  let sum = 0;
  for (const [month, number] of months) {
    const { min, max } = orders.range(Date.UTC(2025, month, 1), Date.UTC(2025, month + 1, 1));
    assert.equal(await count(min, max), number, `month ${month}`);
    sum += number;
  }
  assert.equal(sum, many);
}

/** An ID that is not a safe integer, so converting it to a number rounds it. */
export const ODD = 1585841080431321657n;
assert.notEqual(BigInt(Number(ODD)), ODD);
assert.ok(twitter.isValid(ODD));

/** Checks for an error with this code, either thrown directly or wrapped in a library's error. */
export function isRefused(code: string) {
  return (error: unknown): true => {
    let at = error as { readonly cause?: unknown };
    while (!GraupelError.is(at) && at?.cause) at = at.cause as typeof at;
    assert.ok(GraupelError.is(at), String(error));
    assert.equal(at.code, code);
    return true;
  };
}

/** Checks the result of a query. */
export const gives = async (query: { execute(): Promise<unknown> }, wanted: unknown): Promise<void> =>
  assert.deepEqual(await query.execute(), wanted);

/** Checks that calls or queries are rejected and send nothing. */
export async function refuses(
  code: string,
  ...all: readonly ((() => unknown) | { execute(): Promise<unknown> })[]
): Promise<void> {
  for (const one of all) {
    const call = async () => (typeof one === "function" ? one() : one.execute());
    await assert.rejects(call, isRefused(code), `${one}`);
  }
}

/**
 * Values that are not IDs of `orders` or `twitter`, neither as BigInts nor as texts, and their
 * error codes.
 */
export const NO_IDS: readonly (readonly [given: unknown, code: string])[] = [
  [5, "TYPE"],
  [Number(ODD), "TYPE"],
  [-1n, "RANGE"],
  [1n << 63n, "OVERFLOW"],
  ["01", "NOT_CANONICAL"],
];
