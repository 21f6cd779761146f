/** `graupel convert`, `compose` and `range`: each gives the result of the package's own verb. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { discord, GraupelError, nanoflake, sno, snowflake, snowflakeSI, ulidFlake } from "graupel";
import { ROWS } from "../support/formats.ts";
import { formatOf, ownEpoch } from "../support/row.ts";
import { facts, known } from "./known.ts";
import { json, linesOf, run, succeeds, words } from "./run.ts";

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Bits of an ID. */
const bits: Record<string, number> = {
  snowflake: 64,
  ...Object.fromEntries(ROWS.map(({ cli, specified }) => [cli, specified.bits])),
};

describe("convert", () => {
  for (const [format, id, options, expected] of facts) {
    it(`writes the known ${format} ID ${id} in every form`, async () => {
      const to = async (form: string) => {
        const args = ["convert", format, "--to", form, ...words(options)];
        const text = (await succeeds([...args, id])).trimEnd();
        // Standard input gives the same JSON.
        assert.deepEqual(json(await succeeds([...args, "--json"], `${id}\n`)), [
          { input: id, [form]: form === "bytes" ? JSON.parse(text) : text },
        ]);
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

  it("writes a sno as a UUID", async () => {
    const id = "brpk4q72xwf2m63l";
    const uuid = "6272706b-3471-3732-7877-66326d36336c";
    assert.equal(await succeeds(["convert", "sno", "--to", "uuid", id]), `${uuid}\n`);
    assert.equal(sno.fromUUID(uuid), id);
  });

  it("answers in order, reports a bad ID in its place, and ends with status 1", async () => {
    const { code, out, err } = await run(["convert", "discord", "--to", "hex"], `${known}\nx\n7\n`);
    assert.deepEqual([code, out], [1, "0271065ac1020007\n0000000000000007\n"]);
    assert.match(err, /^graupel: "x": discord id: .*\n$/);
    const asJson = await run(["convert", "discord", "--to", "hex", "--json", known, "x", "7"]);
    const answers = json(asJson.out);
    assert.deepEqual([asJson.code, asJson.err], [1, ""]);
    assert.deepEqual(
      answers.map(({ input, hex }) => [input, hex]),
      [
        [known, "0271065ac1020007"],
        ["x", undefined],
        ["7", "0000000000000007"],
      ],
    );
    assert.equal((answers[1]?.error as { code: string } | undefined)?.code, "CHARACTER");
    assert.equal(await succeeds(["convert", "sno", "--to", "hex"], ""), "");
  });

  it("reads texts in a radix of their own", async () => {
    const line = "convert nanoflake --epoch 0 --radix 16 --to text 2f3cb494b249b5d4";
    assert.equal(await succeeds(words(line)), "puz49ejoty38\n");
  });
});

describe("compose", () => {
  for (const [format, id, options, expected] of facts) {
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

  it("knows the fields of a layout's variants", async () => {
    const epoch = Date.UTC(2024, 0, 1);
    const old = nanoflake({ epoch, layout: "reference-24" });
    const id = old.compose({ ticks: 5, generatorId: 3, sequence: 9 });
    for (const name of ["nanoflake-reference-24", "nanoflake --layout reference-24"]) {
      const args = `compose ${name} --epoch 2024-01-01 --ticks 5 --generator-id 3 --sequence 9`;
      assert.equal(await succeeds(words(args)), `${old.format(id)}\n`);
      assert.equal(await succeeds(words(`${args} --unused 0`)), `${old.format(id)}\n`);
      assert.notEqual(await succeeds(words(`${args} --unused 3`)), `${old.format(id)}\n`);
    }
    const si = "compose snowflake-si --epoch 2024-01-01 --machine-bits 0 --ticks 1 --sequence 8191";
    assert.equal(await succeeds(words(si)), "16383\n");
  });

  it("takes the first and the last of every field", async () => {
    const composed = (time: number, [worker, process, increment]: readonly number[]) => {
      const fields = `--internal-worker-id ${worker} --internal-process-id ${process} --increment ${increment}`;
      return succeeds(words(`compose discord --time ${time} ${fields}`));
    };
    assert.equal(await composed(discord.epoch, [0, 0, 0]), "0\n");
    const end = discord.endOfLife + discord.layout.tickMs;
    assert.equal(await composed(end - 1, [31, 31, 4095]), `${2n ** 64n - 1n}\n`);
  });
});

const epoch = Date.UTC(2024, 0, 1);
const fields = { time: 41, region: 4, worker: 6, sequence: 12 } as const;

interface Ranged {
  range(from: number | undefined, to: number | undefined): { min: unknown; max: unknown };
  // biome-ignore lint/suspicious/noExplicitAny: formats with different types of IDs share a table here
  format(id: any): string;
}

const ranged: [string, Ranged][] = [
  ...ROWS.map((row) => [`${row.cli}${ownEpoch(row) ? " --epoch 2024-01-01" : ""}`, formatOf(row, epoch)]),
  [
    "snowflake --epoch 2024-01-01 --fields time:41,region:4,worker:6,sequence:12",
    snowflake({ epoch, fields }),
  ],
  [
    "snowflake-si --epoch 2024-01-01 --machine-bits 6",
    snowflakeSI({ epoch, machineBits: 6, sequenceBits: 7 }),
  ],
  ["ulid-flake --epoch 2025-01-01", ulidFlake.withEpoch(Date.UTC(2025, 0, 1))],
] as [string, Ranged][];

describe("range", () => {
  const [from, to] = [Date.UTC(2025, 0, 31, 12), Date.UTC(2025, 1, 1)];
  for (const [args, format] of ranged) {
    it(args, async () => {
      const { min, max } = format.range(from, to);
      const [name = "", ...options] = words(args);
      const expected = `${format.format(min)}\n${format.format(max)}\n`;
      assert.equal(
        await succeeds(["range", name, "2025-01-31T12:00:00Z", "2025-02-01", ...options]),
        expected,
      );
      assert.equal(await succeeds(["range", ...options, name, String(from), String(to)]), expected);
      const line = await succeeds(["range", name, String(from), String(to), ...options, "--json"]);
      const asJson = (id: unknown) => (typeof id === "number" ? id : format.format(id));
      assert.deepEqual(JSON.parse(line), { min: asJson(min), max: asJson(max) });
    });

    it(`${args}: an open end is the library's`, async () => {
      for (const [start, end] of [
        [undefined, to],
        [from, undefined],
        [undefined, undefined],
        [-5, to],
      ] as const) {
        const typed = [start, end].map((time) => (time === undefined ? "-" : String(time)));
        const { code, out, err } = await run(["range", ...words(args), ...typed]);
        try {
          const { min, max } = format.range(start, end);
          assert.deepEqual([code, out], [0, `${format.format(min)}\n${format.format(max)}\n`]);
        } catch (error) {
          if (!GraupelError.is(error)) throw error;
          assert.deepEqual([code, out], [2, ""]);
          assert.match(err, /^graupel: FROM and TO: expected times of /);
        }
      }
    });
  }

  it("holds the IDs of that time, and no others", async () => {
    const [min, max] = linesOf(await succeeds(["range", "discord", "1462015105796", "1462015105797"])).map(
      BigInt,
    );
    assert.ok(min !== undefined && max !== undefined && min <= BigInt(known) && BigInt(known) <= max);
    assert.equal(max - min, 2n ** 22n - 1n);
    for (const [from, to] of [
      ["1462015105795", "1462015105796"],
      ["1462015105797", "1462015105798"],
    ] as const) {
      const [low, high] = linesOf(await succeeds(["range", "discord", from, to])).map(BigInt);
      assert.ok(low !== undefined && high !== undefined && (high < BigInt(known) || BigInt(known) < low));
    }
  });

  it("takes negative Unix milliseconds, as FROM, as TO, and as the epoch", async () => {
    const early = snowflake({ epoch: -5000, fields });
    const args = ["--epoch", "-5000", "--fields", "time:41,region:4,worker:6,sequence:12"];
    const { min, max } = early.range(-3000, -1000);
    assert.equal(await succeeds(["range", "snowflake", "-3000", "-1000", ...args]), `${min}\n${max}\n`);
  });
});
