/**
 * The JSON Schema of formats with a validator: it accepts exactly the JSON values that the format
 * accepts.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ajv } from "ajv";
import { default as addFormats } from "ajv-formats";
import fc from "fast-check";
import { jsonSchema } from "graupel/schema";
import { sno } from "graupel/sno";
import { custom, declarations, named, snowflakeSIs } from "../support/layouts.ts";
import { MADE_UP } from "../support/made-up.ts";

/** The tests have their own type for formats. */
const schemaOf = (format: object) =>
  jsonSchema(format as never) as unknown as { type: "string"; pattern: string; maxLength: number };

const ajv = (addFormats as unknown as (ajv: Ajv) => Ajv)(new Ajv());
/** Knows no `format` keywords and throws at anything that it does not know. */
const plain = new Ajv({ strict: true });

/** Texts near the limits of a format, and texts that are almost valid. */
function texts(format: { format(id: never): string; fromBigInt(x: bigint): unknown }, max: bigint): string[] {
  const ids = [0n, 1n, 9n, 10n, 35n, 36n, max, max - 1n, max / 10n, max / 10n - 1n, max / 36n, max / 2n];
  const canonical = ids
    .filter((id) => id >= 0n && id <= max)
    .map((id) => format.format(format.fromBigInt(id) as never));
  const beyond = [max + 1n, max + 2n, max * 2n, max * 10n, max * 40n];
  const others = beyond.flatMap((id) => [id.toString(), id.toString(36), id.toString(16)]);
  const nearly = canonical.flatMap((text) => [
    ...[`0${text}`, ` ${text}`, `${text}\n`, `-${text}`, `${text}0`, `${text.slice(0, -1)}\u0661`],
    ...[text.toUpperCase(), text.toLowerCase(), text.slice(1)],
  ]);
  return [...canonical, ...others, ...nearly, "", "x", "1e3", "0x10", "\ud800", "1".repeat(100_000)];
}

/** Layouts whose largest ID has two digits, and one. */
const few = [
  { time: 3, sequence: 3 },
  { time: 1, sequence: 1 },
].map((fields) => custom({ epoch: 0, tickMs: 1, fields }));
const madeUp = Object.entries(MADE_UP).map(([name, format]) => ({ name, format }));

for (const { name: label, format } of [...named(), ...snowflakeSIs(), ...madeUp, ...few]) {
  describe(label, () => {
    const max = format.toBigInt(format.range().max);

    test("accepts the texts that the format accepts", () => {
      const schema = schemaOf(format.text);
      const accepts = plain.compile(schema);
      assert.equal(schema.type, "string");
      const { length } = format.format(format.range().max);
      assert.equal(schema.maxLength, length);
      const check = (text: string) => {
        assert.equal(accepts(text), format.text.isValid(text), text.slice(0, 40));
      };
      for (const text of texts(format, max)) check(text);
      fc.assert(
        fc.property(fc.bigInt({ min: 0n, max }), (id) => check(format.format(format.fromBigInt(id)))),
      );
      fc.assert(fc.property(fc.bigInt({ min: max - 50n, max: max * 12n }), (id) => check(id.toString())));
      // One character of an ID is replaced with any character that occurs in some format.
      const all = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ";
      const changed = (id: bigint, at: number, other: string) => {
        const text = format.format(format.fromBigInt(id));
        const place = at % text.length;
        check(text.slice(0, place) + other + text.slice(place + 1));
      };
      fc.assert(fc.property(fc.bigInt({ min: 0n, max }), fc.nat(), fc.constantFrom(...all), changed));
    });

    test("accepts other JSON values of the format's type", () => {
      const accepts = ajv.compile(schemaOf(format));
      const numbers = [0, 1, 1.5, -1, 2 ** 53, 2 ** 53 - 1, Number(max), Number(max) + 1];
      for (const value of [...numbers, true, null, [], ["1"], {}])
        assert.equal(accepts(value), format.isValid(value), String(value));
    });
  });
}

test("declared layouts of any width", () => {
  fc.assert(
    fc.property(declarations.map(custom), ({ format: { text: format } }) => {
      const accepts = plain.compile(schemaOf(format));
      for (const text of texts(format, format.toBigInt(format.range().max))) {
        const what = `${JSON.stringify(format.layout)} ${text.slice(0, 40)}`;
        assert.equal(accepts(text), format.isValid(text), what);
      }
    }),
    { numRuns: 60 },
  );
});

test("each call returns a new schema, which a tool may change", () => {
  const schema = jsonSchema(sno);
  schema.pattern = "";
  const own = { type: "string", pattern: "^[2-9a-x]{16}$", minLength: 16, maxLength: 16 };
  assert.deepEqual(jsonSchema(sno), own);
});
