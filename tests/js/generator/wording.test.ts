/** What errors say: for each code one refusal, word for word, in wording.json. Whoever changes a sentence changes it there, too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as graupel from "graupel";
import wording from "./wording.json" with { type: "json" };

const { discord, sno, snowflake, twitter } = graupel;

const EPOCH = Date.UTC(2024, 0, 1);
const worker = { datacenterId: 1, workerId: 2 };
const standing = (options: object) =>
  twitter.generator({ ...worker, isolated: true, clock: () => EPOCH, ...options });

/** A generator of a format with one ID per millisecond, which has issued the one of the clock's millisecond. */
function full(options: object) {
  const generator = snowflake({ epoch: 0, fields: { time: 41, sequence: 1 } }).generator({
    isolated: true,
    clock: () => EPOCH,
    ...options,
  });
  generator.nextMany(2);
  return generator;
}

/** A generator that has issued an ID. */
function used<G extends { next(): unknown }>(generator: G): G {
  generator.next();
  return generator;
}

/** A clock that reads these, the last of them for ever. */
const reading =
  (...readings: number[]) =>
  (): number =>
    (readings.length > 1 ? readings.shift() : readings[0]) as number;

/** A generator whose clock has gone back by a second. */
const back = (options: object) => used(standing({ clock: reading(EPOCH, EPOCH - 1000), ...options }));

/** What the expressions of wording.json may name. */
const SCOPE = { ...graupel, EPOCH, standing, full, back, used, reading };

for (const [what, [refused, message]] of Object.entries(wording)) {
  test(`${what}: in words`, () => {
    const call = new Function(...Object.keys(SCOPE), `return ${refused};`);
    assert.throws(() => call(...Object.values(SCOPE)), { code: what.split(",")[0], message });
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
  assert.equal(json(refusal(() => twitter.format({} as never))).value, "an object");
  // The name is inherited, and a program may give one error another name.
  assert.ok(!Object.hasOwn(far, "name"));
  far.name = "Mine";
  assert.deepEqual([far.name, large.name], ["Mine", "GraupelError"]);
});
