/** Sealed IDs: comparison with two other implementations, round trips, key rotation and errors. */
import assert from "node:assert/strict";
import { createCipheriv } from "node:crypto";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { type AnyFormat, discord, nanoflake, sno, snowflake, snowflakeSI, twitter, ulidFlake } from "graupel";
import { decode, encode } from "graupel/encode";
import { sealed } from "graupel/sealed";
import vectors from "../../vectors/sealed.json" with { type: "json" };
import { named } from "../support/layouts.ts";

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const KEY = bytes("2b7e151628aed2a6abf7158809cf4f3c");
const OTHER = bytes("2b7e151628aed2a6abf7158809cf4f3cef4359d8d580aa4f7f036d6f04fc6a94");

/** FF1.Encrypt of NIST SP 800-38G, algorithm 7, with radix 2, on integers and Node's AES. */
function reference(key: Uint8Array, tweak: Uint8Array, integer: bigint, n: number): bigint {
  const aes = (block: Uint8Array) => {
    const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
    return cipher.update(block);
  };
  const [u, t] = [Math.floor(n / 2), tweak.length];
  const v = n - u;
  const b = Math.ceil(v / 8);
  const d = 4 * Math.ceil(b / 4) + 4;
  let [A, B] = [integer >> BigInt(v), integer & ((1n << BigInt(v)) - 1n)];
  const P = Buffer.alloc(16);
  P.set([1, 2, 1, 0, 0, 2, 10, u]);
  P.writeUInt32BE(n, 8);
  P.writeUInt32BE(t, 12);
  for (let i = 0; i < 10; i++) {
    const padding = (((-t - b - 1) % 16) + 16) % 16;
    const digits = Buffer.from(B.toString(16).padStart(2 * b, "0"), "hex");
    const Q = Buffer.concat([tweak, Buffer.alloc(padding), Buffer.from([i]), digits]);
    let R: Uint8Array = Buffer.alloc(16);
    for (const from of [P, Q]) {
      for (let at = 0; at < from.length; at += 16) {
        R = aes(R.map((byte, j) => byte ^ (from[at + j] as number)));
      }
    }
    // d is at most 12, so one block is enough.
    const y = BigInt(`0x${Buffer.from(R.subarray(0, d)).toString("hex")}`);
    const C = (A + y) % (1n << BigInt(i % 2 === 0 ? u : v));
    [A, B] = [B, C];
  }
  return (A << BigInt(v)) | B;
}

test("seals as Rust's fpe does (tests/vectors/README.md)", () => {
  const epoch = Date.UTC(2024, 0, 1);
  const formats: Readonly<Record<string, AnyFormat>> = {
    "snowflake-si": snowflakeSI({ epoch }),
    nanoflake: nanoflake({ epoch }),
    twitter,
    discord,
    sno,
    "ulid-flake": ulidFlake,
  };
  const { key, rows } = vectors as never as {
    readonly key: string;
    readonly rows: readonly (readonly [string, number, string, string, string])[];
  };
  assert.equal(rows.length, 72);
  for (const [name, length, purpose, integer, wanted] of rows) {
    const format = formats[name] as AnyFormat;
    const { seal, open } = sealed(format, bytes(key).subarray(0, length), { purpose });
    const id = format.fromBigInt(BigInt(integer));
    const sealedId = format.fromBigInt(BigInt(wanted));
    assert.equal(seal(id as never), encode(format, sealedId as never, "base62"));
    assert.equal(open(seal(id as never)), id);
  }
});

for (const { name: label, format } of named()) {
  describe(label, () => {
    const max = format.toBigInt(format.range().max);
    const bits = max.toString(2).length;
    const integers = fc.bigInt({ min: 0n, max });

    test("every integer of as many bits is an ID", () => {
      assert.equal(max, (1n << BigInt(bits)) - 1n);
      assert.equal(format.toBigInt(format.fromBigInt(0n)), 0n);
    });

    test("seals as a second implementation does, and opens what it sealed", () => {
      for (const [key, purpose] of [
        [KEY, ""],
        [OTHER, "user"],
        [OTHER, "größer als sechzehn Bytes"],
        [KEY, "50 %\n€ 😀 \0 %41"],
      ] as const) {
        const { seal, open } = sealed(format, key, { purpose });
        const tweak = new TextEncoder().encode(purpose);
        const check = (integer: bigint) => {
          const id = format.fromBigInt(integer);
          const text = seal(id as never);
          assert.equal(format.toBigInt(decode(format, text, "base62")), reference(key, tweak, integer, bits));
          assert.equal(open(text), id);
        };
        fc.assert(fc.property(integers, check), { numRuns: 20, examples: [[0n], [max], [1n]] });
      }
    });
  });
}

test("a layout of fewer than 20 bits is rejected", () => {
  for (const time of [1, 6, 18]) {
    const format = snowflake({ epoch: 0, fields: { time, sequence: 19 - time } });
    assert.throws(() => sealed(format, KEY), { code: "RANGE", field: "format", value: 19 });
  }
  const least = sealed(snowflake({ epoch: 0, fields: { time: 10, sequence: 10 } }), KEY);
  const ids = Array.from({ length: 2000 }, (_, i) => BigInt(i * 524 + (i % 3)));
  assert.deepEqual(
    ids.map((id) => least.open(least.seal(id))),
    ids,
  );
});

test("the first key seals, and all open, also if a prefix begins with another one", () => {
  for (const [a, b] of [
    ["a_", "b_"],
    ["a_", "a_b_"],
    ["a_b_", "a_"],
  ] as const) {
    const before = sealed(twitter, { [a]: KEY });
    const after = sealed(twitter, { [b]: OTHER, [a]: KEY });
    assert.match(before.seal(5n), new RegExp(`^${a}[0-9A-Za-z]{11}$`));
    assert.ok(after.seal(5n).startsWith(b));
    for (const { seal } of [before, after]) assert.equal(after.open(seal(5n)), 5n);
    assert.throws(() => before.open(after.seal(5n)), { name: "GraupelError" });
  }
});

test("a key may come from another realm or be a Buffer, and is copied", () => {
  const key = KEY.slice();
  const changed = sealed(twitter, key);
  const text = changed.seal(5n);
  key.fill(0);
  assert.equal(changed.seal(5n), text);
  const foreign = runInNewContext("Uint8Array.from(bytes)", { bytes: [...KEY] });
  for (const key of [foreign, Buffer.from(KEY)]) {
    assert.equal(sealed(twitter, key).seal(5n), text);
    assert.equal(sealed(twitter, { a_: key }).seal(5n), `a_${text}`);
  }
});

test("other alphabets, and texts as IDs", () => {
  for (const encoding of ["base58", "crockford32", "hex"] as const) {
    const { seal, open } = sealed(sno, KEY, { encoding });
    const text = seal("brpk4q72xwf2m63l");
    assert.equal(open(text), "brpk4q72xwf2m63l");
    assert.equal(text, encode(sno, decode(sno, text, encoding), encoding));
  }
  assert.equal(typeof sealed(twitter.text, KEY).open(sealed(twitter, KEY).seal(5n)), "string");
});

describe("refused", () => {
  test("keys, prefixes and options", () => {
    const refuses = (code: string, keys: unknown, ...options: unknown[]) =>
      assert.throws(
        () => sealed(twitter, keys as never, ...(options as [])),
        (error: Error) => {
          assert.deepEqual([error.name, (error as never as { code: string }).code], ["GraupelError", code]);
          // A key is secret, so the message leaves out the value. It must not name another one
          // instead.
          assert.doesNotMatch(error.message, /got undefined/);
          return true;
        },
      );
    const short = new Uint8Array(15);
    for (const keys of [undefined, null, {}, "k", short, { a_: "k" }, { a: KEY }, { "1": KEY }, [KEY]])
      refuses("TYPE", keys);
    // JavaScript would order numeric keys before the others.
    for (const keys of [{ b_: OTHER, "1_": KEY }, new Uint16Array(16), new DataView(new ArrayBuffer(32))])
      refuses("TYPE", keys);
    for (const options of [null, 5, "", true, { encoding: "base64" }, { purpose: 5 }])
      refuses("TYPE", KEY, options);
    // Encoded as UTF-8, they would all become the same three bytes.
    for (const purpose of ["\ud800", "user\udfff", "\udc00\ud800"]) refuses("TYPE", KEY, { purpose });
    refuses("UNKNOWN_OPTION", KEY, { tweak: "" });
  });

  test("works without TextEncoder, which Jest with jsdom lacks", () => {
    const { TextEncoder } = globalThis;
    const text = sealed(twitter, KEY, { purpose: "für" }).seal(1n);
    Reflect.deleteProperty(globalThis, "TextEncoder");
    try {
      assert.equal(sealed(twitter, KEY, { purpose: "für" }).seal(1n), text);
    } finally {
      globalThis.TextEncoder = TextEncoder;
    }
  });

  test("errors contain no key", () => {
    assert.throws(
      () => sealed(twitter, { a_: new Uint8Array(15).fill(77) }),
      (error) => !/77/.test(JSON.stringify(error) + String(error)),
    );
  });

  test("texts", () => {
    const { open, "~standard": standard } = sealed(twitter, KEY);
    for (const [text, code] of [
      [5n, "TYPE"],
      [undefined, "TYPE"],
      ["", "LENGTH"],
      ["0".repeat(12), "LENGTH"],
      ["0000000000-", "CHARACTER"],
      ["zzzzzzzzzzz", "OVERFLOW"],
    ] as const) {
      assert.throws(() => open(text), { name: "GraupelError", code }, String(text));
      assert.ok(JSON.stringify(standard.validate(text)).endsWith(`[${code}]"}]}`));
    }
    assert.throws(() => sealed(twitter, KEY).seal(-1n), { code: "RANGE" });
  });
});
