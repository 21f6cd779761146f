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

/** What an adapter's test calls. `source`: that of the column. */
export interface Verbs {
  readonly source: { made: bigint[] };
  insert(rows: { note: string }[]): Promise<unknown>;
  /** All rows, by their IDs. */
  all(): Promise<readonly { readonly id: bigint }[]>;
  count(min: bigint, max: bigint): Promise<number>;
}

/** The most rows of one statement: PostgreSQL takes 65,535 parameters. */
const CHUNK = 5000;

/** The story of a busy table. `opened`: once the database is there. */
export function holdsMany(opened: () => Verbs | Promise<Verbs>): void {
  test("100,000 rows by default come back whole, and ranges count them", async () => {
    const { source, insert, all, count } = await opened();
    source.made.length = 0;
    for (let done = 0; done < MANY; done += CHUNK) {
      await insert(Array.from({ length: CHUNK }, (_, i) => ({ note: `${done + i}` })));
    }
    const found = (await all()).map(({ id }) => id);
    await agree(source.made, found, count);
  });
}

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
