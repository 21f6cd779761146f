/**
 * Checks error messages against the table in wording.ts. (fuzz/input/outcomes.ts checks that every
 * message is ASCII and names its field.)
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as graupel from "graupel";
import { WORDING } from "./wording.ts";

const { twitter } = graupel;

for (const [what, [call, message]] of Object.entries(WORDING)) {
  test(`${what}: in words`, () => {
    const code = what.split(",")[0];
    return assert.rejects(async () => call(), { code, message: `${message} [${code}]` });
  });
}

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
  // The name is inherited, and a program may rename an error.
  assert.ok(!Object.hasOwn(far, "name"));
  far.name = "Mine";
  assert.deepEqual([far.name, large.name], ["Mine", "GraupelError"]);
});
