/**
 * Errors from every kind of entry in test runners, loggers and error trackers, which copy errors
 * and write them as JSON or messages.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { GraupelError, snowflake, twitter } from "graupel";
import { pgId } from "graupel/drizzle";
import { decode, encode } from "graupel/encode";
import { lease } from "graupel/lease";
import { redis } from "graupel/lease/redis";
import { prefixed } from "graupel/prefixed";
import * as pure from "graupel/pure";
import { shape } from "graupel/schema";
import { sql } from "graupel/sql";

/** Values that JSON and messages cannot represent. */
const odd: unknown[] = [-(1n << 200n), () => 1, Symbol("x"), new Proxy({}, {}), Object(1n)];
const circle: { self?: unknown } = {};
circle.self = circle;

const store = (reason: unknown) => ({
  acquire: () => Promise.reject(reason),
  renew: assert.fail,
  release: assert.fail,
});
const holding = (reason: unknown) =>
  lease(store(reason) as never, {
    format: twitter,
    namespace: "a",
    ttlMs: 1000,
    quarantineMs: 1000,
    maxWaitMs: 0,
  });

const REFUSALS: Readonly<Record<string, (value: never) => unknown>> = {
  parse: (value) => twitter.parse(value ?? "9999999999999999999"),
  fromBigInt: (value) => twitter.fromBigInt(value),
  compose: (value) => twitter.compose({ timestamp: value, datacenterId: 0, workerId: 0, sequence: 0 }),
  snowflake: (value) => snowflake({ epoch: value, fields: { time: 41, sequence: 12 } }),
  generator: (value) => twitter.generator({ datacenterId: value, workerId: 32 }),
  "an option": (value) => twitter.generator({ datacenterId: 1, workerId: 2, other: value } as never),
  encode: (value) => encode(twitter, value, "hex"),
  decode: (value) => decode(twitter, value, "base62"),
  prefixed: (value) => prefixed(twitter, value),
  "a text behind a prefix": (value) => prefixed(twitter, "a_").parse(value),
  shape: (value) => shape({ id: value }),
  sql: (value) => sql(twitter, value),
  "a column": (value) => pgId(value),
  "a column's ID": (value) => {
    const column = pgId(twitter)() as unknown as {
      config: { customTypeParams: { toDriver(x: unknown): void } };
    };
    column.config.customTypeParams.toDriver(value);
  },
  "a store": (value) => redis(value),
  "a lease": (value) => lease(value, value),
  "a store that fails": (value) => holding(value),
};

async function refusalOf(
  refuse: (value: never) => unknown,
  value: unknown,
): Promise<GraupelError | undefined> {
  try {
    await refuse(value as never);
  } catch (error) {
    // Errors of the library itself do not count.
    if (GraupelError.is(error)) return error;
  }
  return undefined;
}

for (const [name, refuse] of Object.entries(REFUSALS)) {
  test(`${name}: its errors survive a copy, JSON and messages, and keep their value`, async () => {
    let found = 0;
    for (const value of [undefined, 2n, 2n ** 70n, ...odd, circle]) {
      const error = await refusalOf(refuse, value);
      if (error === undefined) continue;
      found++;
      const { code, field, message } = error;
      for (const copy of [
        { ...error },
        Object.fromEntries(Object.entries(error)),
        structuredClone({ ...error }),
      ]) {
        const { code: read } = JSON.parse(JSON.stringify(copy));
        assert.equal(read, code);
      }
      assert.equal(structuredClone(error).message, message);
      const json = JSON.parse(JSON.stringify({ error })).error;
      assert.deepEqual([json.name, json.code, json.field], ["GraupelError", code, field]);
      assert.equal(json.message, message);
      if (error.value === 2n) assert.equal(json.value, "2");
      assert.ok(error instanceof GraupelError);
      assert.ok(inspect(error).includes(message));
      assert.equal(error.constructor.name, "GraupelError");
      assert.ok("value" in error && !Object.keys(error).includes("value"));
    }
    assert.ok(found > 1, "something was refused");
  });
}

test("instanceof knows the errors of every entry and both cores, and nothing else", () => {
  for (const from of [() => pure.twitter.parse("x"), () => encode(twitter, -1n, "hex")])
    assert.throws(from, (error) => error instanceof GraupelError && error instanceof pure.GraupelError);
  for (const other of [undefined, "x", {}, new Error("x"), Object.create(null)])
    assert.ok(!((other as object) instanceof GraupelError));
  class Own extends GraupelError {}
  assert.ok(new Own("TYPE", "own") instanceof Own && new Own("TYPE", "own") instanceof GraupelError);
  assert.ok(!(new GraupelError("TYPE", "other") instanceof Own));
});
