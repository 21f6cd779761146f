/**
 * IDs in other alphabets: widths, order, round trips, agreement with other ways to write an
 * integer, and errors.
 */
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
  type TextEncoding,
  uuidv8,
  zbase32,
} from "graupel/encodings";
import { sno } from "graupel/sno";
import { discord, instagram, mastodon, sonyflake, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { ulidFlake } from "graupel/ulid-flake";
import vectors from "../../vectors/encodings.json" with { type: "json" };
import { custom, named, snowflakeSIs } from "../support/layouts.ts";

/** The encodings that are not plain digits. */
const OWN = { base64url, shortcode, zbase32, crockford32Lower, crockford32Lenient, uuidv8 } as const;

/**
 * An alphabet according to its specification: a range of ASCII without the characters that it
 * leaves out.
 */
const ascii = (from: string, to: string, without = "") =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, i) =>
    String.fromCharCode(from.charCodeAt(0) + i),
  )
    .filter((one) => !without.includes(one))
    .join("");

/**
 * The encodings that write the digits of the integer at a fixed width: their alphabets, and the
 * number of characters for each width in bits.
 */
const DIGITS: Readonly<Record<string, readonly [string, Readonly<Record<number, number>>]>> = {
  base62: [ascii("0", "9") + ascii("A", "Z") + ascii("a", "z"), { 36: 7, 53: 9, 63: 11, 64: 11, 80: 14 }],
  base58: [
    ascii("1", "9") + ascii("A", "Z", "IO") + ascii("a", "z", "l"),
    { 36: 7, 53: 10, 63: 11, 64: 11, 80: 14 },
  ],
  crockford32: [ascii("0", "9") + ascii("A", "Z", "ILOU"), { 36: 8, 53: 11, 63: 13, 64: 13, 80: 16 }],
  // The bytes of the ID.
  hex: [ascii("0", "9") + ascii("a", "f"), { 36: 16, 53: 14, 63: 16, 64: 16, 80: 20 }],
};

/** Writes an integer digit by digit. */
function written(integer: bigint, alphabet: string, width: number): string {
  const base = BigInt(alphabet.length);
  return Array.from(
    { length: width },
    (_, i) => alphabet[Number((integer / base ** BigInt(width - 1 - i)) % base)],
  ).join("");
}

type Writing = Encoding | TextEncoding;
type Way = readonly [encoding: Writing, sorts: boolean, expected: (integer: bigint) => string | RegExp];

/**
 * Every encoding with a fixed width: whether its texts sort like the IDs, and either an ID as
 * another program writes it or the pattern of its texts.
 */
function waysOf(format: AnyFormat, bits: number): Readonly<Record<string, Way>> {
  const digits = Object.entries(DIGITS).map(([name, [alphabet, widths]]): [string, Way] => [
    name,
    [name as Encoding, true, (integer) => written(integer, alphabet, widths[bits] as number)],
  ]);
  const bytes = (integer: bigint) => Buffer.from(format.toBytes(format.fromBigInt(integer)));
  const uuid = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  return {
    ...Object.fromEntries(digits),
    base64url: [base64url, false, (integer) => bytes(integer).toString("base64url")],
    zbase32: [zbase32, false, () => /^[ybndrfg8ejkmcpqxot1uwisza345h769]+$/],
    uuidv8: [uuidv8, true, () => uuid],
  };
}

const narrow = custom({ epoch: 0, tickMs: 1, fields: { time: 30, node: 1, sequence: 5 } });

for (const { name: label, format } of [...named(), ...snowflakeSIs().slice(-1), narrow]) {
  describe(label, () => {
    const high = format.toBigInt(format.range().max);
    const bits = high.toString(2).length;
    const integers = fc.bigInt({ min: 0n, max: high });

    for (const [name, [encoding, sorts, expected]] of Object.entries(waysOf(format as AnyFormat, bits))) {
      test(`${name}: texts have one width, round-trip${sorts ? ", and sort like the IDs" : ""}`, () => {
        const check = (a: bigint, b: bigint) => {
          const [one, other] = [a, b].map((integer) => {
            const id = format.fromBigInt(integer);
            const text = encode(format, id, encoding);
            const wanted = expected(integer);
            if (typeof wanted === "string") assert.equal(text, wanted);
            else assert.match(text, wanted);
            assert.equal(encode(format, format.format(id), encoding), text);
            assert.equal(decode(format, text, encoding), id);
            assert.equal(decode(format.text, text, encoding), format.format(id));
            return text;
          }) as [string, string];
          assert.equal(one.length, other.length);
          if (sorts) assert.equal(one < other, a < b);
        };
        fc.assert(fc.property(integers, integers, check));
        fc.assert(fc.property(integers, (a) => check(a, a < high ? a + 1n : a)));
        check(0n, high);
      });
    }

    for (const [name, [alphabet]] of Object.entries(DIGITS)) {
      test(`${name}: no other text is accepted`, () => {
        const encoding = name as "hex";
        const refused = (text: string, wanted: object) =>
          assert.throws(() => decode(format, text, encoding), { name: "GraupelError", ...wanted });
        const text = encode(format, format.range().max, encoding);
        const shorter = text.slice(1);
        for (const bad of ["", shorter, `${text}0`, ` ${shorter}`, `${shorter} `, `${shorter}\n`])
          refused(bad, { field: "text", value: bad.length === text.length ? bad : bad.length });
        for (const bad of ["-", "é", "\u0000", "\ud800"]) refused(bad + shorter, { code: "CHARACTER" });
        for (const beyond of [
          written(high + 1n, alphabet, text.length),
          alphabet.at(-1)?.repeat(text.length) ?? "",
        ])
          if (beyond > text) refused(beyond, { code: "OVERFLOW" });
        // Look-alikes in the other case are invalid.
        const swapped = text.toLowerCase() === text ? text.toUpperCase() : text.toLowerCase();
        if (/crockford|hex/.test(name) && swapped !== text) refused(swapped, { code: "CHARACTER" });
      });
    }
  });
}

/** Texts that an encoding rejects, by format and code. */
const REFUSED: readonly (readonly [AnyFormat, Writing, code: string, texts: readonly unknown[]])[] = [
  [twitter, "base62", "OVERFLOW", ["zzzzzzzzzzz"]],
  // The length is checked first.
  [twitter, "base62", "LENGTH", ["z".repeat(100_000_000)]],
  [twitter, "base62", "TYPE", [undefined, null, 1, 1n, {}, ["1t9ATWyqQwi"], new String("1t9ATWyqQwi")]],
  // Crockford's own decoders accept look-alikes.
  [twitter, "crockford32", "CHARACTER", [..."OoIiLlU-"].map((alike) => `000000000000${alike}`)],
  // The bits after the ID must be 0.
  [twitter, base64url, "NOT_CANONICAL", ["FgIKD31UoAB", "FgIKD31UoAD"]],
  [sno, base64url, "NOT_CANONICAL", ["Tm8hYKD_mgoQMx"]],
  [twitter, zbase32, "NOT_CANONICAL", ["nabywd57k1oyb"]],
  [
    twitter,
    uuidv8,
    "NOT_CANONICAL",
    [
      "16020a0f-7d54-8a00-8000-000000000001",
      "16020a0f-7d54-8a00-8200-000000000000",
      "ffffffff-ffff-8fff-bfff-ffffffffffff",
    ],
  ],
  // UUIDs of another version or variant, in upper case, without hyphens, and with hyphens at the
  // wrong positions.
  [
    twitter,
    uuidv8,
    "CHARACTER",
    [
      "16020a0f-7d54-7a00-8000-000000000000",
      "16020a0f-7d54-8a00-7000-000000000000",
      "16020a0f-7d54-8a00-c000-000000000000",
      "16020A0F-7D54-8A00-8000-000000000000",
      "16020a0f-7d548-a00-8000-000000000000",
      "00000000-0000-0000-0000-000000000000",
      "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ],
  ],
  [twitter, uuidv8, "LENGTH", ["16020a0f7d548a008000000000000000", "{16020a0f-7d54-8a00-8000-000000000000}"]],
  [twitter, uuidv8, "OVERFLOW", ["ffffffff-ffff-8fff-bc00-000000000000"]],
  // The third is the shortcode of a private account.
  [instagram, shortcode, "LENGTH", ["", "ABFJ3mzaH5WN", "BFJ3mzaH5WNaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]],
  [instagram, shortcode, "NOT_CANONICAL", ["Az-arAqi4DP", "AA"]],
  [instagram, shortcode, "CHARACTER", ["z+arAqi4DP", "z/arAqi4DP", "z-arAqi4DP="]],
  [instagram, shortcode, "OVERFLOW", ["___________"]],
  [
    twitter,
    crockford32Lenient,
    "LENGTH",
    ["1C0GA1XYN980", "C0GA1XYN9800", "01C0GA1XYN9800", " 1C0GA1XYN9800"],
  ],
  [
    twitter,
    crockford32Lenient,
    "LENGTH",
    ["-".repeat(13), `${"-".repeat(14)}1C0GA1XYN9800`, "-".repeat(100_000_000)],
  ],
  [
    twitter,
    crockford32Lenient,
    "CHARACTER",
    ["1C0GA1XYN980U", "1C0GA1XYN98 0", "1C0GA1XYN980\u017f", "\u0131C0GA1XYN9800", "1C0GA1XYN980*"],
  ],
];

describe("refused", () => {
  for (const [format, encoding, code, texts] of REFUSED)
    test(`${typeof encoding === "string" ? encoding : encoding.name}: ${code}`, () => {
      for (const text of texts)
        assert.throws(
          () => decode(format, text as never, encoding),
          { name: "GraupelError", code, field: code === "OVERFLOW" ? "integer" : "text" },
          String(text).slice(0, 40),
        );
    });

  test("invalid encodings, formats and IDs", () => {
    for (const bad of [undefined, "base64", "BASE62", "__proto__", 62, ["base62"], { decode() {} }])
      assert.throws(() => encode(twitter, 1n, bad as never), { code: "TYPE", field: "encoding" });
    assert.throws(() => encode({} as never, 1n, "hex"), { code: "TYPE", field: "format" });
    for (const own of Object.values(OWN)) {
      assert.throws(() => own.encode(1 as never, 1n), { code: "TYPE", field: "format" }, own.name);
      assert.throws(() => own.decode(1 as never, "A"), { code: "TYPE", field: "format" }, own.name);
    }
    assert.throws(() => encode(twitter, -1n, "hex"), { name: "GraupelError" });
    assert.throws(() => encode(twitter, 2 ** 53, "hex"), { code: "TYPE" });
  });
});

/** The formats of the vectors, by name. */
const FORMATS: Readonly<Record<string, AnyFormat>> = {
  ...{ twitter, discord, instagram, mastodon, sonyflake, sno, "ulid-flake": ulidFlake },
  "snowflake-si": snowflakeSI({ epoch: Date.UTC(2024, 0, 1) }),
};

describe("texts of other programs", () => {
  const { columns, rows } = vectors.written;
  for (const [name, integer, ...texts] of rows as string[][]) {
    test(`${integer} of ${name}`, () => {
      const format = FORMATS[name as string] as AnyFormat;
      const id = format.fromBigInt(BigInt(integer as string));
      for (const [i, column] of columns.slice(2).entries()) {
        const encoding = OWN[column as "zbase32"];
        assert.equal(encode(format, id, encoding), texts[i]);
        assert.equal(decode(format, texts[i] as string, encoding), id);
      }
    });
  }
});

test("Instagram's short codes have no leading digits", () => {
  for (const [text, integer] of [
    ...(vectors.shortcodes.rows as [string, string][]),
    ...[["A", 0n] as const, ["B", 1n] as const, ["_", 63n] as const, ["BA", 64n] as const],
    ["H__________", instagram.range().max],
  ] as const) {
    assert.equal(decode(instagram, text, shortcode), BigInt(integer));
    assert.equal(encode(instagram, BigInt(integer), shortcode), text);
    // The text of the bytes is different, although the alphabet is the same.
    assert.notEqual(encode(instagram, BigInt(integer), base64url), text);
  }
});

describe("Crockford's texts as people type them", () => {
  const lenient = (text: string) => decode(twitter, text, crockford32Lenient);

  test("recorded texts", () => {
    for (const [text, integer] of vectors.typed.rows as [string, string][]) {
      assert.equal(lenient(text), BigInt(integer));
      if (text !== "1C0GA1XYN9800") assert.throws(() => decode(twitter, text, "crockford32"));
    }
  });

  test("are written like the strict ones", () => {
    const check = (id: bigint) => {
      const text = encode(twitter, id, "crockford32");
      assert.equal(encode(twitter, id, crockford32Lenient), text);
      assert.equal(encode(twitter, id, crockford32Lower), text.toLowerCase());
      const typed = [text.toLowerCase(), [...text].join("-"), text.replaceAll("0", "o").replaceAll("1", "l")];
      for (const one of typed) assert.equal(lenient(one), id);
    };
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: twitter.toBigInt(twitter.range().max) }), check));
  });
});
