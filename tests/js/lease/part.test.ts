/**
 * A store within a part of another namespace: which numbers it grants, for which time, and what
 * happens when the part changes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { twitter } from "graupel";
import { type Part, part } from "../../../js/lease/part.ts";
import type { LeaseStore } from "../../../js/lease/types.ts";
import { ScriptedLeases, START, TIMES } from "./scripted-leases.ts";

const HOUR = 3_600_000;
const { ttlMs } = TIMES;

/** A part of four numbers for an hour, which a test can change. */
function staged(first: Partial<Part> = {}) {
  const scripted = new ScriptedLeases();
  const now: { part: Part } = { part: { number: 96, count: 4, from: START, until: START + HOUR, ...first } };
  const inner = scripted.memory();
  const store = part(inner, () => now.part);
  const lease = (more = {}) => scripted.granted(store, { format: twitter, ...more });
  const refused = (code: string, more = {}) =>
    scripted.refused(store, { format: twitter, ...more }, { code });
  /** Changes the part and lets the leases notice it. */
  const change = (more: Partial<Part>) => {
    now.part = { ...now.part, ...more };
    return scripted.pass(ttlMs);
  };
  return { scripted, inner, store, lease, refused, change };
}

test("it hands out the part's numbers, and no others", async () => {
  const { lease, refused } = staged();
  const numbers: unknown[] = [];
  for (let i = 0; i < 4; i++) numbers.push((await lease()).status.number);
  assert.deepEqual(numbers.sort(), [96, 97, 98, 99]);
  await refused("LEASE_FULL", { maxWaitMs: 500 });
});

test("`fixed` restricts further; what leads out of the part, or the format has not, is refused", async () => {
  const { lease, refused } = staged();
  const { status } = await lease({ fixed: { datacenterId: 3, workerId: 2 } });
  assert.deepEqual(status.fields, { datacenterId: 3, workerId: 2 });
  await refused("CONFLICT", { fixed: { datacenterId: 2 } });
  await refused("CONFLICT", { fixed: { workerId: 4 } });
  await staged({ number: 1024, count: 1024 }).refused("CONFLICT");
});

test("nothing is granted before the part begins, and a part that is over is none", async () => {
  const { scripted, lease } = staged({ from: START + 2500 });
  const { status } = await lease();
  assert.equal(status.from, START + 2500);
  assert.ok(scripted.now() >= START + 2500, "the wait for it is part of the first wait");
  await staged({ from: START - HOUR, until: START }).refused("LEASE_LOST");
});

test("nothing is granted after it ends, until it is extended", async () => {
  const until = START + 3 * ttlMs;
  const { scripted, lease, change } = staged({ until });
  const worker = await lease();
  const ids = twitter.generator({ lease: worker, clock: scripted.wall, maxWaitMs: 0 });
  await scripted.pass(until - scripted.now() - 1);
  assert.equal(worker.status.until, until);
  assert.equal(twitter.inspect(ids.next()).timestamp, until - 1);
  await scripted.pass(1);
  assert.throws(() => ids.next(), { code: "OUTSIDE_INTERVAL" });
  assert.equal(worker.status.state, "expired");
  await scripted.pass(ttlMs);
  await change({ until: START + HOUR });
  assert.equal(worker.status.state, "held");
  assert.equal(twitter.inspect(ids.next()).workerId, 0);
});

test("another part: its numbers are taken instead", async () => {
  const { lease, change } = staged();
  const worker = await lease();
  assert.equal(worker.status.number, 96);
  await change({ number: 200 });
  assert.deepEqual([worker.status.number, worker.status.losses], [200, 1]);
});

test("a part of later times with the same numbers, all of which are held: they are held again at once", async () => {
  const { scripted, inner, lease, change } = staged({ until: START + 2 * ttlMs });
  const workers = [await lease(), await lease(), await lease(), await lease()];
  await change({ from: scripted.now() + 1, until: START + HOUR });
  assert.deepEqual(workers.map(({ status }) => status.number).sort(), [96, 97, 98, 99]);
  assert.ok(workers.every(({ status }) => (status.from ?? 0) > START));
  // The old numbers are no longer held.
  await change({ number: 200 });
  assert.deepEqual((await scripted.heldIn(inner)).sort(), [200, 201, 202, 203]);
});

test("between two parts nothing is issued: it is somebody else's time", async () => {
  const until = START + 4 * ttlMs;
  const { scripted, lease, change } = staged({ until });
  const worker = await lease();
  const ids = twitter.generator({ lease: worker, clock: scripted.wall, maxWaitMs: 0 });
  ids.next();
  const from = until + HOUR;
  await change({ from, until: until + 2 * HOUR });
  // The process's clock moves to the time between the parts.
  scripted.skew = until - scripted.now();
  assert.throws(() => ids.next(), { name: "GraupelError", message: /\[(LEASE_LOST|OUTSIDE_INTERVAL)\]$/ });
  assert.notEqual(worker.status.state, "held");
  assert.ok((worker.status.from ?? from) >= from);
  scripted.skew = 0;
  await scripted.pass(from - scripted.now() + ttlMs);
  assert.ok(twitter.inspect(ids.next()).timestamp >= from);
});

test("what is no part is refused, in words", async () => {
  const sound = { number: 8, count: 4, from: START, until: START + 1 };
  for (const change of [
    ...[{ number: 6 }, { number: -4 }, { count: 3 }, { count: 0 }, { count: 0.5 }],
    ...[{ from: START + 2 }, { until: "tomorrow" }, { until: Number.POSITIVE_INFINITY }],
    ...[undefined, null, {}],
  ]) {
    const given = change && Object.keys(change).length > 0 ? { ...sound, ...change } : change;
    const store = part(new ScriptedLeases().memory(), () => given as Part);
    const request = { namespace: "parts", number: 8, ttlMs: 1000, token: "a", nextToken: "b" };
    await assert.rejects(store.renew(request), { code: "TYPE" }, JSON.stringify(given));
  }
});

test("all else is the inner store's, also of one that has to ask first", async () => {
  const { inner, store, lease } = staged();
  const worker = await lease();
  assert.deepEqual(await store.list?.("stage"), await inner.list?.("stage"));
  const properties = ({ durable, ttlMs, apartMs }: LeaseStore) => [durable, ttlMs, apartMs];
  assert.deepEqual(properties(store), [true, undefined, undefined]);
  assert.equal(store.onRevoke, undefined);
  await worker.release();
  assert.ok(!(await inner.list?.("stage"))?.some(({ held }) => held));
  const asking: Record<string, unknown> = { ...inner, durable: false };
  asking.ready = async () => Object.assign(asking, { durable: true, ttlMs: 700, apartMs: 9 });
  const asked = part(asking as unknown as LeaseStore, () => ({ number: 8, count: 8, from: 0, until: 1 }));
  assert.deepEqual(properties(asked), [false, undefined, undefined]);
  await asked.ready?.();
  assert.deepEqual(properties(asked), [true, 700, 9]);
});
