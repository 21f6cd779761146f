/**
 * The Redis store: the clients that it supports and their requests. For the responses of real
 * servers, see tests/leases.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { type RedisEval, redis } from "../../../js/lease/stores/redis.ts";
import type { Grant } from "../../../js/lease/types.ts";

const request = { namespace: "orders", number: 3, ttlMs: 1000, token: "a", nextToken: "b" };
const grant = { number: 3, from: 1, until: 2, now: 1 };

/** A function that runs a script and records its arguments. */
function listener() {
  const calls: unknown[][] = [];
  const run = async (...args: unknown[]) => {
    calls.push(args);
    return JSON.stringify(grant);
  };
  return { calls, run };
}

test("node-redis, ioredis and a function get the same script, keys and request", async () => {
  const seen: unknown[] = [];
  for (const clientOf of [
    (run: unknown) => run,
    (run: unknown) => ({ eval: run, defineCommand() {} }),
    (run: unknown) => ({ eval: run, async evalSha() {} }),
  ]) {
    const { calls, run } = listener();
    assert.deepEqual(await redis(clientOf(run) as RedisEval).renew(request), grant);
    seen.push(calls[0]);
  }
  const [keys, asked] = [["graupel:{orders}"], JSON.stringify({ ...request, durable: false })];
  const [[script] = []] = seen as string[][];
  assert.match(script ?? "", /redis\.call/);
  assert.deepEqual(seen, [
    [script, keys, [asked]],
    [script, 1, ...keys, asked],
    [script, { keys, arguments: [asked] }],
  ]);
});

test("an answer may be text, bytes or parsed; no grant is null, and no records are an empty list", async () => {
  for (const expected of [grant, null]) {
    const json = JSON.stringify(expected);
    // In Jest, `fetch` parses in another realm.
    for (const answer of [json, Buffer.from(json), expected, runInNewContext(`(${json})`)]) {
      assert.deepEqual({ ...(await redis(async () => answer).renew(request)) }, { ...expected });
    }
  }
  for (const [answer, records] of [
    ["{}", []],
    [[grant], [grant]],
  ] as const) {
    assert.deepEqual(await redis(async () => answer).list?.("orders"), records);
  }
});

test("it is forgetful, unless it is said to be durable; and the keys begin as they are told", async () => {
  const { calls, run } = listener();
  const store = redis(run, { durable: true, prefix: "ids/" });
  assert.deepEqual([redis(run).durable, store.durable], [false, true]);
  await store.renew(request);
  const [, keys, [asked]] = calls[0] as [string, string[], [string]];
  assert.deepEqual(keys, ["ids/{orders}"]);
  assert.equal(JSON.parse(asked).durable, true);
});

/** Redis's responses to INFO: with a replica, or with other settings. */
const INFO = "role:master\r\nconnected_slaves:0\r\naof_enabled:1\r\nmaxmemory_policy:noeviction\r\n";
const REPLICA = INFO.replace("slaves:0", "slaves:1");
for (const [what, info, durable, sync, expected] of [
  ["nothing", INFO, false, "no", []],
  ["one server that syncs", INFO, true, "always", []],
  ["a server that says nothing", undefined, true, undefined, undefined],
  ["a replica", REPLICA, false, "always", [/min-replicas-to-write 1/]],
  ["a replica without which nothing is written", `${REPLICA}min_slaves_good_slaves:1\r\n`, false, "no", []],
  ["a replica, and durable", REPLICA, true, "always", [/^durable: .*replica/, /min-replicas/]],
  ["snapshots only", INFO.replace("enabled:1", "enabled:0"), true, undefined, [/appendfsync always/]],
  ["a sync each second", INFO, true, "everysec", [/appendfsync always/]],
  ["no sync", INFO, true, "no", [/appendfsync always/]],
  ["eviction", INFO.replace("noeviction", "allkeys-lru"), false, undefined, [/noeviction/]],
] as const) {
  test(`the status says what Redis cannot promise: ${what}`, async () => {
    const run = async () => JSON.stringify({ ...grant, info });
    const nodeRedis = { eval: run, async evalSha() {} };
    const clients: object[] = [
      { eval: run, defineCommand() {}, config: async () => ["appendfsync", sync] },
      { ...nodeRedis, configGet: async () => ({ appendfsync: sync }) },
    ];
    // Without permission to read the setting, there is no warning about it.
    const forbidden = { ...nodeRedis, configGet: () => Promise.reject(new Error("NOPERM")) };
    if (!/each second|no sync/.test(what)) clients.push(forbidden);
    for (const client of clients) {
      const { warnings, ...rest } = (await redis(client as never, { durable }).acquire({} as never)) as Grant;
      assert.deepEqual(rest, grant);
      assert.equal(warnings?.length, expected?.length);
      for (const [i, words] of (expected ?? []).entries()) assert.match(warnings?.[i] ?? "", words);
    }
  });
}

for (const [what, properties, reason, words] of [
  ["connect() forgotten", { isOpen: false }, "The client is closed", /await client.connect\(\)/],
  ["quit() called", { status: "end" }, "Connection is closed.", /await client.connect\(\)/],
  ["a wrong password", {}, "WRONGPASS invalid username-password pair", /WRONGPASS/],
  ["no password", {}, "NOAUTH Authentication required.", /NOAUTH/],
  ["no permission", {}, "NOPERM this user has no permissions to run the 'eval' command", /NOPERM/],
  ["a replica", {}, "READONLY You can't write against a read only replica.", /READONLY/],
  ["a node of a cluster", {}, "MOVED 3999 127.0.0.1:6381", /MOVED/],
  ["no scripts", {}, "ERR unknown command 'EVAL'", /unknown command/],
] as const) {
  test(`no waiting mends it: ${what}`, async () => {
    const client = { eval: () => Promise.reject(new Error(reason)), async evalSha() {}, ...properties };
    await assert.rejects(redis(client as never).renew(request), { permanent: true, message: words });
  });
}

test("an answer that is no JSON is not asked for again, and a server that is loading is", async () => {
  for (const answer of [undefined, new (class Multi {})(), "OK"]) {
    const store = redis((async () => answer) as RedisEval);
    await assert.rejects(store.renew(request), { permanent: true, message: /not multi\(\)/ });
  }
  const loading = () => Promise.reject(new Error("LOADING Redis is loading the dataset in memory"));
  await assert.rejects(redis(loading).renew(request), { permanent: false, message: /LOADING/ });
});
