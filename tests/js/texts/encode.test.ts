/** IDs in other alphabets: widths, order, round trips, agreement with other ways to write an integer, and refusals. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import type { AnyFormat } from "graupel";
import { decode, type Encoding, encode } from "graupel/encode";
import {
  base64url,
  crockford32Lenient,
  crockford32Lower,
  shortcode,
  uuidv8,
  zbase32,
} from "graupel/encodings";
import { sno } from "graupel/sno";
import { discord, instagram, mastodon, snowflake, sonyflake, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { ulidFlake } from "graupel/ulid-flake";
import vectors from "../../vectors/encodings.json" with { type: "json" };
import { named } from "../support/layouts.ts";

/** Those whose texts have one width, and sort as the IDs do: the digits of the integer. */
const ENCODINGS = ["base62", "base58", "crockford32", "hex"] as const;
/** Those of the vectors. */
const OF_BYTES = { base64url, zbase32, uuidv8 };

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
        assert.equal(alphabet.length, Number(/\d+/.exec(encoding)?.[0] ?? 16));
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
        if (/crockford|hex/.test(encoding)) {
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
    for (const bad of [
      undefined,
      "base64",
      "BASE62",
      "toString",
      "__proto__",
      62,
      ["base62"],
      { decode() {} },
    ]) {
      assert.throws(() => encode(twitter, 1n, bad as never), {
        code: "TYPE",
        message:
          /^encoding: expected one of graupel\/encodings, or base62, base58, crockford32, hex, got .+ \[TYPE\]$/,
      });
    }
    assert.throws(() => encode({} as never, 1n, "hex"), { code: "TYPE", field: "format" });
    // An encoding checks the format even if it is called directly.
    for (const own of [base64url, shortcode, zbase32, crockford32Lower, crockford32Lenient, uuidv8]) {
      assert.throws(() => own.encode(1 as never, 1n), { code: "TYPE", field: "format" }, own.name);
      assert.throws(() => own.decode(1 as never, "A"), { code: "TYPE", field: "format" }, own.name);
    }
    assert.throws(() => encode(twitter, -1n, "hex"), { name: "GraupelError" });
    assert.throws(() => encode(twitter, 2 ** 53, "hex"), { code: "TYPE" });
    // The length is looked at first.
    assert.throws(() => decode(twitter, "z".repeat(100_000_000), "base62"), { code: "LENGTH" });
  });
});

/** The formats of the vectors, by name. */
const FORMATS: Readonly<Record<string, AnyFormat>> = {
  twitter,
  discord,
  instagram,
  mastodon,
  sonyflake,
  "snowflake-si": snowflakeSI({ epoch: Date.UTC(2024, 0, 1) }),
  "ulid-flake": ulidFlake,
  sno,
};

describe("bytes", () => {
  const { columns, rows } = vectors.written;
  const written = columns.slice(2).map((name) => OF_BYTES[name as "zbase32"]);
  for (const [name, integer, ...texts] of rows as string[][]) {
    test(`${integer} of ${name}, as other programs write it`, () => {
      const format = FORMATS[name as string] as AnyFormat;
      const id = format.fromBigInt(BigInt(integer as string));
      assert.deepEqual(
        written.map((encoding) => encode(format, id, encoding)),
        texts,
      );
      for (const [i, encoding] of written.entries()) {
        assert.equal(decode(format, texts[i] as string, encoding), id);
        assert.equal(decode(format.text, texts[i] as string, encoding), format.format(id));
      }
    });
  }

  for (const { name: label, format } of named()) {
    const high = format.toBigInt(format.range().max);
    const integers = fc.bigInt({ min: 0n, max: high });

    test(`${label}: base64url is what Node makes of the bytes`, () => {
      const check = (integer: bigint) => {
        const id = format.fromBigInt(integer);
        const text = encode(format, id, base64url);
        assert.equal(text, Buffer.from(format.toBytes(id)).toString("base64url"));
        assert.equal(decode(format, text, base64url), id);
      };
      fc.assert(fc.property(integers, check));
      check(high);
    });

    test(`${label}: z-base-32 reads as the ID does`, () => {
      const width = encode(format, format.fromBigInt(0n), zbase32).length;
      const check = (integer: bigint) => {
        const id = format.fromBigInt(integer);
        const text = encode(format, id, zbase32);
        assert.match(text, /^[ybndrfg8ejkmcpqxot1uwisza345h769]+$/);
        assert.equal(text.length, width);
        assert.equal(decode(format, text, zbase32), id);
      };
      fc.assert(fc.property(integers, check));
      check(high);
    });

    test(`${label}: UUIDs of version 8 sort as the IDs do`, () => {
      const check = (a: bigint, b: bigint) => {
        const [one, other] = [a, b].map((integer) => {
          const id = format.fromBigInt(integer);
          const text = encode(format, id, uuidv8);
          assert.match(text, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
          assert.equal(decode(format, text, uuidv8), id);
          return text;
        }) as [string, string];
        assert.equal(one < other, a < b);
      };
      fc.assert(fc.property(integers, integers, check));
      check(0n, high);
    });
  }

  test("bits behind the ID are 0", () => {
    for (const [format, text, encoding] of [
      [twitter, "FgIKD31UoAB", base64url],
      [twitter, "FgIKD31UoAD", base64url],
      [sno, "Tm8hYKD_mgoQMx", base64url],
      [twitter, "nabywd57k1oyb", zbase32],
      [twitter, "16020a0f-7d54-8a00-8000-000000000001", uuidv8],
      [twitter, "16020a0f-7d54-8a00-8200-000000000000", uuidv8],
    ] as const) {
      assert.throws(() => decode(format, text, encoding), { code: "NOT_CANONICAL", field: "text" }, text);
    }
  });

  test("a UUID of another version or variant, in capitals, or without hyphens is refused", () => {
    for (const [text, code] of [
      ["16020a0f-7d54-7a00-8000-000000000000", "CHARACTER"],
      ["16020a0f-7d54-8a00-7000-000000000000", "CHARACTER"],
      ["16020a0f-7d54-8a00-c000-000000000000", "CHARACTER"],
      ["16020A0F-7D54-8A00-8000-000000000000", "CHARACTER"],
      ["16020a0f-7d548-a00-8000-000000000000", "CHARACTER"],
      ["16020a0f7d548a008000000000000000", "LENGTH"],
      ["{16020a0f-7d54-8a00-8000-000000000000}", "LENGTH"],
      ["00000000-0000-0000-0000-000000000000", "CHARACTER"],
      ["ffffffff-ffff-ffff-ffff-ffffffffffff", "CHARACTER"],
      ["ffffffff-ffff-8fff-bfff-ffffffffffff", "NOT_CANONICAL"],
      ["ffffffff-ffff-8fff-bc00-000000000000", "OVERFLOW"],
    ] as const) {
      assert.throws(() => decode(twitter, text, uuidv8), { code }, text);
    }
    assert.throws(() => decode(twitter, "16020a0f-7d54-7a00-8000-000000000000", uuidv8), {
      message: "text: expected a UUID of version 8 in lower case [CHARACTER]",
    });
  });
});

describe("short codes of Instagram", () => {
  for (const [text, integer] of vectors.shortcodes.rows as [string, string][]) {
    test(text, () => {
      assert.equal(decode(instagram, text, shortcode), BigInt(integer));
      assert.equal(encode(instagram, BigInt(integer), shortcode), text);
      // The bytes are another text, although the alphabet is the same.
      assert.notEqual(encode(instagram, BigInt(integer), base64url), text);
    });
  }

  test("are as short as they can be", () => {
    const { max } = instagram.range();
    for (const [id, text] of [
      [0n, "A"],
      [1n, "B"],
      [63n, "_"],
      [64n, "BA"],
      [max, "H__________"],
    ] as const) {
      assert.equal(encode(instagram, id, shortcode), text);
      assert.equal(decode(instagram, text, shortcode), id);
    }
    for (const [text, code] of [
      ["", "LENGTH"],
      ["ABFJ3mzaH5WN", "LENGTH"],
      ["Az-arAqi4DP", "NOT_CANONICAL"],
      ["AA", "NOT_CANONICAL"],
      ["z+arAqi4DP", "CHARACTER"],
      ["z/arAqi4DP", "CHARACTER"],
      ["z-arAqi4DP=", "CHARACTER"],
      // That of a private account.
      ["BFJ3mzaH5WNaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "LENGTH"],
      ["___________", "OVERFLOW"],
    ] as const) {
      assert.throws(() => decode(instagram, text, shortcode), { code }, text);
    }
    assert.throws(() => decode(instagram, "", shortcode), {
      message: "text: expected 1 to 11 characters of shortcode, got 0 [LENGTH]",
    });
  });
});

describe("Crockford's texts as people type them", () => {
  const lenient = (text: string) => decode(twitter, text, crockford32Lenient);

  for (const [text, integer] of vectors.typed.rows as [string, string][]) {
    test(text, () => {
      assert.equal(lenient(text), BigInt(integer));
      if (text !== "1C0GA1XYN9800") assert.throws(() => decode(twitter, text, "crockford32"));
    });
  }

  test("are written as the strict ones", () => {
    const check = (id: bigint) => {
      const text = encode(twitter, id, "crockford32");
      assert.equal(encode(twitter, id, crockford32Lenient), text);
      assert.equal(encode(twitter, id, crockford32Lower), text.toLowerCase());
      assert.equal(lenient(text.toLowerCase()), id);
      assert.equal(lenient([...text].join("-")), id);
      assert.equal(lenient(text.replaceAll("0", "o").replaceAll("1", "l")), id);
    };
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: twitter.toBigInt(twitter.range().max) }), check));
  });

  test("are nothing else", () => {
    for (const [text, code] of [
      ["1C0GA1XYN980", "LENGTH"],
      ["C0GA1XYN9800", "LENGTH"],
      ["01C0GA1XYN9800", "LENGTH"],
      ["1C0GA1XYN980U", "CHARACTER"],
      ["1C0GA1XYN98 0", "CHARACTER"],
      [" 1C0GA1XYN9800", "LENGTH"],
      ["1C0GA1XYN980\u017f", "CHARACTER"],
      ["\u0131C0GA1XYN9800", "CHARACTER"],
      ["1C0GA1XYN980*", "CHARACTER"],
      ["-".repeat(13), "LENGTH"],
      [`${"-".repeat(14)}1C0GA1XYN9800`, "LENGTH"],
      ["-".repeat(100_000_000), "LENGTH"],
    ] as const) {
      assert.throws(() => lenient(text), { code, field: "text" }, text.slice(0, 40));
    }
  });
});
