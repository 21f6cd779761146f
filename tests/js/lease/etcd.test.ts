/** The store in etcd on a gateway in memory: its clock, writes that come late, what it refuses. Real ones are in tests/leases. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { etcd } from "../../../js/lease/stores/etcd.ts";
import { Gateway } from "./gateway.ts";

const url = "http://127.0.0.1:2379/";
const request = {
  ...{ namespace: "orders", layout: "a layout", last: 3, mask: 0, bits: 0 },
  ...{ ttlMs: 5000, quarantineMs: 8000, token: "a", label: "a label" },
};

test("now is the last millisecond of the second that the gateway tells", async () => {
  const gateway = new Gateway();
  gateway.now = 1_800_000_000_123;
  const grant = await etcd({ url, fetch: gateway.fetch }).acquire(request);
  const now = 1_800_000_000_999;
  assert.deepEqual(grant, { number: 0, from: now + 8000, until: now + 8000, now, quarantineMs: 8000 });
});

test("claimants that ask at once get different numbers, and the others are told when to come again", async () => {
  const gateway = new Gateway();
  const store = etcd({ url, fetch: gateway.fetch });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, i) => store.acquire({ ...request, token: String(i) })),
  );
  const numbers = answers.flatMap((answer) => ("number" in answer ? [answer.number] : []));
  assert.deepEqual(numbers.sort(), [0, 1, 2, 3]);
  assert.equal(answers.filter((answer) => "retryInMs" in answer).length, 8);
});

test("a claimant that asks again, before it has an answer, gets one number", async () => {
  const gateway = new Gateway();
  const store = etcd({ url, fetch: gateway.fetch });
  const tokens = Array.from({ length: 40 }, (_, i) => String(i >> 1));
  const answers = await Promise.all(tokens.map((token) => store.acquire({ ...request, last: 31, token })));
  const numbers = answers.map((answer) => ("number" in answer ? answer.number : -1));
  assert.ok(
    numbers.every((number, i) => number >= 0 && number === numbers[i - (i % 2)]),
    String(numbers),
  );
  assert.equal((await store.list?.("orders"))?.length, 20);
});

test("a namespace whose name begins with that of another one is none of its numbers", async () => {
  const gateway = new Gateway();
  const store = etcd({ url, fetch: gateway.fetch });
  for (const namespace of ["orders", "orders/old", "orders:1", "orders.1", "orders-1", "order"]) {
    await store.acquire({ ...request, namespace, label: `of ${namespace}, ä` });
  }
  const held = await store.list?.("orders");
  assert.deepEqual(
    held?.map(({ number, label }) => [number, label]),
    [[0, "of orders, ä"]],
  );
});

test("a namespace is not older than its record, however late the write that makes it comes", async () => {
  const gateway = new Gateway();
  let late: (() => void) | undefined;
  const slow = etcd({
    url,
    fetch: (async (address: string, init: never) => {
      if (address.endsWith("/txn") && late === undefined) {
        await new Promise<void>((resolve) => {
          late = resolve;
        });
      }
      return gateway.fetch(address, init);
    }) as unknown as typeof fetch,
  });
  const answer = slow.acquire(request);
  while (late === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Meanwhile others have used the namespace, and somebody has deleted it.
  gateway.now += 60_000;
  late();
  const grant = await answer;
  assert.ok("from" in grant && grant.from >= gateway.now + request.quarantineMs, JSON.stringify(grant));
});

test("an acquisition that comes late takes nothing of a namespace that was deleted and made anew", async () => {
  const gateway = new Gateway();
  const store = etcd({ url, fetch: gateway.fetch });
  await store.acquire({ ...request, token: "first" });
  let isLate = false;
  const slow = etcd({
    url,
    fetch: (async (address: string, init: never) => {
      if (address.endsWith("/txn") && !isLate) {
        isLate = true;
        gateway.kept.clear();
        gateway.now += 60_000;
        await store.acquire({ ...request, token: "second" });
      }
      return gateway.fetch(address, init);
    }) as unknown as typeof fetch,
  });
  const grant = await slow.acquire(request);
  assert.ok("from" in grant && grant.from >= gateway.now + request.quarantineMs, JSON.stringify(grant));
});

test("an acquisition that comes late changes nothing", async () => {
  const gateway = new Gateway();
  const store = etcd({ url, fetch: gateway.fetch });
  await store.acquire({ ...request, token: "first" });
  let late: (() => Promise<unknown>) | undefined;
  const slow = etcd({
    url,
    fetch: (async (address: string, init: never) => {
      if (address.endsWith("/txn")) {
        return new Promise((_, reject) => {
          late = async () => {
            const { succeeded } = await (await gateway.fetch(address, init)).json();
            reject(new Error("cut off"));
            return succeeded;
          };
        });
      }
      return gateway.fetch(address, init);
    }) as unknown as typeof fetch,
  });
  const lost = assert.rejects(slow.acquire(request), /cut off/);
  while (late === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  const again = await store.acquire(request);
  assert.equal(await late(), undefined);
  await lost;
  const held = await store.list?.("orders");
  assert.equal(held?.filter(({ held }) => held).length, 2, JSON.stringify([again, held]));
});

for (const [name, answer, message] of [
  ["no Date", new Response("{}"), /answers 200, Date null/],
  [
    "an error",
    new Response("no leader", { status: 503, headers: { date: new Date().toUTCString() } }),
    /answers 503, .*: no leader/,
  ],
] as const) {
  test(`refused by each call: an answer with ${name}`, async () => {
    const store = etcd({ url, fetch: async () => answer.clone() });
    for (const call of [
      () => store.acquire(request),
      () => store.renew({ ...request, number: 0, nextToken: "b" }),
      () => store.release({ ...request, number: 0, tokens: [], nextFree: 0 }),
      () => store.list?.("orders"),
    ]) {
      await assert.rejects(async () => call(), message);
    }
  });
}

test("what answers each write that it was too late is asked no more in the end", async () => {
  let requests = 0;
  const store = etcd({
    url,
    fetch: async () => {
      requests++;
      return new Response("{}", { headers: { date: new Date().toUTCString() } });
    },
  });
  await assert.rejects(async () => store.acquire(request), /accepts no write/);
  assert.ok(requests > 20 && requests < 1000, `${requests} requests`);
});
