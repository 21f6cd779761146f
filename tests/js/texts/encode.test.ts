/** IDs in other alphabets: widths, order, round trips, agreement with other ways to write an integer, and refusals. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { decode, type Encoding, encode } from "graupel/encode";
import { sno } from "graupel/sno";
import { discord, snowflake, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { ulidFlake } from "graupel/ulid-flake";
import { named } from "../support/layouts.ts";

const ENCODINGS = ["base62", "base58", "crockford32", "hex"] as const;

/** An integer, digit by digit. */
function written(integer: bigint, alphabet: string, width: number): string {
  const base = BigInt(alphabet.length);
  return Array.from(
    { length: width },
    (_, i) => alphabet[Number((integer / base ** BigInt(width - 1 - i)) % base)],
  ).join("");
}

/** The alphabets as their specifications have them, by ranges of ASCII without what each leaves out. */
const ascii = (from: string, to: string, without = "") =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, i) =>
    String.fromCharCode(from.charCodeAt(0) + i),
  )
    .filter((one) => !without.includes(one))
    .join("");
const ALPHABETS: Readonly<Record<Encoding, string>> = {
  base62: ascii("0", "9") + ascii("A", "Z") + ascii("a", "z"),
  base58: ascii("1", "9") + ascii("A", "Z", "IO") + ascii("a", "z", "l"),
  crockford32: ascii("0", "9") + ascii("A", "Z", "ILOU"),
  hex: ascii("0", "9") + ascii("a", "f"),
};

/** Characters for each width in bits. */
const WIDTHS: Readonly<Record<Encoding, Readonly<Record<number, number>>>> = {
  base62: { 53: 9, 63: 11, 64: 11, 80: 14 },
  base58: { 53: 10, 63: 11, 64: 11, 80: 14 },
  crockford32: { 53: 11, 63: 13, 64: 13, 80: 16 },
  hex: { 53: 14, 63: 16, 64: 16, 80: 20 },
};

for (const { name: label, format } of named()) {
  describe(label, () => {
    const low = format.toBigInt(format.range().min);
    const high = format.toBigInt(format.range().max);
    const bits = high.toString(2).length;
    const integers = fc.bigInt({ min: low, max: high });

    for (const encoding of ENCODINGS) {
      const alphabet = ALPHABETS[encoding];
      const width = WIDTHS[encoding][bits] as number;

      test(`${encoding}: ${width} characters, which sort and read as the IDs do`, () => {
        assert.equal(alphabet.length, { base62: 62, base58: 58, crockford32: 32, hex: 16 }[encoding]);
        const check = (a: bigint, b: bigint) => {
          const [one, other] = [a, b].map((integer) => {
            const id = format.fromBigInt(integer);
            const text = encode(format, id, encoding);
            assert.equal(text, written(integer, alphabet, width));
            assert.equal(encode(format, format.format(id), encoding), text);
            assert.equal(decode(format, text, encoding), id);
            assert.equal(decode(format.text, text, encoding), format.format(id));
            return text;
          }) as [string, string];
          assert.equal(one < other, a < b);
        };
        fc.assert(fc.property(integers, integers, check));
        fc.assert(fc.property(integers, (a) => check(a, a < high ? a + 1n : a)));
        check(low, high);
      });

      test(`${encoding}: no other text is taken`, () => {
        const text = encode(format, format.range().max, encoding);
        const shorter = text.slice(1);
        for (const bad of ["", shorter, `${text}0`, ` ${shorter}`, `${shorter} `, `${shorter}\n`]) {
          assert.throws(() => decode(format, bad, encoding), {
            name: "GraupelError",
            field: "text",
            value: bad,
          });
        }
        for (const bad of ["-", "é", "\u0000", "\ud800"]) {
          assert.throws(() => decode(format, bad + shorter, encoding), { code: "CHARACTER" });
        }
        const next = written(high + 1n, alphabet, width);
        if (next > text) assert.throws(() => decode(format, next, encoding), { name: "GraupelError" });
        const top = alphabet.at(-1)?.repeat(width) ?? "";
        if (top > text) assert.throws(() => decode(format, top, encoding), { name: "GraupelError" });
        // What is alike for people is another text here.
        const swapped = text.toLowerCase() === text ? text.toUpperCase() : text.toLowerCase();
        if (encoding === "crockford32" || encoding === "hex") {
          if (swapped !== text) assert.throws(() => decode(format, swapped, encoding), { code: "CHARACTER" });
        }
      });
    }
  });
}

describe("encode", () => {
  test("widths that the documentation states", () => {
    for (const [format, widths] of [
      [twitter, [11, 11, 13, 16]],
      [discord, [11, 11, 13, 16]],
      [sno, [14, 14, 16, 20]],
      [ulidFlake, [11, 11, 13, 16]],
      [snowflakeSI({ epoch: Date.UTC(2024, 0, 1) }), [9, 10, 11, 14]],
    ] as const) {
      const found = ENCODINGS.map((encoding) => encode(format, format.range().min, encoding).length);
      assert.deepEqual(found, widths);
    }
  });

  test("hexadecimal texts are the bytes, also of a narrow layout", () => {
    const narrow = snowflake({ epoch: 0, fields: { time: 30, node: 1, sequence: 5 } });
    for (const [format, id] of [
      [narrow, narrow.range().max],
      [narrow, 7n],
      [sno, "brpk4q72xwf2m63l"],
      [twitter, 1585841080431321088n],
    ] as const) {
      const digits = Buffer.from(format.toBytes(id as never)).toString("hex");
      assert.equal(encode(format, id, "hex"), digits);
      assert.equal(decode(format, digits, "hex"), id);
    }
    assert.throws(() => decode(narrow, "0000000000000001".slice(1), "hex"), { code: "LENGTH" });
    assert.throws(() => decode(narrow, "1000000000000000", "hex"), { code: "OVERFLOW" });
    assert.equal(encode(narrow, narrow.range().max, "base62").length, 7);
  });

  test("look-alikes of Crockford's alphabet, which his decoders take, are refused", () => {
    const text = encode(twitter, 1n, "crockford32");
    for (const alike of ["O", "o", "I", "i", "L", "l", "U", "-"]) {
      assert.throws(() => decode(twitter, text.slice(0, -1) + alike, "crockford32"), { code: "CHARACTER" });
    }
  });

  test("refusals say what is expected", () => {
    assert.throws(() => decode(twitter, "1", "base62"), {
      code: "LENGTH",
      message: "text: expected 11 characters of base62, got 1 [LENGTH]",
    });
    assert.throws(() => decode(twitter, "zzzzzzzzzzz", "base62"), { code: "OVERFLOW" });
    for (const bad of [undefined, null, 1, 1n, {}, ["1t9ATWyqQwi"], new String("1t9ATWyqQwi")]) {
      assert.throws(() => decode(twitter, bad as never, "base62"), { code: "TYPE", field: "text" });
    }
    for (const bad of [undefined, "base64", "BASE62", "toString", "__proto__", 62, ["base62"]]) {
      assert.throws(() => encode(twitter, 1n, bad as never), {
        code: "TYPE",
        message: /^encoding: expected one of base62, base58, crockford32, hex, got .+ \[TYPE\]$/,
      });
    }
    assert.throws(() => encode({} as never, 1n, "hex"), { code: "TYPE", field: "format" });
    assert.throws(() => encode(twitter, -1n, "hex"), { name: "GraupelError" });
    assert.throws(() => encode(twitter, 2 ** 53, "hex"), { code: "TYPE" });
    // The length is looked at first.
    assert.throws(() => decode(twitter, "z".repeat(100_000_000), "base62"), { code: "LENGTH" });
  });
});
