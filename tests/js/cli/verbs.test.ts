/** `graupel convert`, `compose` and `range`: each returns the result of the package's verb. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { discord, GraupelError } from "graupel";
import { type Encoding, encode, type TextEncoding } from "graupel/encode";
import * as encodings from "graupel/encodings";
import type { AnyFormat } from "../support/any-format.ts";
import { ROWS } from "../support/formats.ts";
import { make } from "../support/make.ts";
import { knownIds } from "./known.ts";
import { json, run, succeeds, words } from "./run.ts";

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The number of bits of an ID. */
const bits: Record<string, number> = {
  snowflake: 64,
  ...Object.fromEntries(ROWS.map(({ cli, specified }) => [cli, specified.bits])),
};

/** The encodings of the package, by the names of their forms. */
const ENCODINGS = new Map<string, Encoding | TextEncoding>([
  ...(["base62", "base58", "crockford32"] as const).map((name) => [name, name] as const),
  ...Object.values(encodings).map((one) => [one.name, one] as const),
]);

describe("convert", () => {
  for (const [format, id, options, expected] of knownIds) {
    it(`writes the known ${format} ID ${id} in every form`, async () => {
      const to = async (form: string) => {
        const args = ["convert", format, "--to", form, ...words(options)];
        const text = (await succeeds([...args, id])).trimEnd();
        // Standard input gives the same JSON.
        assert.deepEqual(json(await succeeds([...args, "--json"], `${id}\n`)), [
          { input: id, [form]: form === "bytes" ? JSON.parse(text) : text },
        ]);
        const back = ["convert", format, "--from", form, ...words(options)];
        assert.equal(await succeeds([...back, text]), `${id}\n`);
        assert.equal(await succeeds([...back, "--to", form], `${text}\n`), `${text}\n`);
        return text;
      };
      const integer = BigInt(String(expected.integer));
      assert.equal(await to("text"), id);
      assert.equal(await to("decimal"), expected.integer);
      assert.equal(await to("hex"), expected.hex);
      assert.equal(await to("base36"), integer.toString(36));
      assert.equal(await to("binary"), integer.toString(2).padStart(bits[format] ?? 0, "0"));
      assert.equal(Buffer.from(JSON.parse(await to("bytes"))).toString("hex"), expected.hex);
    });
  }

  it("writes and reads the texts of graupel/encode", async () => {
    // The multiples of an odd number are spread over all 64 bits.
    const ids = Array.from({ length: 64 }, (_, i) => BigInt.asUintN(64, BigInt(i) * 0x9e3779b97f4a7c15n));
    for (const [form, encoding] of ENCODINGS) {
      const [lines, texts] = [ids, ids.map((id) => encode(discord, id, encoding))].map(
        (all) => `${all.join("\n")}\n`,
      );
      assert.equal(await succeeds(["convert", "discord", "--to", form], lines), texts);
      assert.equal(await succeeds(["convert", "discord", "--from", form], texts), lines);
    }
  });
});

describe("compose", () => {
  for (const [format, id, options, expected] of knownIds) {
    it(`puts the known ${format} ID ${id} together`, async () => {
      const { integer: _integer, hex: _hex, timestamp, time, ticks, ...fields } = expected;
      const given = Object.entries(fields).flatMap(([name, value]) => [`--${kebab(name)}`, String(value)]);
      const args = ["compose", format, ...words(options), ...given];
      for (const when of [
        ["--time", time],
        ["--timestamp", timestamp],
        ["--ticks", ticks],
        ["--ticks", ticks, "--timestamp", timestamp, "--time", time],
      ]) {
        assert.equal(await succeeds([...args, ...when.map(String)]), `${id}\n`);
      }
      const line = await succeeds([...args, "--ticks", String(ticks), "--json"]);
      assert.equal(JSON.parse(line), format === "snowflake-si" ? Number(id) : id);
    });
  }
});

const epoch = Date.UTC(2024, 0, 1);
const fields = { time: 41, region: 4, worker: 6, sequence: 12 };
const own = "snowflake --epoch 2024-01-01 --fields time:41,region:4,worker:6,sequence:12";

const ranged: [args: string, AnyFormat][] = [
  ...ROWS.map((row): [string, AnyFormat] => [
    `${row.cli}${row.facts.declared ? " --epoch 2024-01-01" : ""}`,
    row.at(epoch),
  ]),
  [own, make("snowflake", { epoch, fields })],
  ["snowflake-si --epoch 2024-01-01 --machine-bits 6", make("snowflake-si", { epoch, machineBits: 6 })],
  ["ulid-flake --epoch 2025-01-01", make("ulid-flake", { epoch: Date.UTC(2025, 0, 1) })],
];

describe("range", () => {
  const [from, to] = [Date.UTC(2025, 0, 31, 12), Date.UTC(2025, 1, 1)];
  for (const [args, format] of ranged) {
    const texts = (start?: number, end?: number): string => {
      const { min, max } = format.range(start, end);
      return `${format.format(min)}\n${format.format(max)}\n`;
    };

    it(args, async () => {
      const [name = "", ...options] = words(args);
      const iso = ["2025-01-31T12:00:00Z", "2025-02-01"];
      assert.equal(await succeeds(["range", name, ...iso, ...options]), texts(from, to));
      const typed = ["range", ...options, name, String(from), String(to)];
      assert.equal(await succeeds(typed), texts(from, to));
      const { min, max } = format.range(from, to);
      const asJson = (id: unknown) => (typeof id === "number" ? id : format.format(id));
      assert.deepEqual(json(await succeeds([...typed, "--json"])), [{ min: asJson(min), max: asJson(max) }]);
    });

    it(`${args}: an open end is the library's`, async () => {
      for (const [start, end] of [[undefined, to], [from], [], [-5, to]]) {
        const typed = [start, end].map((time) => (time === undefined ? "-" : String(time)));
        const { code, out, err } = await run(["range", ...words(args), ...typed]);
        try {
          assert.deepEqual([code, out], [0, texts(start, end)]);
        } catch (error) {
          if (!GraupelError.is(error)) throw error;
          assert.deepEqual([code, out], [2, ""]);
          assert.match(err, /^graupel: FROM and TO: expected times of /);
        }
      }
    });
  }
});
