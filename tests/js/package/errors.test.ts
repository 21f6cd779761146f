/**
 * Errors in test runners, loggers and error trackers, which copy errors and write them as JSON or
 * messages.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { GraupelError, twitter } from "graupel";
import { encode } from "graupel/encode";
import { lease } from "graupel/lease";
import * as pure from "graupel/pure";
import * as read from "graupel/read";

/** Values that JSON and messages cannot represent. */
const odd: unknown[] = [-(1n << 200n), () => 1, Symbol("x"), new Proxy({}, {}), Object(1n)];
const circle: { self?: unknown } = {};
circle.self = circle;

/** An error of each file with a class of errors, and of a store. */
const REFUSALS: Readonly<Record<string, (value: never) => unknown>> = {
  "a format": (value) => twitter.parse(value ?? "9999999999999999999"),
  "a format of the other core": (value) => pure.twitter.fromBigInt(value),
  "an entry without a core": (value) => encode(twitter, value, "hex"),
  "graupel/read": (value) => read.timestamp(read.twitter, value),
  "a store that fails": (value) => {
    const acquire = () => Promise.reject(value);
    const store = { acquire, renew: assert.fail, release: assert.fail };
    const times = { ttlMs: 1000, quarantineMs: 1000, maxWaitMs: 0 };
    return lease(store as never, { format: twitter, namespace: "a", ...times });
  },
};

for (const [name, refuse] of Object.entries(REFUSALS)) {
  test(`${name}: its errors survive a copy, JSON and messages, and keep their value`, async () => {
    let found = 0;
    for (const value of [undefined, 2n, 2n ** 70n, ...odd, circle]) {
      const error = await Promise.resolve(value as never)
        .then(refuse)
        .then(
          () => undefined,
          (reason: unknown) => reason,
        );
      // A 2n may be an ID.
      if (error === undefined) continue;
      assert.ok(GraupelError.is(error) && error instanceof GraupelError);
      found++;
      const { code, field, message } = error;
      for (const copy of [{ ...error }, structuredClone({ ...error })])
        assert.equal(JSON.parse(JSON.stringify(copy)).code, code);
      assert.equal(structuredClone(error).message, message);
      const json = JSON.parse(JSON.stringify({ error })).error;
      assert.deepEqual([json.name, json.code, json.field], ["GraupelError", code, field]);
      assert.equal(json.message, message);
      if (error.value === 2n) assert.equal(json.value, "2");
      assert.ok(inspect(error).includes(message));
      assert.equal(error.constructor.name, "GraupelError");
      assert.ok("value" in error && !Object.keys(error).includes("value"));
    }
    assert.ok(found > 5, `${found} errors`);
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
