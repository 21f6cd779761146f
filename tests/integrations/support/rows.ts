/** What the tests of adapters share: 100,000 IDs of busy ticks, and how they are counted by time; refusals. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError, snowflake, twitter } from "graupel";

const START = Date.UTC(2025, 0, 1);

/** A clock that stays in each millisecond for many IDs: in a busy one, rounding changes them. */
function busyClock(): () => number {
  let calls = 0;
  return () => START + Math.floor(calls++ / 4) * 400_000;
}

/** A layout of one's own: its generator has no part in that of others. */
export const orders = snowflake({
  epoch: Date.UTC(2024, 0, 1),
  fields: { time: 41, worker: 10, sequence: 12 },
});

/** A generator that remembers what it made. */
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

export const MANY = 100_000;

interface Row {
  readonly id: bigint;
  readonly note: string;
}

/** What a library does with the table `many`, whose rows get IDs by default. Tests also give it texts as IDs, and what is none. */
export interface Calls {
  /** That of the column. */
  readonly source: { made: bigint[] };
  insert(rows: { id?: bigint; note: string }[]): Promise<unknown>;
  /** All rows, by their IDs. */
  all(): Promise<readonly Row[]>;
  find(...ids: bigint[]): Promise<readonly Row[]>;
  count(min: bigint, max: bigint): Promise<number>;
  rename(id: bigint, note: string): Promise<unknown>;
  remove(...ids: bigint[]): Promise<unknown>;
  /** TypeORM takes the text of an ID in a row for another key, so a column of BigInts refuses it. */
  readonly writesTexts?: false;
}

/** The most rows of one statement: PostgreSQL takes 65,535 parameters. */
const CHUNK = 5000;

/** The contract of all libraries. `opened`: once the database is there. */
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

  test("an ID that is given stays, and a row without one, or with undefined, gets one", async () => {
    const calls = await emptied();
    const second = calls.writesTexts === false ? b : textOf(b);
    const rows = [{ id: a }, { id: second }, {}, { id: undefined as never }];
    await calls.insert(rows.map((row, i) => ({ ...row, note: `${i}` })));
    const found = pluck(await calls.all()) as bigint[];
    assert.deepEqual(found.slice(2), [a, b]);
    for (const id of found.slice(0, 2)) assert.ok(calls.source.made.includes(id));
  });

  test("conditions tell IDs apart that follow each other", async () => {
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

  test("what is no ID is not written, and not asked for", async () => {
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

  test("100,000 rows by default come back whole, and ranges count them", async () => {
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
 * The IDs of all rows are those of the generator, in its order; and months count the same in the database as by `inspect`. `many`: how many
 * rows there are.
 */
export async function agree(
  wanted: readonly bigint[],
  found: readonly bigint[],
  count: (min: bigint, max: bigint) => Promise<number>,
  many = MANY,
): Promise<void> {
  assert.equal(wanted.length, many);
  assert.equal(found.length, many);
  // One at a time: what `deepEqual` says of 100,000 differences takes all of the memory.
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

/** An ID that a number rounds. */
export const ODD = 1585841080431321657n;
assert.notEqual(BigInt(Number(ODD)), ODD);
assert.ok(twitter.isValid(ODD));

/** A refusal in an error of a library, or the error itself. */
export function isRefused(code: string) {
  return (error: unknown): true => {
    let at = error as { readonly cause?: unknown };
    while (!GraupelError.is(at) && at?.cause) at = at.cause as typeof at;
    assert.ok(GraupelError.is(at), String(error));
    assert.equal(at.code, code);
    return true;
  };
}

/** What a query gives. */
export const gives = async (query: { execute(): Promise<unknown> }, wanted: unknown): Promise<void> =>
  assert.deepEqual(await query.execute(), wanted);

/** Calls, or queries, of which nothing is sent. */
export async function refuses(
  code: string,
  ...all: readonly ((() => unknown) | { execute(): Promise<unknown> })[]
): Promise<void> {
  for (const one of all) {
    const call = async () => (typeof one === "function" ? one() : one.execute());
    await assert.rejects(call, isRefused(code), `${one}`);
  }
}

/** What is no ID of `orders` or `twitter`, neither as BigInts nor as texts, and the code of its refusal. */
export const NO_IDS: readonly (readonly [given: unknown, code: string])[] = [
  [5, "TYPE"],
  [Number(ODD), "TYPE"],
  [-1n, "RANGE"],
  [1n << 63n, "OVERFLOW"],
  ["01", "NOT_CANONICAL"],
];

/** The error of a statement has BigInts, which become JSON by a replacer. `parameters`: of its JSON, those of the statement. */
export async function hasBigInts(
  statement: () => Promise<unknown>,
  parameters: (json: { parameters: unknown[]; parent: { parameters: unknown[] } }) => unknown[],
  id: bigint,
): Promise<void> {
  const error: unknown = await statement().catch((error) => error);
  assert.throws(() => JSON.stringify(error), /BigInt/);
  const json = JSON.stringify(error, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  assert.equal(parameters(JSON.parse(json))[0], `${id}`);
}
