/**
 * A lease and its generators: the IDs they issue, their errors, and what they return to the store.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  discord,
  type GraupelError,
  mastodon,
  nanoflake,
  sno,
  snowflake,
  snowflakeSI,
  twitter,
  ulidFlake,
  ulidFlakeScalable,
} from "graupel";
import { leaseIn } from "../../../js/lease/lease.ts";
import type { Grant, LeaseStatus, LeaseStore } from "../../../js/lease/types.ts";
import { registry } from "../support/other-process.ts";
import { settled } from "../support/scripted-clock.ts";
import { ScriptedLeases, START, TIMES } from "./scripted-leases.ts";

const small = snowflake({ epoch: START - 7, tickMs: 1, fields: { time: 41, worker: 1, sequence: 8 } });

/** Options for a generator that never waits. */
const options = (scripted: ScriptedLeases) =>
  ({ clock: scripted.wall, maxWaitMs: 0, sequenceFull: "borrow", maxAheadMs: 50 }) as const;

const FORMATS = {
  discord,
  mastodon,
  nanoflake: nanoflake({ epoch: 0 }),
  "nanoflake-24": nanoflake({ epoch: START - 5, layout: "reference-24" }),
  "snowflake-si": snowflakeSI({ epoch: Date.UTC(2024, 0, 1) }),
  "snowflake-si, keeping": snowflakeSI({ epoch: Date.UTC(2024, 0, 1), machineBits: 0 }),
  sno,
  twitter,
  ulidFlake,
  ulidFlakeScalable,
  small,
};

for (const [name, format] of Object.entries(FORMATS)) {
  for (const durable of [true, false]) {
    test(`${name}: one number after the other, in ${durable ? "a durable" : "a forgetful"} store`, async () => {
      const scripted = new ScriptedLeases();
      const store = scripted.memory(durable);
      const seen = new Set<unknown>();
      const numbers = new Set<unknown>();
      for (let i = 0; i < 2; i++) {
        const lease = await scripted.granted(store, { format });
        const { number, fields = {}, from = 0, until = 0 } = lease.status;
        assert.equal(lease.status.state, "held");
        numbers.add(number);
        const ids = format.generator({ lease, ...options(scripted) } as never);
        for (const id of [ids.next(), ...ids.nextMany(20)]) {
          const { timestamp, ...rest } = format.inspect(id as never) as { timestamp: number };
          assert.ok(!seen.has(id), `${id} again`);
          seen.add(id);
          assert.ok(timestamp >= from && timestamp < until, "in its interval");
          assert.deepEqual({ ...rest, ...fields }, rest);
        }
        await scripted.settle(lease.release());
        await scripted.pass(20);
      }
      // The store grants the number that has been free longest.
      assert.equal(numbers.size, /mastodon|keeping|ulidFlake$/.test(name) ? 1 : 2);
    });
  }
}

test("a store that has to ask for its own properties is asked before they are read", async () => {
  const scripted = new ScriptedLeases();
  const asked: unknown[] = [];
  const { signal } = new AbortController();
  const inner = scripted.memory();
  const store: LeaseStore = {
    ...inner,
    acquire(request) {
      asked.push(request.ttlMs, request.quarantineMs);
      return inner.acquire(request);
    },
    async ready(given) {
      asked.push(given?.maxWaitMs, given?.signal);
      Object.assign(this, { ttlMs: 700, apartMs: 50 });
    },
  };
  const times = { ttlMs: undefined, quarantineMs: undefined, maxWaitMs: 2000 };
  await scripted.granted(store, { format: small, ...times, signal });
  assert.deepEqual(asked, [2000, signal, 700, 750]);
  const failing = { ...store, ready: () => Promise.reject(new Error("nobody is there")) };
  await scripted.refused(failing, { format: small }, /nobody is there/);
});

test("no ID is issued outside of the interval, and a renewal resumes", async () => {
  const scripted = new ScriptedLeases();
  const { store, fault } = scripted.faulty();
  const changes: LeaseStatus[] = [];
  const lease = await scripted.granted(store, { format: small, onChange: (status) => changes.push(status) });
  const ids = small.generator({ lease, ...options(scripted) });
  const first = ids.next();
  fault.fails = () => Promise.reject(new Error("no network"));
  await scripted.pass(700);
  assert.equal(lease.status.state, "held");
  assert.ok(ids.next() > first);
  await scripted.pass(400);
  assert.equal(lease.status.state, "expired");
  for (const call of [() => ids.next(), () => ids.nextMany(2), () => ids.nextTyped(2)]) {
    assert.throws(call, { code: "OUTSIDE_INTERVAL" });
  }
  assert.equal((lease.status.error as GraupelError).code, "LEASE_STORE");
  const waiting = ids.nextAsync();
  fault.fails = undefined;
  assert.ok((await scripted.settle(waiting)) > first);
  assert.deepEqual([lease.status.state, lease.status.losses, changes.at(-1)?.state], ["held", 0, "held"]);
  await scripted.settle(lease.release());
  assert.equal(changes.at(-1)?.state, "released");
});

test("all numbers held: a bounded wait, which says who holds what; then a number that is given back", async () => {
  const scripted = new ScriptedLeases();
  const store = scripted.memory();
  const first = await scripted.granted(store, { format: small, label: "host-0" });
  const second = await scripted.granted(store, { format: small, label: "host-1" });
  assert.deepEqual([first.status.number, second.status.number], [0, 1]);
  const asked = { format: small, maxWaitMs: 2500 };
  const words = "namespace: no number of stage is free; ";
  const refusal = (held: string) => ({ code: "LEASE_FULL", message: `${words}${held} [LEASE_FULL]` });
  await scripted.refused(store, asked, refusal("2 are held: 0 by host-0, 1 by host-1"));
  // Counts only the requested numbers and works even if the store cannot list them.
  await scripted.refused(store, { ...asked, fixed: { worker: 1 } }, refusal("1 are held: 1 by host-1"));
  const record = (label: string) => ({ number: 1, held: label !== "a", label });
  const listed = { ...store, list: async () => [..."abcdefg"].map(record) } as unknown as LeaseStore;
  const five = ["b", "c", "d", "e", "f"].map((label) => ` 1 by ${label}`);
  await scripted.refused(listed, asked, refusal(`6 are held:${five}`));
  const unlisted = { ...store, list: () => Promise.reject(new Error("no list")) };
  await scripted.refused(unlisted, asked, { code: "LEASE_FULL" });
  const third = scripted.granted(store, { format: small });
  const aborted = new AbortController();
  const fourth = scripted.granted(store, { format: small, signal: aborted.signal });
  aborted.abort(new Error("enough"));
  await assert.rejects(fourth, { message: "enough" });
  await scripted.settle(first.release());
  assert.equal((await third).status.number, 0);
});

test("many leases that wait with one signal listen to it once, and all end with it", async () => {
  const scripted = new ScriptedLeases();
  const controller = new AbortController();
  const { signal } = controller;
  let added = 0;
  signal.addEventListener = (...given: Parameters<AbortSignal["addEventListener"]>) => {
    added += 1;
    EventTarget.prototype.addEventListener.apply(signal, given);
  };
  const full = { ...scripted.memory(), acquire: async () => ({ retryInMs: 60_000 }) };
  const asked = { namespace: "stage", ...TIMES, format: small, signal, maxWaitMs: 60_000 };
  const lease = () => assert.rejects(scripted.lease(full, asked), { message: "enough" });
  const waiting = Array.from({ length: 20 }, lease);
  await scripted.pass(500);
  assert.equal(added, 1);
  controller.abort(new Error("enough"));
  // All settle at once, without any time passing.
  await Promise.all(waiting);
});

test("fixed values restrict the numbers, and options that contradict them are refused", async () => {
  const scripted = new ScriptedLeases();
  const lease = await scripted.granted(scripted.memory(), { format: twitter, fixed: { workerId: 9 } });
  assert.deepEqual(lease.status.fields, { datacenterId: 0, workerId: 9 });
  const ids = twitter.generator({ lease, workerId: 9, ...options(scripted) });
  assert.equal(twitter.inspect(ids.next()).workerId, 9);
  for (const contradiction of [
    { workerId: 8 },
    { datacenterId: 0 },
    { clockBackwards: "wait" },
    { sequenceFull: "throw" },
    { isolated: true },
    { notBefore: START },
    { snapshot: {} },
  ]) {
    assert.throws(() => twitter.generator({ lease, ...contradiction } as never), { code: "CONFLICT" });
  }
  for (const call of [() => ids.at(START), () => ids.snapshot(), () => discord.generator({ lease })]) {
    assert.throws(call, { code: "CONFLICT" });
  }
});

test("a number that is leased cannot be given, and the reverse; leases of two namespaces share nothing", async () => {
  const scripted = new ScriptedLeases();
  // Other tests have leased numbers of `small`.
  const own = snowflake({ epoch: START - 8, fields: { time: 41, worker: 1, sequence: 8 } });
  const store = scripted.memory();
  const first = await scripted.granted(store, { format: own });
  const second = await scripted.granted(scripted.memory(), { format: own });
  assert.deepEqual([first.status.number, second.status.number], [0, 0]);
  const given = () => own.generator({ worker: 0, clock: scripted.wall }).next();
  const conflict = { code: "CONFLICT", message: /^lease: a lease of this process has this number/ };
  assert.throws(given, { ...conflict, field: "lease" });
  const ids = [first, second].map((lease) => own.generator({ lease, ...options(scripted) }));
  // They are for different columns, so equal IDs are correct.
  assert.equal(ids[0]?.next(), ids[1]?.next());
  await scripted.settle(Promise.all([first.release(), second.release()]));
  given();
  await scripted.refused(store, { format: own, fixed: { worker: 0 } }, { code: "CONFLICT" });
});

test("sno: the partition is leased, and bounds are the generators' own", async () => {
  const scripted = new ScriptedLeases();
  const store = scripted.memory();
  const lease = await scripted.granted(store, { format: sno });
  const low = sno.generator({ lease, sequenceMax: 9, ...options(scripted) });
  const high = sno.generator({ lease, sequenceMin: 10, ...options(scripted) });
  const again = sno.generator({ lease, sequenceMin: 10, ...options(scripted) });
  const ids = [low.next(3), high.next(), again.next(), again.next(255)];
  assert.equal(new Set(ids.map((id) => sno.inspect(id).sequence)).size, 4);
  assert.ok(ids.every((id) => sno.inspect(id).partition === lease.status.number));
  assert.equal(low.partition, lease.status.number);
  assert.throws(() => sno.generator({ lease, sequenceMin: 5, sequenceMax: 20 }), { code: "CONFLICT" });
  assert.equal(sno.inspect(await scripted.settle(high.nextAsync({ metabyte: 7 }))).metabyte, 7);
  // The release tells the store the latest time of both.
  await scripted.pass(100);
  const { timestamp } = sno.inspect(low.next());
  await scripted.settle(lease.release());
  assert.equal((await store.list?.("stage"))?.[0]?.mark, timestamp + 4);
});

test("a release gives back what was not used, ends its generators, and leaves the registry", async () => {
  const scripted = new ScriptedLeases();
  const store = scripted.memory();
  const before = registry()?.states.size ?? 0;
  const lease = await scripted.granted(store, { format: small });
  const ids = small.generator({ lease, ...options(scripted) });
  await scripted.pass(100);
  const { ticks } = small.inspect(ids.nextMany(3)[2] as bigint);
  await scripted.settle(lease.release());
  const [record] = (await store.list?.("stage")) ?? [];
  assert.deepEqual([record?.held, record?.mark], [false, small.epoch + ticks + 1]);
  assert.throws(() => ids.next(), { code: "LEASE_RELEASED" });
  await assert.rejects(ids.nextAsync(), { code: "LEASE_RELEASED" });
  const signal = AbortSignal.abort(new Error("aborted before"));
  await assert.rejects(ids.nextAsync({ signal }), { message: "aborted before" });
  assert.equal(lease.status.state, "released");
  assert.equal(registry()?.states.size, before);
  assert.equal(lease.release(), lease.release());
});

test("a callback gives the number back while a batch is made: the batch is refused, and nothing repeats", async () => {
  const scripted = new ScriptedLeases();
  const lease = await scripted.granted(scripted.memory(), { format: small });
  let batches = 0;
  // The first batch calls another one, so that a batch goes on after another one was refused.
  const onOverflow = () => {
    if (batches === 1) isRefused();
    else lease.invalidate();
  };
  const ids = small.generator({ lease, ...options(scripted), maxAheadMs: 100, onOverflow });
  const isRefused = () => {
    batches++;
    assert.throws(() => ids.nextMany(3000), { code: "OUTSIDE_INTERVAL" });
  };
  const [before = 0n] = ids.nextMany(10).slice(-1);
  isRefused();
  assert.throws(() => ids.next(), { code: "LEASE_LOST" });
  const after = await scripted.settle(ids.nextAsync());
  assert.ok(after > before || small.inspect(after).worker !== small.inspect(before).worker);
});

test("another layout in a namespace, and a clock that is far off, are said at once or in the end", async () => {
  const scripted = new ScriptedLeases();
  const store = scripted.memory();
  await scripted.granted(store, { format: small });
  await scripted.refused(store, { format: twitter }, { code: "LEASE_LAYOUT" }, 500);
  scripted.skew = 5000;
  const range = { min: -TIMES.ttlMs / 3, max: TIMES.ttlMs / 3 };
  const words = /reads \S+:10\.\S+, and the store.s \S+:05\./;
  await scripted.refused(
    store,
    { format: small },
    { code: "LEASE_SKEW", value: -5000, range, message: words },
  );
  scripted.skew = -5000;
  const { code, value } = (await scripted.granted(store, { format: small })).status.error as GraupelError;
  assert.ok(code === "LEASE_SKEW" && Number(value) > 4900, `${code} ${value}`);
});

test("a lease warns if another process of the namespace has a longer quarantine", async () => {
  const scripted = new ScriptedLeases();
  const store = scripted.memory();
  const warnings = async (quarantineMs: number) => {
    const lease = await scripted.granted(store, { format: twitter, quarantineMs });
    await scripted.pass(500);
    return lease.status.warnings;
  };
  assert.deepEqual([await warnings(4000), await warnings(4000)], [[], []]);
  const words = "another process of stage has quarantineMs 4000; set the same here";
  assert.deepEqual(await warnings(3000), [words]);
  const { acquire } = store;
  store.acquire = async (request) => ({ ...(await acquire(request)), warnings: ["its own"] }) as Grant;
  assert.deepEqual(await warnings(3000), ["its own", words]);
});

test("two processes that draw equal random bits get different numbers", async () => {
  const scripted = new ScriptedLeases();
  for (const same of [{ wall: () => START + 1200 }, { elapsed: () => 0 }]) {
    const lease = leaseIn({ ...scripted.environment, random: () => "equal", ...same });
    const store = scripted.memory();
    const numberOf = async () => {
      await scripted.pass(10);
      return (await scripted.settle(lease(store, { format: twitter, namespace: "stage", ...TIMES }))).status
        .number;
    };
    assert.notEqual(await numberOf(), await numberOf());
  }
});

test("each renewal has a new token, which a retry sends again, as an acquisition does; only the same grant is an answer", async () => {
  const scripted = new ScriptedLeases();
  const inner = scripted.memory();
  const tokens: string[] = [];
  let wrong: object | undefined = {};
  const renew: LeaseStore["renew"] = async (request) => {
    tokens.push(request.token, request.nextToken);
    return Object.assign((await inner.renew(request)) as object, wrong) as Grant;
  };
  let isLost = true;
  const acquire: LeaseStore["acquire"] = async (request) => {
    const answer = await inner.acquire(request);
    if (!isLost) return answer;
    isLost = false;
    throw new Error("lost");
  };
  const lease = await scripted.granted({ ...inner, acquire, renew }, { format: twitter });
  assert.deepEqual(await scripted.heldIn(inner), [0]);
  // A turn on request replaces the planned one: there are three in each ttl.
  lease.invalidate();
  await scripted.pass(0);
  tokens.length = 0;
  const { number, from = 0, renewals } = lease.status;
  await scripted.pass(1000);
  assert.deepEqual([lease.status.renewals - renewals, tokens.length], [3, 6]);
  assert.deepEqual(
    tokens.slice(2).filter((_, i) => i % 2 === 0),
    tokens.slice(0, -2).filter((_, i) => i % 2),
  );
  assert.equal(new Set(tokens).size, tokens.length / 2 + 1);
  for (wrong of [{ number: 0 }, { from: from + 1 }]) {
    tokens.length = 0;
    await scripted.pass(700);
    assert.deepEqual([lease.status.number, lease.status.from], [number, from]);
    assert.equal((lease.status.error as GraupelError).code, "LEASE_STORE");
    assert.deepEqual([tokens.length > 2, new Set(tokens).size], [true, 2]);
  }
});

test("a number that is granted after invalidate() is given back: a copy may hold it", async () => {
  const scripted = new ScriptedLeases();
  const { acquire, ...others } = scripted.memory();
  const store: { -readonly [K in keyof LeaseStore]: LeaseStore[K] } = { ...others, acquire };
  const lease = await scripted.granted(store, { format: twitter });
  let answer = () => {};
  store.acquire = async (request) => {
    const granted = await acquire(request);
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return granted;
  };
  lease.invalidate();
  await settled();
  assert.deepEqual(await scripted.heldIn(store), [0, 1]);
  lease.invalidate();
  answer();
  await settled();
  assert.equal(lease.status.number, undefined);
  assert.deepEqual(await scripted.heldIn(store), [0]);
  // The same with a release.
  store.acquire = acquire;
  lease.invalidate();
  await scripted.settle(lease.release());
  assert.deepEqual(await scripted.heldIn(store), [0]);
});
