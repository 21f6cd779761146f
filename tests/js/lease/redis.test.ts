/** The store in Redis: which clients it takes, and what it asks them. What Redis answers is tried on real servers (tests/leases). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError } from "graupel";
import { type RedisEval, redis } from "../../../js/lease/redis.ts";

const request = { namespace: "orders", number: 3, ttlMs: 1000, token: "a", nextToken: "b" };
const grant = { number: 3, from: 1, until: 2, now: 1 };

/** A way to run a script that remembers how it was called. */
function listener(answer = JSON.stringify(grant)) {
  const calls: unknown[][] = [];
  const run = async (...args: unknown[]) => {
    calls.push(args);
    return answer;
  };
  return { calls, run };
}

const KEYS = ["graupel:{orders}", "graupel:{orders}:order"];

test("node-redis, ioredis and a function get the same script, keys and request", async () => {
  const seen: unknown[] = [];
  for (const clientOf of [
    (run: unknown) => run,
    (eval_: unknown) => ({ eval: eval_, defineCommand() {} }),
    (eval_: unknown) => ({ eval: eval_, async evalSha() {} }),
  ]) {
    const { calls, run } = listener();
    assert.deepEqual(await redis(clientOf(run) as RedisEval).renew(request), grant);
    seen.push(calls[0]);
  }
  const asked = JSON.stringify({ ...request, durable: false });
  const [[script] = []] = seen as string[][];
  assert.match(script ?? "", /redis\.call/);
  assert.deepEqual(seen, [
    [script, KEYS, [asked]],
    [script, 2, ...KEYS, asked],
    [script, { keys: KEYS, arguments: [asked] }],
  ]);
});

test("an answer may be bytes, and no grant is null", async () => {
  for (const [text, expected] of [
    [JSON.stringify(grant), grant],
    ["null", null],
  ] as const) {
    const store = redis(async () => Buffer.from(text));
    assert.deepEqual(await store.renew(request), expected);
  }
});

test("no records are an empty list", async () => {
  const store = redis(async () => "{}");
  assert.deepEqual(await store.list?.("orders"), []);
});

test("it is forgetful, unless it is said to be durable; and the keys begin as they are told", async () => {
  const { calls, run } = listener();
  const store = redis(run, { durable: true, prefix: "ids/" });
  assert.deepEqual([redis(run).durable, store.durable], [false, true]);
  await store.renew(request);
  const [, keys, [asked]] = calls[0] as [string, string[], [string]];
  assert.deepEqual(keys, ["ids/{orders}", "ids/{orders}:order"]);
  assert.equal(JSON.parse(asked).durable, true);
});

const eval_ = async () => "null";
for (const [client, options, code, field] of [
  [undefined, {}, "TYPE", "client"],
  [null, {}, "TYPE", "client"],
  ["redis://127.0.0.1", {}, "TYPE", "client"],
  [{}, {}, "TYPE", "client"],
  [{ eval: eval_ }, {}, "TYPE", "client"],
  [{ eval: "no", evalSha: eval_ }, {}, "TYPE", "client"],
  [eval_, { durable: "yes" }, "TYPE", "durable"],
  [eval_, { prefix: 3 }, "TYPE", "prefix"],
  [eval_, { durabel: true }, "UNKNOWN_OPTION", "durabel"],
  [eval_, { toString: 1 }, "UNKNOWN_OPTION", "toString"],
] as const) {
  test(`refused: ${field} ${JSON.stringify(client)} ${JSON.stringify(options)}`, () => {
    assert.throws(
      () => redis(client as never, options as never),
      (error: unknown) => {
        assert.ok(GraupelError.is(error));
        assert.deepEqual([error.code, error.field], [code, field]);
        assert.match(error.message, new RegExp(`\\[${code}\\]$`));
        return true;
      },
    );
  });
}
