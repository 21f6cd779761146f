/** What errors say: the table in wording.ts, and what holds for every message. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as graupel from "graupel";
import { WORDING } from "./wording.ts";

const { discord, sno, snowflake, twitter } = graupel;

const EPOCH = Date.UTC(2024, 0, 1);

for (const [what, [call, message]] of Object.entries(WORDING)) {
  test(`${what}: in words`, () => {
    const code = what.split(",")[0];
    return assert.rejects(async () => call(), { code, message: `${message} [${code}]` });
  });
}

test("a message escapes what could steer a terminal, turn the text around it, or split a line", () => {
  const codes = [
    ..."\0\x07\x1b\x7f\x80\x9b\x9f\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff",
    "\ud800",
  ];
  for (const code of codes) {
    const hidden = `12${code}`;
    for (const refused of [
      () => discord.parse(hidden),
      () => sno.fromUUID(hidden.padEnd(36)),
      () => sno.generator({ [hidden]: 1 } as never),
      () => snowflake({ epoch: EPOCH, fields: { time: 41, [hidden]: 1, sequence: 1 } }),
      () => discord.compose({ timestamp: hidden } as never),
    ]) {
      assert.throws(refused, ({ message }: Error) => {
        assert.match(message, /^[ -~]+$/, JSON.stringify(code));
        assert.match(message, /12\\u[\da-f{]/);
        return true;
      });
    }
  }
});

test("an error as JSON says what a log wants to know", () => {
  const refusal = (call: () => unknown): graupel.GraupelError => {
    try {
      call();
    } catch (error) {
      assert.ok(graupel.GraupelError.is(error));
      return error;
    }
    return assert.fail("was accepted");
  };
  const json = (error: object) => JSON.parse(JSON.stringify(error));
  const large = refusal(() => twitter.format(1n << 63n));
  const { name, code, field, value, message } = json(large);
  const wanted = ["GraupelError", "OVERFLOW", "id", "9223372036854775808", large.message];
  assert.deepEqual([name, code, field, value, message], wanted);
  const far = refusal(() => twitter.generator({ datacenterId: 32, workerId: 1 }));
  assert.deepEqual(json(far).range, { min: 0, max: 31 });
  assert.equal(json(refusal(() => twitter.parse("01"))).range, undefined);
  assert.equal(json(refusal(() => twitter.format({} as never))).value, "an object");
  // The name is inherited, and a program may give one error another name.
  assert.ok(!Object.hasOwn(far, "name"));
  far.name = "Mine";
  assert.deepEqual([far.name, large.name], ["Mine", "GraupelError"]);
});
