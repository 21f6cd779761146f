/**
 * `parseJson`: an integer becomes text if it may be an ID and a number cannot distinguish it from
 * its neighbours. Everything else is as `JSON.parse` returns it.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseJson as ofDrizzle } from "graupel/drizzle";
import { parseJson } from "graupel/kysely";

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** The return value or the error. */
function answerOf(parse: (text: string) => unknown, text: string): unknown {
  try {
    return { value: parse(text) };
  } catch (error) {
    return { name: (error as Error).name, message: (error as Error).message };
  }
}

/** The integers are known before their JSON is created, so the expected value needs no parser. */
const integers = fc.bigInt({ min: -(1n << 70n), max: 1n << 70n });
/** A tree: its JSON and the expected value. */
const trees = fc.letrec<{ tree: { json: string; read: unknown } }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    integers.map((x) => ({
      json: `${x}`,
      // Neighbours above 2^64 that become the same number also become text.
      read: x > SAFE && Number(x) <= 2 ** 64 ? `${x}` : Number(x),
    })),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => ({
      json: Object.is(x, -0) ? "-0" : x.toExponential(),
      read: x,
    })),
    fc
      .oneof(
        fc.string({ unit: "binary" }),
        integers.map((x) => `"${x}\\`),
        fc.constantFrom("\\", '"', '\\"', "__proto__"),
      )
      .map((x) => ({ json: JSON.stringify(x), read: x })),
    fc.constantFrom(null, true, false).map((x) => ({ json: `${x}`, read: x })),
    fc.array(tie("tree"), { maxLength: 4 }).map((parts) => ({
      json: `[ ${parts.map(({ json }) => json).join(" ,\n")}]`,
      read: parts.map(({ read }) => read),
    })),
    fc
      .uniqueArray(fc.tuple(fc.string(), tie("tree")), { selector: ([key]) => key, maxLength: 4 })
      .map((parts) => ({
        json: `{${parts.map(([key, { json }]) => `${JSON.stringify(key)}:${json}`).join(",")}}`,
        read: Object.fromEntries(parts.map(([key, { read }]) => [key, read])),
      })),
  ),
})).tree;

describe("parseJson", () => {
  test("is the same function in both entries", () => {
    assert.equal(String(ofDrizzle), String(parseJson));
  });

  test("only an integer that is not safe, and that may be an ID, becomes text", () => {
    for (const [json, read] of [
      ["1764076373000000", 1764076373000000],
      ["-1732500000000000", -1732500000000000],
      ["9007199254740991", Number.MAX_SAFE_INTEGER],
      ["-9007199254740991", -Number.MAX_SAFE_INTEGER],
      ["9007199254740992", "9007199254740992"],
      ["-9007199254740993", -9007199254740992],
      ["18446744073709551615", "18446744073709551615"],
      // A double holds it exactly, but columns would reject the number, because it may have been
      // rounded.
      ["1152921504606846976", "1152921504606846976"],
      ["1000000000000000000", "1000000000000000000"],
      // These need more than 64 bits.
      ["18446744073709559999", 18446744073709560000],
      ["100000000000000000000", 1e20],
      ["-0", -0],
      ["1e300", 1e300],
      ["1E+400", Number.POSITIVE_INFINITY],
      ["-12345678901234567890e-1", -1234567890123456800],
      ["12345678901234567890.0", 12345678901234567000],
      ["0.12345678901234567890", 0.12345678901234568],
      ['"1152921504606846977"', "1152921504606846977"],
    ] as const) {
      assert.deepEqual(parseJson(json), read, json);
      assert.deepEqual(
        parseJson(` { "a" : [${json},{"b\\"1":${json}}] } `),
        { a: [read, { 'b"1': read }] },
        json,
      );
    }
  });

  test("random JSON is read as expected", () => {
    fc.assert(fc.property(trees, ({ json, read }) => assert.deepEqual(parseJson(json), read)));
  });

  test("the key __proto__ is an ordinary key", () => {
    const value = parseJson('{"__proto__":{"id":1152921504606846977}}') as object;
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.values(value), [{ id: "1152921504606846977" }]);
  });

  test("invalid JSON throws the error of JSON.parse, also if quotes would repair it", () => {
    const big = "1152921504606846977";
    const around = ["{ID:1}", "0ID", "[0ID]", "--ID", "ID.", "IDe", ".ID", "+ID", "ID ID", '"ID', '"\\ID"'];
    const more = ['"a"ID', "[ID,]", '{"a":ID', "IDn", "", "{", "-", '"\n"', '"\\x1"'];
    const wrong = [...around, ...more].map((text) => text.replaceAll("ID", big));
    for (const text of wrong) {
      const answer = answerOf(JSON.parse, text);
      assert.equal((answer as Error).name, "SyntaxError", text);
      assert.deepEqual(answerOf(parseJson, text), answer, text);
    }
    const near = fc.string({ unit: fc.constantFrom(...'"\\0123.e-{}[],: nu', big), maxLength: 12 });
    fc.assert(
      fc.property(near, (text) => {
        const answer = answerOf(JSON.parse, text) as Partial<Error>;
        if (answer.name !== undefined) assert.deepEqual(answerOf(parseJson, text), answer);
        else parseJson(text);
      }),
    );
  });

  // Each of these took minutes or the whole stack when one regular expression matched strings.
  test("reads megabytes of any kind", () => {
    const n = 1_000_000;
    const digits = "1".repeat(n);
    const texts = ['"', "\\", "-", "[", "1e"].map((part) => part.repeat(n + 1));
    for (const text of [...texts, `"${'\\"'.repeat(n)}`]) {
      assert.throws(() => parseJson(text), SyntaxError);
    }
    const escapes = `${'"'.repeat(n)}\\`;
    const text = JSON.stringify({ escapes, id: 1 }).replace(/1}$/, "1152921504606846977}");
    assert.deepEqual(parseJson(text), { escapes, id: "1152921504606846977" });
    assert.equal(parseJson(digits), Number.POSITIVE_INFINITY);
    assert.equal(parseJson(`${digits}.5`), Number.POSITIVE_INFINITY);
    assert.equal(parseJson(`0.${digits}`), 1 / 9);
    const many = `[${`${digits.slice(0, 20)},`.repeat(n / 20)}1]`;
    assert.equal((parseJson(many) as unknown[]).length, n / 20 + 1);
  });
});
