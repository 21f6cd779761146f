/** `graupel inspect` and the demonstration, run as child processes. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { identify } from "graupel";
import { bitsOf, discordFields, rowsOf } from "./drawing.ts";
import { facts, known } from "./known.ts";
import { demo, json, linesOf, outcome, refuses, run, start, succeeds, width, withoutColour } from "./run.ts";

describe("inspect --json", () => {
  for (const [format, id, options, expected] of facts) {
    it(`reads the known ${format} ID ${id}`, async () => {
      const args = ["inspect", "--format", format, ...options.split(" ").filter(Boolean), "--json"];
      const text = await succeeds([...args, id]);
      assert.deepEqual(json(text), [{ input: id, format, text: id, ...expected }]);
      assert.equal(await succeeds(args, `${id}\n`), text);
    });
  }

  it("reads the layout that published Nanoflake programs used", async () => {
    const args = ["inspect", "-f", "nanoflake", "--epoch", "0", "--layout", "reference-24", "--json"];
    const [found] = json(await succeeds([...args, "qv05afkpuz49"]));
    const { timestamp, generatorId, sequence } = found ?? {};
    assert.deepEqual([timestamp, generatorId, sequence], [210733421721, 16, 1609]);
  });

  it("reads Nanoflakes in another radix, and writes them canonically", async () => {
    const args = ["inspect", "-f", "nanoflake", "--epoch", "0", "--json", "--radix"];
    for (const [radix, text] of [
      ["16", "2f3cb494b249b5d4"],
      ["32", "2uf5kiip4jdek"],
      ["10", "3403793969124586964"],
    ]) {
      const [found] = json(await succeeds([...args, radix ?? "", text ?? ""]));
      assert.deepEqual([found?.input, found?.text], [text, "puz49ejoty38"]);
    }
    await refuses([...args, "37", "1"], /--radix: /);
  });

  it("takes an ISO time for Unix milliseconds", async () => {
    const args = (epoch: string) => [
      "inspect",
      "-f",
      "snowflake-si",
      "--epoch",
      epoch,
      "--json",
      "12345678901",
    ];
    const text = await succeeds(args("1704110400000"));
    for (const epoch of ["2024-01-01T12:00Z", "2024-01-01T12:00:00Z", "2024-01-01T12:00:00.000Z"]) {
      assert.equal(await succeeds(args(epoch)), text);
    }
  });

  it("puts a bad ID's error in its place, goes on, and ends with status 1", async () => {
    const input = [
      "x",
      known,
      "",
      "01",
      "18446744073709551616",
      "1".repeat(5000),
      "é\u0000\u001b[31m",
      known,
    ];
    const { code, out, err } = await run(["inspect", "-f", "discord", "--json"], `${input.join("\n")}\n`);
    assert.deepEqual([code, err], [1, ""]);
    const answers = json(out);
    assert.deepEqual(
      answers.map(({ error, format }) => (error as { code: string } | undefined)?.code ?? format),
      ["CHARACTER", "discord", "LENGTH", "NOT_CANONICAL", "OVERFLOW", "LENGTH", "CHARACTER", "discord"],
    );
    for (const [index, answer] of answers.entries()) {
      if (index === 5) continue;
      assert.equal(answer.input, input[index]);
      if (answer.error) assert.deepEqual(Object.keys(answer), ["input", "error"]);
    }
    assert.equal(answers[5]?.input, `${"1".repeat(64)}…`);
    assert.equal((await run(["inspect", "-f", "sno", "--json", "x", ""])).code, 1);
  });

  it("refuses a field of the layout that would hide a key", async () => {
    const args = [
      "inspect",
      "-f",
      "snowflake",
      "--epoch",
      "0",
      "--fields",
      "time:41,text:4,sequence:12",
      "7",
    ];
    await refuses([...args, "--json"], /--fields.*"text"/);
    assert.match(await succeeds(args), /a {2}time/);
  });

  it("lists what an ID could be when no format is given", async () => {
    for (const id of [known, "56789abcdefghijk", "3JS07ENW3AHRZ", "puz49ejoty38"]) {
      const expected = identify(id).map(({ name, text, integer, timestamp, time }) => ({
        name,
        text,
        integer: String(integer),
        timestamp,
        time,
      }));
      assert.deepEqual(
        json(await succeeds(["inspect", "--json", id])),
        JSON.parse(JSON.stringify([{ input: id, candidates: expected }])),
      );
    }
    const { code, out } = await run(["inspect", "--json", "?", known]);
    const [bad, good] = json(out);
    assert.equal(code, 1);
    const error = { code: "NO_CANDIDATE", message: "no format has such a text" };
    assert.deepEqual(bad, { input: "?", error });
    assert.ok(Array.isArray(good?.candidates));
  });
});

const discordDrawing = `discord  ${known}

      ╭───────────────────────────────────────────────────────────────╮
  63  │0 0 0 0 0 0 1 0 0 1 1 1 0 0 0 1 0 0 0 0 0 1 1 0 0 1 0 1 1 0 1 0│  32
      │                            a time                             │
      ├───────────────────┬─────────┬─────────┬───────────────────────┤
  31  │1 1 0 0 0 0 0 1 0 0│0 0 0 0 1│0 0 0 0 0│0 0 0 0 0 0 0 0 0 1 1 1│  0
      │      a time       │    b    │    c    │      d increment      │
      ╰───────────────────┴─────────┴─────────┴───────────────────────╯
${discordFields}`;

const snoGrid = `
                                      ╭───────────────────────────────╮
                                  79  │0 0 0 1 1 0 0 1 0 0 0 0 1 0 1 0│  64
                                      │            a time             │
      ╭───────────────────────────────┴─────────────┬─┬───────────────┤
  63  │0 1 1 0 0 0 1 1 1 0 1 0 0 0 0 1 0 0 1 0 1 0 1│0│0 1 0 1 1 0 1 1│  32
      │                   a time                    │b│  c metabyte   │
      ├───────────────────────────────┬─────────────┴─┴───────────────┤
  31  │0 0 0 1 1 0 1 0 1 1 1 0 0 1 1 1│1 1 0 0 0 0 1 0 0 0 1 1 0 0 1 0│  0
      │          d partition          │          e sequence           │
      ╰───────────────────────────────┴───────────────────────────────╯
`;

describe("inspect, for people", () => {
  it("draws the bits and their fields", async () => {
    assert.equal(await succeeds(["inspect", "-f", "discord", known]), discordDrawing);
    assert.equal(
      await succeeds(["inspect", "-f", "discord", known, known]),
      `${discordDrawing}\n${discordDrawing}`,
    );
    const drawing = await succeeds(["inspect", "-f", "sno", "56789abcdefghijk"]);
    assert.ok(drawing.includes(snoGrid), drawing);
    assert.match(drawing, /^ {4}b {2}tickTock {13}0 {2}bit {2}40 {6}1 wide$/m);
  });

  it("draws every format within 80 columns, each bit in its place", async () => {
    const wide = `time:20,${"x".repeat(64)}:1,a:1,b:1,c:1,sequence:40`;
    const custom: typeof facts = [
      [
        "snowflake",
        "9223372036854775807",
        `--epoch 0 --tick-ms 4294967 --fields ${wide}`,
        { integer: "9223372036854775807" },
      ],
      ["snowflake", "9", "--epoch 0 --fields time:2,sequence:2", { integer: "9" }],
      ["snowflake", "5000000000", "--epoch 0 --fields time:32,sequence:1", { integer: "5000000000" }],
    ];
    for (const [format, id, options, expected] of [...facts, ...custom]) {
      const drawing = await succeeds(["inspect", "-f", format, ...options.split(" ").filter(Boolean), id]);
      assert.ok(width(drawing) <= 80, drawing);
      const rows = rowsOf(drawing);
      assert.equal(BigInt(`0b${rows.map(bitsOf).join("")}`), BigInt(String(expected.integer)), drawing);
      // Each line of the grid ends in the same column, and each row of bits except the first is full.
      assert.ok(
        rows.slice(1).every((row) => row.indexOf("│") === 6 && row.lastIndexOf("│") === 70),
        drawing,
      );
      assert.equal(rows.at(0)?.lastIndexOf("│"), 70);
    }
  });

  it("uses colours only where they are wanted", async () => {
    const args = ["inspect", "-f", "sno", "56789abcdefghijk"];
    const coloured = async (env: Record<string, string>) => {
      const { PATH } = process.env;
      const { out } = await outcome(start(args, { env: { PATH, ...env } }));
      assert.equal(withoutColour(out), await succeeds(args));
      return out !== withoutColour(out);
    };
    assert.equal(await coloured({}), false);
    assert.equal(await coloured({ FORCE_COLOR: "1" }), true);
    assert.equal(await coloured({ FORCE_COLOR: "0" }), false);
    assert.equal(await coloured({ FORCE_COLOR: "1", NO_COLOR: "1" }), false);
    assert.equal(await coloured({ FORCE_COLOR: "1", NO_COLOR: "" }), true);
  });

  it("reports a bad ID on standard error, harmlessly, and goes on", async () => {
    const { code, out, err } = await run(["inspect", "-f", "discord"], `\u001b]0;x\u0007\u202e\n${known}\n`);
    assert.deepEqual([code, out], [1, discordDrawing]);
    assert.match(err, /^graupel: "\\u\{1b\}\]0;x\\u\{7\}\\u\{202e\}": .+\n$/);
    const dash = await run(["inspect", "-f", "discord", "--", "-5"]);
    assert.deepEqual([dash.code, dash.out], [1, ""]);
    assert.match(dash.err, /^graupel: "-5": /);
  });

  it("ranks the formats when none is given", async () => {
    const text = await succeeds(["inspect", known]);
    assert.ok(width(text) <= 80);
    const ranked = [...text.matchAll(/^ +(\d+) {2}(\S+) /gm)].map((match) => match[2]);
    assert.deepEqual(
      ranked,
      identify(known).map(({ name }) => name),
    );
    assert.match(text, /2016-04-30T11:18:25\.796Z/);
    assert.match((await run(["inspect", "!"])).err, /^graupel: "!": no format/);
  });

  it("names the option that is wrong", async () => {
    const wrong: [string, RegExp][] = [
      ["--epoch 5 7", /--epoch needs --format/],
      ["--format snowball 7", /unknown format "snowball"/],
      ["--format discord --epoch 5 7", /--epoch is no option of discord/],
      ["--format discord --radix 16 7", /--radix is no option of discord/],
      ["--format discord --partition 16 7", /unknown option "--partition"/],
      ["--format nanoflake 7", /--epoch: /],
      ["--format nanoflake --epoch 0 --layout upside-down 7", /--layout: /],
      ["--format snowflake-si --epoch 5 7", /--epoch: /],
      ["--format snowflake --epoch 0 7", /--fields: /],
      ["--format", /--format needs a value$/m],
    ];
    for (const [args, reason] of wrong) await refuses(["inspect", ...args.split(" ")], reason);
  });
});

describe("the demonstration", () => {
  it("makes and draws an ID of every format within 80 columns", async () => {
    const show = async (env: NodeJS.ProcessEnv) => {
      const { code, out, err } = await outcome(
        spawn(process.execPath, [demo], { env }) as ReturnType<typeof start>,
      );
      assert.deepEqual({ code, err }, { code: 0, err: "" });
      return out;
    };
    const { PATH } = process.env;
    const plain = await show({ PATH });
    assert.equal(plain, withoutColour(plain));
    assert.notEqual(await show({ PATH, FORCE_COLOR: "1" }), plain);
    const listed = json(await succeeds(["formats", "--json"])).map(({ name }) => name);
    const drawn = [...plain.matchAll(/^([a-z-]+) {2}([0-9A-Za-z]+)\n\n +╭/gm)].map((match) => match[1]);
    assert.deepEqual([...drawn].sort(), [...listed].sort());
    assert.ok(
      Math.max(
        ...linesOf(plain)
          .filter((line) => !line.includes("main.js"))
          .map((line) => [...line].length),
      ) <= 80,
    );
    assert.match(plain, /Try next:[\s\S]*main\.js inspect/);
    // The code shown uses only names that exist.
    const known = ["const", "ids", ...Object.keys(await import("graupel"))];
    const spoken = [...plain.matchAll(/^> (\w+)/gm)].map((match) => match[1]);
    assert.deepEqual(
      spoken.filter((name) => !known.includes(name as string)),
      [],
    );
    assert.ok(spoken.includes("sno"));
  });
});
