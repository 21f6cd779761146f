/** `graupel convert`, `compose` and `range`: each gives the result of the package's own verb. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { discord, GraupelError, nanoflake, sno, snowflake, snowflakeSI, ulidFlake } from "graupel";
import { ROWS } from "../support/formats.ts";
import { formatOf, ownEpoch } from "../support/row.ts";
import { facts, known } from "./known.ts";
import { json, linesOf, refuses, run, succeeds } from "./run.ts";

const words = (line: string): string[] => line.split(" ").filter(Boolean);
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

  it("writes a sno as a UUID, and nothing else as one", async () => {
    const id = "brpk4q72xwf2m63l";
    const uuid = "6272706b-3471-3732-7877-66326d36336c";
    assert.equal(await succeeds(["convert", "sno", "--to", "uuid", id]), `${uuid}\n`);
    assert.equal(sno.fromUUID(uuid), id);
    await refuses(
      ["convert", "discord", "--to", "uuid", known],
      /--to uuid is only for sno, not for discord$/m,
    );
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
    const args = [
      "convert",
      "nanoflake",
      "--epoch",
      "0",
      "--radix",
      "16",
      "--to",
      "text",
      "2f3cb494b249b5d4",
    ];
    assert.equal(await succeeds(args), "puz49ejoty38\n");
  });

  it("names what is wrong", async () => {
    const wrong: [string, RegExp][] = [
      ["", /which format\?$/m],
      ["discord", /to what\? --to takes text, decimal, hex, base36, binary, bytes, uuid$/m],
      ["discord --to", /--to needs a value$/m],
      ["discord --to octal", /--to: unknown form "octal"; there are text, /],
      [`discord --to hex --epoch 0 ${known}`, /--epoch is no option of discord, which takes none$/m],
      ["nanoflake --to hex 7", /--epoch: expected Unix milliseconds, .*got nothing$/m],
      ["nanoflake --epoch 0 --to hex --radix 37 7", /--radix: .* 2 to 36, got 37$/m],
    ];
    for (const [args, reason] of wrong) await refuses(["convert", ...words(args)], reason);
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
    await refuses(
      words(`${si} --machine-id 0`),
      /--machine-id is no option of snowflake-si, which takes .*--sequence$/m,
    );
  });

  it("takes the first and the last of every field, and no more", async () => {
    const fields = ["--internal-worker-id", "--internal-process-id", "--increment"];
    const last = [31, 31, 4095];
    const end = discord.endOfLife + discord.layout.tickMs;
    const args = (time: number, values: readonly number[]) => [
      ...["compose", "discord", "--time", String(time)],
      ...fields.flatMap((field, i) => [field, String(values[i])]),
    ];
    assert.equal(await succeeds(args(discord.epoch, [0, 0, 0])), "0\n");
    assert.equal(await succeeds(args(end - 1, last)), `${2n ** 64n - 1n}\n`);
    for (const [i, field] of fields.entries()) {
      const max = last[i] ?? 0;
      for (const value of [-1, max + 1]) {
        const values = last.map((one, j) => (i === j ? value : one));
        const reason = new RegExp(`${field}: expected a whole number from 0 to ${max}, got ${value}$`, "m");
        await refuses(args(discord.epoch, values), reason);
      }
    }
    const life =
      /expected one from 2015-01-01T00:00:00\.000Z \(1420070400000\) up to, not including, 2154-05-15T07:35:11\.104Z \(5818116911104\)$/m;
    for (const [time, side] of [
      [discord.epoch - 1, /--time: 1420070399999 is before the first time of discord; /],
      [end, /--time: 5818116911104 is after the last time of discord; /],
    ] as const) {
      await refuses(args(time, last), side);
      await refuses(args(time, last), life);
    }
  });

  it("names what is wrong", async () => {
    const discords = "--internal-worker-id 1 --internal-process-id 0 --increment 7";
    const wrong: [string, RegExp][] = [
      ["", /which format\?$/m],
      ["discord twitter --time 0", /not also "twitter"$/m],
      [`discord ${discords}`, /which time\? It takes --time TIME or --ticks N$/m],
      [`discord ${discords} --ticks 4398046511104`, /--ticks: .* 0 to 4398046511103, got 4398046511104$/m],
      [
        `discord ${discords} --ticks 5 --time 2025-01-31`,
        /--time 2025-01-31 and --ticks 5 are not the same tick/,
      ],
      ["discord --time 2025-01-31 --internal-worker-id 1", /--internal-process-id: .*got nothing$/m],
      ["discord --time 2025-01-31 --metabyte 1", /--metabyte is no option of discord, which takes --time, /],
      ["discord --time 2025-01-31 --epoch 0", /--epoch is no option of discord/],
      [
        "sno --time 2025-01-31 --partition 65536 --metabyte 0 --sequence 0",
        /--partition: .* 0 to 65535, got 65536$/m,
      ],
      [
        "sno --time 2025-01-31 --partition x --metabyte 0 --sequence 0",
        /--partition: .* 0 to 65535, got "x"$/m,
      ],
      [
        "snowflake --epoch 0 --time 0 --fields time:41,ticket:2,sequence:12 --ticket 1",
        /--sequence: .*got nothing$/m,
      ],
      ["snowflake --epoch 0 --fields time:41,json:2,sequence:12", /--fields: --json already means/],
      ["snowflake --epoch 0 --fields time:41,tickMs:2,sequence:12", /--fields: --tick-ms already means/],
    ];
    for (const [args, reason] of wrong) await refuses(["compose", ...words(args)], reason);
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

  it("names what is wrong", async () => {
    const wrong: [string, RegExp][] = [
      ["", /which format\?$/m],
      ["discord", /Two times are needed; - leaves an end open$/m],
      ["discord 2025-01-31", /Two times are needed; - leaves an end open$/m],
      ["discord 2025-01-31 2025-02-01 7", /two times at most, not also "7"$/m],
      ["discord 2025-01-31 2025-01-31", /FROM must be before TO, got 2025-01-31 and 2025-01-31$/m],
      ["discord 2025-02-01 2025-01-31", /FROM must be before TO, got 2025-02-01 and 2025-01-31$/m],
      [
        "discord 1970-01-01 1970-01-02",
        /FROM and TO: expected times of discord, from 2015-.* \(1420070400000\) up to, not including, 2154-/,
      ],
      ["discord 2200-01-01 2200-01-02", /FROM and TO: .* \(5818116911104\); got 2200-01-01 and 2200-01-02$/m],
      [
        "discord 2025-01-31 2025-02-30",
        /TO: expected Unix milliseconds, or an ISO 8601 date .* got "2025-02-30"$/m,
      ],
      ["discord -1e3 5", /FROM: expected .* got "-1e3"$/m],
      [
        "discord 0 8640000000000001",
        /TO: expected Unix milliseconds from -8640000000000000 to 8640000000000000, /,
      ],
      ["discord --epoch 0 0 1", /--epoch is no option of discord, which takes none$/m],
      ["snowflake-si 0 1", /--epoch: expected Unix milliseconds, .* got nothing$/m],
      ["sno -x 0 1", /unknown option "-x"$/m],
    ];
    for (const [args, reason] of wrong) await refuses(["range", ...words(args)], reason);
  });
});
