/**
 * The etcd store on an in-memory gateway: its clock, late writes and errors. For real servers, see
 * tests/leases.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { etcd } from "../../../js/lease/stores/etcd.ts";
import type { AcquireRequest, Grant } from "../../../js/lease/types.ts";
import { request } from "./scripted-leases.ts";

interface Body {
  readonly key: string;
  readonly range_end?: string;
  readonly compare: readonly { readonly key: string; readonly mod_revision: number | string }[];
  readonly success: readonly { readonly request_put: { readonly key: string; readonly value: string } }[];
}

type Fetch = (url: string, init: { readonly body: string }) => Promise<Response>;

const bytes = (base64: string) => Buffer.from(base64, "base64");

/** An in-memory etcd gateway with the features that the store uses. */
class Gateway {
  readonly kept = new Map<string, { readonly value: string; readonly mod_revision: string }>();
  /** Unix milliseconds. */
  now = Date.now();
  #revision = 1;

  /** The response to a range or a transaction. */
  #answer(path: string, { key, range_end: end, compare, success }: Body): object {
    if (path.endsWith("/range")) {
      const isIn = (it: string) =>
        end === undefined
          ? it === key
          : Buffer.compare(bytes(it), bytes(key)) >= 0 && Buffer.compare(bytes(it), bytes(end)) < 0;
      const kvs = [...this.kept].filter(([it]) => isIn(it)).map(([key, rest]) => ({ key, ...rest }));
      return kvs.length > 0 ? { kvs, count: String(kvs.length) } : {};
    }
    if (compare.some((it) => (this.kept.get(it.key)?.mod_revision ?? "0") !== String(it.mod_revision))) {
      return {};
    }
    const mod_revision = String(++this.#revision);
    for (const { request_put: put } of success) this.kept.set(put.key, { value: put.value, mod_revision });
    return { succeeded: true };
  }

  readonly fetch: Fetch = async (url, { body }) => {
    const answer = this.#answer(new URL(url).pathname, JSON.parse(body));
    return new Response(JSON.stringify(answer), { headers: { date: new Date(this.now).toUTCString() } });
  };
}

const storeOf = (fetch: Fetch) => etcd({ url: "http://127.0.0.1:2379/", fetch: fetch as never });

/** A gateway, its store, and a function that acquires a number. */
function begin() {
  const gateway = new Gateway();
  const store = storeOf(gateway.fetch);
  const take = (more: Partial<AcquireRequest>) => store.acquire({ ...request, ...more }) as Promise<Grant>;
  return { gateway, store, take };
}

/** A store whose first write goes through `late` before it arrives. */
function lateStore({ fetch }: Gateway, late: (arrive: () => Promise<Response>) => Promise<unknown>) {
  let isLate = false;
  return storeOf(async (url, init) => {
    if (isLate || !url.endsWith("/txn")) return fetch(url, init);
    isLate = true;
    await late(() => fetch(url, init));
    return fetch(url, init);
  });
}

test("now is the last millisecond of the second that the gateway tells", async () => {
  const { gateway, take } = begin();
  gateway.now = 1_800_000_000_123;
  const now = 1_800_000_000_999;
  const grant = { number: 0, from: now + 1000, until: now + 1000, now, quarantineMs: 1000 };
  assert.deepEqual(await take({}), grant);
});

test("a claimant that asks again, before it has an answer, gets one number", async () => {
  const { store, take } = begin();
  const twice = Array.from({ length: 40 }, (_, i) => take({ last: 31, token: String(i >> 1) }));
  const numbers = (await Promise.all(twice)).map(({ number }) => number);
  assert.equal(new Set(numbers).size, 20, String(numbers));
  assert.ok(numbers.every((number, i) => number >= 0 && number === numbers[i - (i % 2)]));
  assert.equal((await store.list?.("orders"))?.length, 20);
});

test("a namespace whose name begins with that of another one is none of its numbers", async () => {
  const { store, take } = begin();
  for (const namespace of ["orders", "orders/old", "orders:1", "orders.1", "orders-1", "order"]) {
    await take({ namespace, label: `of ${namespace}, ä` });
  }
  const held = (await store.list?.("orders"))?.map(({ number, label }) => [number, label]);
  assert.deepEqual(held, [[0, "of orders, ä"]]);
});

for (const [what, isOld] of [
  ["a namespace is not older than its record, however late the write that makes it comes", false],
  ["an acquisition that comes late takes nothing of a namespace that was deleted and made anew", true],
] as const) {
  test(what, async () => {
    const { gateway, take } = begin();
    if (isOld) await take({ token: "earlier" });
    const late = lateStore(gateway, async () => {
      gateway.kept.clear();
      gateway.now += 60_000;
      if (isOld) await take({ token: "second" });
    });
    const { from } = (await late.acquire(request)) as Grant;
    assert.ok(from >= gateway.now + request.quarantineMs, `from ${from}, now ${gateway.now}`);
  });
}

test("an acquisition that comes late changes nothing", async () => {
  const { gateway, store, take } = begin();
  await take({ token: "earlier" });
  let late: unknown;
  const slow = lateStore(gateway, async (arrive) => {
    // The same acquisition is made a second time before the first arrives.
    await take({});
    late = await (await arrive()).json();
    throw new Error("cut off");
  });
  await assert.rejects(async () => slow.acquire(request), /cut off/);
  assert.deepEqual(late, {});
  assert.equal((await store.list?.("orders"))?.filter(({ held }) => held).length, 2);
});

for (const [what, answer, message] of [
  ["no Date", () => new Response("{}"), /answers 200, Date null/],
  [
    "an error",
    () => new Response("no leader", { status: 503, headers: { date: new Date().toUTCString() } }),
    /answers 503, .*: no leader/,
  ],
] as const) {
  test(`refused by each call: an answer with ${what}`, async () => {
    const store = storeOf(async () => answer());
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
  const store = storeOf(async () => {
    requests++;
    return new Response("{}", { headers: { date: new Date().toUTCString() } });
  });
  await assert.rejects(async () => store.acquire(request), /accepts no write/);
  assert.ok(requests > 20 && requests < 1000, `${requests} requests`);
});
