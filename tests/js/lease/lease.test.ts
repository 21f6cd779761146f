/** A lease and its generators: what they make, when they refuse, and what goes back to the store. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  discord,
  mastodon,
  nanoflake,
  sno,
  snowflake,
  snowflakeSI,
  twitter,
  ulidFlake,
  ulidFlakeScalable,
} from "graupel";
import type { LeaseStatus, LeaseStore } from "../../../js/lease/types.ts";
import { registry } from "../support/other-process.ts";
import { START, Stage, TIMES } from "./stage.ts";

const small = snowflake({ epoch: START - 7, tickMs: 1, fields: { time: 41, worker: 1, sequence: 8 } });

/** A generator that never waits. */
const options = (stage: Stage) =>
  ({ clock: stage.wall, maxWaitMs: 0, sequenceFull: "borrow", maxAheadMs: 50 }) as const;

/** A signal, and how many listeners were added to it. */
function listened(controller: AbortController) {
  const { signal } = controller;
  let added = 0;
  signal.addEventListener = (...given: Parameters<AbortSignal["addEventListener"]>) => {
    added += 1;
    EventTarget.prototype.addEventListener.apply(signal, given);
  };
  return { signal, added: () => added, abort: (reason: Error) => controller.abort(reason) };
}

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
      const stage = new Stage();
      const store = stage.memory(durable);
      const seen = new Set<unknown>();
      const numbers = new Set<unknown>();
      for (let i = 0; i < 2; i++) {
        const lease = await stage.granted(store, { format });
        const { number, fields, from, until } = lease.status;
        assert.equal(lease.status.state, "held");
        numbers.add(number);
        const ids = format.generator({ lease, ...options(stage) } as never);
        for (const id of [ids.next(), ...ids.nextMany(20)]) {
          const { timestamp, ...inspected } = format.inspect(id as never) as { timestamp: number };
          assert.ok(!seen.has(id), `${id} again`);
          seen.add(id);
          assert.ok(timestamp >= (from as number) && timestamp < (until as number), "in its interval");
          for (const [field, value] of Object.entries(fields ?? {})) {
            assert.equal((inspected as Record<string, unknown>)[field], value, field);
          }
        }
        await stage.settle(lease.release());
        await stage.pass(20);
      }
      // The number that is free for the longest time comes first.
      assert.equal(numbers.size, /mastodon|keeping|ulidFlake$/.test(name) ? 1 : 2);
    });
  }
}

test("a store that has to ask for its own properties is asked before they are read", async () => {
  const stage = new Stage();
  const asked: unknown[] = [];
  const { signal } = new AbortController();
  const inner = stage.memory();
  const store: LeaseStore = {
    ...inner,
    acquire(request) {
      asked.push(request.ttlMs, request.quarantineMs);
      return inner.acquire(request);
    },
    async ready(options) {
      asked.push(options?.maxWaitMs, options?.signal);
      Object.assign(this, { ttlMs: 700, apartMs: 50 });
    },
  };
  const times = { ttlMs: undefined, quarantineMs: undefined, maxWaitMs: 2000 };
  await stage.granted(store, { format: small, ...times, signal });
  assert.deepEqual(asked, [2000, signal, 700, 750]);
  const failing: LeaseStore = { ...store, ready: () => Promise.reject(new Error("nobody is there")) };
  await assert.rejects(stage.granted(failing, { format: small }), /nobody is there/);
});

test("outside of the interval nothing is issued, and a renewal goes on", async () => {
  const stage = new Stage();
  let fails = false;
  const store = stage.memory();
  const failing: LeaseStore = {
    ...store,
    renew: (request) => (fails ? Promise.reject(new Error("no network")) : store.renew(request)),
  };
  const changes: LeaseStatus[] = [];
  const lease = await stage.granted(failing, { format: small, onChange: (status) => changes.push(status) });
  const ids = small.generator({ lease, ...options(stage) });
  const first = ids.next();
  fails = true;
  await stage.pass(900);
  assert.equal(lease.status.state, "held");
  assert.ok(ids.next() > first);
  await stage.pass(400);
  assert.equal(lease.status.state, "expired");
  for (const call of [() => ids.next(), () => ids.nextMany(2), () => ids.nextTyped(2)]) {
    assert.throws(call, { code: "OUTSIDE_INTERVAL" });
  }
  assert.equal((lease.status.error as { code: string }).code, "LEASE_STORE");
  const waiting = ids.nextAsync();
  fails = false;
  const id = await stage.settle(waiting);
  assert.ok(id > first);
  assert.equal(lease.status.state, "held");
  assert.equal(lease.status.losses, 0);
  assert.equal(changes.at(-1)?.state, "held");
});

test("a number that is lost is dropped at once, and another one comes", async () => {
  const stage = new Stage();
  const store = stage.memory();
  let steals = false;
  const stolen: LeaseStore = {
    ...store,
    async renew(request) {
      if (!steals) return store.renew(request);
      // Somebody takes it, and holds it.
      await store.release({ ...request, tokens: [request.token], nextFree: stage.now() + 5000 });
      await store.acquire({
        ...request,
        layout: layout(),
        last: 1,
        mask: 1,
        bits: request.number,
        quarantineMs: 1000,
        token: "thief",
        label: "",
      });
      steals = false;
      return store.renew(request);
    },
  };
  const layout = () => `${small.epoch}+1:41,1n,8`;
  const lease = await stage.granted(stolen, { format: small });
  const ids = small.generator({ lease, ...options(stage) });
  const before = small.inspect(ids.next()).worker;
  steals = true;
  await stage.pass(340);
  assert.equal(lease.status.losses, 1);
  assert.equal(small.inspect(await stage.settle(ids.nextAsync())).worker, 1 - (before as number));
});

test("all numbers held: a bounded wait, which says so; then a number that is given back", async () => {
  const stage = new Stage();
  const store = stage.memory();
  const first = await stage.granted(store, { format: small });
  const second = await stage.granted(store, { format: small });
  assert.deepEqual([first.status.number, second.status.number].sort(), [0, 1]);
  await assert.rejects(stage.granted(store, { format: small, maxWaitMs: 2500 }), { code: "LEASE_FULL" });
  const third = stage.granted(store, { format: small });
  const aborted = new AbortController();
  const fourth = stage.granted(store, { format: small, signal: aborted.signal });
  aborted.abort(new Error("enough"));
  await assert.rejects(fourth, { message: "enough" });
  const number = first.status.number;
  await stage.settle(first.release());
  assert.equal((await third).status.number, number);
});

test("many leases that wait with one signal listen to it once, and all end with it", async () => {
  const stage = new Stage();
  const { signal, ...controller } = listened(new AbortController());
  const full = { ...stage.memory(), acquire: async () => ({ retryInMs: 60_000 }) };
  const asked = { namespace: "stage", ...TIMES, format: small, signal, maxWaitMs: 60_000 };
  const waiting = Array.from({ length: 20 }, () =>
    assert.rejects(stage.lease(full, asked), { message: "enough" }),
  );
  await stage.pass(500);
  assert.equal(controller.added(), 1);
  controller.abort(new Error("enough"));
  // At once: no time passes.
  await Promise.all(waiting);
});

test("fixed values restrict the numbers, and options that contradict them are refused", async () => {
  const stage = new Stage();
  const store = stage.memory();
  const lease = await stage.granted(store, { format: twitter, fixed: { workerId: 9 } });
  assert.deepEqual(lease.status.fields, { datacenterId: 0, workerId: 9 });
  const ids = twitter.generator({ lease, workerId: 9, ...options(stage) });
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
  assert.throws(() => ids.at(START), { code: "CONFLICT" });
  assert.throws(() => ids.snapshot(), { code: "CONFLICT" });
  assert.throws(() => discord.generator({ lease }), { code: "CONFLICT" });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const none of [null, 0, "", {}, { status: 1 }, proxy]) {
    assert.throws(() => twitter.generator({ lease: none } as never), { code: "TYPE" });
  }
});

test("a number that is leased cannot be given, and the reverse; leases of two namespaces share nothing", async () => {
  const stage = new Stage();
  // Other tests have leased numbers of `small`.
  const own = snowflake({ epoch: START - 8, fields: { time: 41, worker: 1, sequence: 8 } });
  const [one, other] = [stage.memory(), stage.memory()];
  const first = await stage.granted(one, { format: own });
  const second = await stage.granted(other, { format: own });
  assert.deepEqual([first.status.number, second.status.number], [0, 0]);
  const clock = stage.wall;
  assert.throws(() => own.generator({ worker: 0, clock }).next(), {
    code: "CONFLICT",
    message: /^lease: a lease of this process has this number/,
  });
  const ids = [first, second].map((lease) => own.generator({ lease, ...options(stage) }));
  // Other columns: the same IDs are right.
  assert.equal(ids[0]?.next(), ids[1]?.next());
  await stage.settle(Promise.all([first.release(), second.release()]));
  own.generator({ worker: 0, clock }).next();
  await assert.rejects(stage.granted(one, { format: own, fixed: { worker: 0 } }), { code: "CONFLICT" });
});

test("sno: the partition is leased, and bounds are the generators' own", async () => {
  const stage = new Stage();
  const lease = await stage.granted(stage.memory(), { format: sno });
  const low = sno.generator({ lease, sequenceMax: 9, ...options(stage) });
  const high = sno.generator({ lease, sequenceMin: 10, ...options(stage) });
  const again = sno.generator({ lease, sequenceMin: 10, ...options(stage) });
  const ids = [low.next(3), high.next(), again.next(), again.next(255)];
  assert.equal(new Set(ids.map((id) => sno.inspect(id).sequence)).size, 4);
  assert.ok(ids.every((id) => sno.inspect(id).partition === lease.status.number));
  assert.equal(low.partition, lease.status.number);
  assert.throws(() => sno.generator({ lease, sequenceMin: 5, sequenceMax: 20 }), { code: "CONFLICT" });
  assert.equal(sno.inspect(await stage.settle(high.nextAsync({ metabyte: 7 }))).metabyte, 7);
});

test("a release gives back what was not used, ends its generators, and leaves the registry", async () => {
  const stage = new Stage();
  const store = stage.memory();
  const before = registry()?.states.size ?? 0;
  const lease = await stage.granted(store, { format: small });
  const ids = small.generator({ lease, ...options(stage) });
  await stage.pass(100);
  const { ticks } = small.inspect(ids.nextMany(3)[2] as bigint);
  await stage.settle(lease.release());
  const [record] = (await store.list?.("stage")) ?? [];
  assert.deepEqual([record?.held, record?.mark], [false, small.epoch + ticks + 1]);
  assert.throws(() => ids.next(), { code: "LEASE_RELEASED" });
  await assert.rejects(ids.nextAsync(), { code: "LEASE_RELEASED" });
  assert.equal(lease.status.state, "released");
  assert.equal(registry()?.states.size, before);
  assert.equal(lease.release(), lease.release());
});

test("a callback gives the number back while a batch is made: the batch is refused, and nothing repeats", async () => {
  const stage = new Stage();
  const store = stage.memory();
  const lease = await stage.granted(store, { format: small });
  const ids = small.generator({
    lease,
    ...options(stage),
    maxAheadMs: 100,
    onOverflow: () => lease.invalidate(),
  });
  const before = ids.nextMany(10);
  assert.throws(() => ids.nextMany(3000), { code: "OUTSIDE_INTERVAL" });
  assert.throws(() => ids.next(), { code: "LEASE_LOST" });
  const after = await stage.settle(ids.nextAsync());
  assert.ok(
    after > (before.at(-1) as bigint) ||
      small.inspect(after).worker !== small.inspect(before[0] as bigint).worker,
  );
});

test("another layout in a namespace, and a clock that is far off, are said at once or in the end", async () => {
  const stage = new Stage();
  const store = stage.memory();
  await stage.granted(store, { format: small });
  await assert.rejects(stage.granted(store, { format: twitter }), { code: "LEASE_LAYOUT" });
  stage.skew = 5000;
  await assert.rejects(stage.granted(store, { format: small }), (error: { code: string; value: number }) => {
    assert.equal(error.code, "LEASE_SKEW");
    assert.equal(error.value, -5000);
    return true;
  });
});

test("options of a lease are checked", async () => {
  const stage = new Stage();
  const store = stage.memory();
  const wrong: readonly (readonly [string, object])[] = [
    ["TYPE", { namespace: "" }],
    ["TYPE", { namespace: "a b" }],
    ["TYPE", { namespace: "x".repeat(129) }],
    ["TYPE", { namespace: 5 }],
    ["TYPE", { format: {} }],
    ["TYPE", { format: undefined }],
    ["TYPE", { label: "\n" }],
    ["TYPE", { onChange: 5 }],
    ["TYPE", { signal: {} }],
    ["RANGE", { ttlMs: 99 }],
    ["RANGE", { ttlMs: 2 ** 31 }],
    ["RANGE", { ttlMs: 5000, quarantineMs: 4999 }],
    ["RANGE", { maxWaitMs: -1 }],
    ["UNKNOWN_OPTION", { ttl: 5 }],
    ["UNKNOWN_FIELD", { fixed: { node: 5 } }],
    ["RANGE", { fixed: { worker: 2 } }],
    ["TYPE", { fixed: 5 }],
  ];
  for (const [code, one] of wrong) {
    await assert.rejects(
      stage.granted(store, { format: small, ...one } as never),
      { code },
      JSON.stringify(one),
    );
  }
  for (const none of [undefined, null, {}, { durable: true }, () => {}]) {
    await assert.rejects(stage.granted(none as never, { format: small }), { code: "TYPE" });
  }
  const slow = snowflake({ epoch: 0, tickMs: 1000, fields: { time: 31, sequence: 8 } });
  await assert.rejects(stage.granted(store, { format: slow, ttlMs: 3999, quarantineMs: 5000 }), {
    code: "RANGE",
  });
  const wide = snowflake({ epoch: 0, fields: { time: 31, node: 32, sequence: 1 } });
  await assert.rejects(stage.granted(store, { format: wide }), { code: "RANGE" });
});
