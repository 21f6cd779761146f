/** What the tests of adapters share: 100,000 IDs of busy ticks, and how they are counted by time. */
import assert from "node:assert/strict";
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

/** The most rows of one statement: PostgreSQL takes 65,535 parameters. */
const CHUNK = 5000;
export const MANY = 100_000;

/** Calls with rows, some at a time, until there have been `MANY`. */
export async function inChunks(insert: (rows: { note: string }[]) => Promise<unknown>): Promise<void> {
  for (let done = 0; done < MANY; done += CHUNK) {
    await insert(Array.from({ length: CHUNK }, (_, i) => ({ note: `${done + i}` })));
  }
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
