/** A store within a part that was granted from above: which numbers it hands out, for which time, and what it does when the part changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError, twitter } from "graupel";
import { type Part, part } from "../../../js/lease/part.ts";
import type { LeaseStore } from "../../../js/lease/types.ts";
import { START, Stage, TIMES } from "./stage.ts";

const HOUR = 3_600_000;
const hasCode = (code: string) => (error: unknown) => GraupelError.is(error) && error.code === code;

/** A part of four numbers for an hour, which can be changed. */
function staged(first: Partial<Part> = {}) {
  const stage = new Stage();
  const now: { part: Part } = { part: { number: 96, count: 4, from: START, until: START + HOUR, ...first } };
  const inner = stage.memory();
  const store = part(inner, () => now.part);
  const lease = (more = {}) => stage.granted(store, { format: twitter, ...more });
  return { stage, now, inner, store, lease };
}

test("it hands out the part's numbers, and no others", async () => {
  const { stage, lease } = staged();
  const numbers: unknown[] = [];
  for (let i = 0; i < 4; i++) numbers.push((await lease()).status.number);
  assert.deepEqual(numbers.sort(), [96, 97, 98, 99]);
  await assert.rejects(lease({ maxWaitMs: 500 }), hasCode("LEASE_FULL"));
  await stage.pass(1);
});

test("`fixed` restricts further; what leads out of the part is refused", async () => {
  const { lease } = staged();
  const { status } = await lease({ fixed: { datacenterId: 3, workerId: 2 } });
  assert.deepEqual(status.fields, { datacenterId: 3, workerId: 2 });
  await assert.rejects(lease({ fixed: { datacenterId: 2 } }), hasCode("CONFLICT"));
  await assert.rejects(lease({ fixed: { workerId: 4 } }), hasCode("CONFLICT"));
});

test("a number that the format has not is refused", async () => {
  await assert.rejects(staged({ number: 1024, count: 1024 }).lease(), hasCode("CONFLICT"));
});

test("nothing is granted before the part begins", async () => {
  const { stage, lease } = staged({ from: START + 2500 });
  const { status } = await lease();
  assert.equal(status.from, START + 2500);
  assert.ok(stage.now() >= START + 2500, "the wait for it is part of the first wait");
});

test("nothing is granted after it ends, until it is extended", async () => {
  const until = START + 3 * TIMES.ttlMs;
  const { stage, now, lease } = staged({ until });
  const worker = await lease();
  const ids = twitter.generator({ lease: worker, clock: stage.wall, maxWaitMs: 0 });
  await stage.pass(until - stage.now() - 1);
  assert.equal(worker.status.until, until);
  assert.equal(twitter.inspect(ids.next()).timestamp, until - 1);
  await stage.pass(TIMES.ttlMs);
  assert.throws(() => ids.next(), hasCode("OUTSIDE_INTERVAL"));
  assert.equal(worker.status.state, "expired");
  now.part = { ...now.part, until: START + HOUR };
  await stage.pass(TIMES.ttlMs);
  assert.equal(worker.status.state, "held");
  assert.equal(twitter.inspect(ids.next()).workerId, 0);
});

test("a lease that has just begun when the part is over waits, and is none", async () => {
  const { lease } = staged({ from: START - HOUR, until: START });
  await assert.rejects(lease(), hasCode("LEASE_LOST"));
});

test("another part: its numbers are taken instead", async () => {
  const { stage, now, lease } = staged();
  const worker = await lease();
  assert.equal(worker.status.number, 96);
  now.part = { ...now.part, number: 200 };
  await stage.pass(TIMES.ttlMs);
  assert.equal(worker.status.number, 200);
  assert.equal(worker.status.losses, 1);
});

test("a part of later times with the same numbers, all of which are held: they are held again at once", async () => {
  const { stage, now, inner, lease } = staged({ until: START + 2 * TIMES.ttlMs });
  const workers = [await lease(), await lease(), await lease(), await lease()];
  now.part = { ...now.part, from: stage.now() + 1, until: START + HOUR };
  await stage.pass(TIMES.ttlMs);
  assert.deepEqual(workers.map(({ status }) => status.number).sort(), [96, 97, 98, 99]);
  assert.ok(workers.every(({ status }) => (status.from ?? 0) > START));
  // And what was held before is not held any more.
  now.part = { ...now.part, number: 200 };
  await stage.pass(TIMES.ttlMs);
  const held = (await inner.list?.("stage"))?.filter((record) => record.held).map(({ number }) => number);
  assert.deepEqual(held?.sort(), [200, 201, 202, 203]);
});

test("what is no part is refused, in words", async () => {
  const sound: Part = { number: 8, count: 4, from: START, until: START + 1 };
  const unsound: unknown[] = [
    undefined,
    null,
    {},
    { ...sound, number: 6 },
    { ...sound, number: -4 },
    { ...sound, count: 3 },
    { ...sound, count: 0 },
    { ...sound, count: 0.5 },
    { ...sound, from: START + 2 },
    { ...sound, until: "tomorrow" },
    { ...sound, until: Number.POSITIVE_INFINITY },
  ];
  for (const one of unsound) {
    const store = part(new Stage().memory(), () => one as Part);
    const request = { namespace: "parts", number: 8, ttlMs: 1000, token: "a", nextToken: "b" };
    await assert.rejects(store.renew(request), hasCode("TYPE"), JSON.stringify(one));
  }
});

test("all else is the inner store's", async () => {
  const { inner, store, lease } = staged();
  const worker = await lease();
  assert.deepEqual(await store.list?.("stage"), await inner.list?.("stage"));
  assert.deepEqual([store.durable, store.ttlMs, store.apartMs], [true, undefined, undefined]);
  assert.equal(store.onRevoke, undefined);
  await worker.release();
  assert.ok(!(await inner.list?.("stage"))?.some(({ held }) => held));
});

test("a store that has to ask first is asked through a part, too", async () => {
  const inner: Record<string, unknown> = { ...new Stage().memory(), durable: false };
  inner.ready = async () => Object.assign(inner, { durable: true, ttlMs: 700, apartMs: 9 });
  const store = part(inner as unknown as LeaseStore, () => ({ number: 8, count: 8, from: 0, until: 1 }));
  assert.deepEqual([store.durable, store.ttlMs, store.apartMs], [false, undefined, undefined]);
  await store.ready?.();
  assert.deepEqual([store.durable, store.ttlMs, store.apartMs], [true, 700, 9]);
});

test("between two parts nothing is issued: it is somebody else's time", async () => {
  const until = START + 4 * TIMES.ttlMs;
  const { stage, now, lease } = staged({ until });
  const worker = await lease();
  const ids = twitter.generator({ lease: worker, clock: stage.wall, maxWaitMs: 0 });
  ids.next();
  const next = { number: 96, count: 4, from: until + HOUR, until: until + 2 * HOUR };
  now.part = next;
  await stage.pass(TIMES.ttlMs);
  // The clock of the process comes to the time between them.
  stage.skew = until - stage.now();
  assert.throws(
    () => ids.next(),
    (error: unknown) => hasCode("LEASE_LOST")(error) || hasCode("OUTSIDE_INTERVAL")(error),
  );
  assert.notEqual(worker.status.state, "held");
  assert.ok((worker.status.from ?? next.from) >= next.from);
  stage.skew = 0;
  await stage.pass(next.from - stage.now() + TIMES.ttlMs);
  assert.ok(twitter.inspect(ids.next()).timestamp >= next.from);
});
