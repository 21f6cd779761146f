/** `graupel inspect` and the demonstration, run as child processes. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { styleText } from "node:util";
import { identify } from "graupel";
import { facts as formatFacts } from "graupel/facts";
import palette from "../../../js/cli/palette.json" with { type: "json" };
import { drawingOf } from "./drawing.ts";
import { facts, known } from "./known.ts";
import {
  demo,
  json,
  linesOf,
  names,
  outcome,
  run,
  start,
  succeeds,
  width,
  withoutColour,
  words,
} from "./run.ts";

describe("inspect --json", () => {
  for (const [format, id, options, expected] of facts) {
    it(`reads the known ${format} ID ${id}`, async () => {
      const args = words(`inspect --format ${format} ${options} --json`);
      const text = await succeeds([...args, id]);
      assert.deepEqual(json(text), [{ input: id, format, text: id, ...expected }]);
      assert.equal(await succeeds(args, `${id}\n`), text);
    });
  }

  it("reads the layout that published Nanoflake programs used", async () => {
    const args = words("inspect -f nanoflake --epoch 0 --layout reference-24 --json");
    const [found] = json(await succeeds([...args, "qv05afkpuz49"]));
    const { timestamp, generatorId, sequence } = found ?? {};
    assert.deepEqual([timestamp, generatorId, sequence], [210733421721, 16, 1609]);
  });

  it("reads Nanoflakes in another radix, and writes them canonically", async () => {
    const args = words("inspect -f nanoflake --epoch 0 --json --radix");
    for (const [radix, text] of [
      ["16", "2f3cb494b249b5d4"],
      ["32", "2uf5kiip4jdek"],
      ["10", "3403793969124586964"],
    ]) {
      const [found] = json(await succeeds([...args, radix ?? "", text ?? ""]));
      assert.deepEqual([found?.input, found?.text], [text, "puz49ejoty38"]);
    }
  });

  it("takes an ISO time for Unix milliseconds", async () => {
    const args = (epoch: string) => words(`inspect -f snowflake-si --epoch ${epoch} --json 12345678901`);
    const text = await succeeds(args("1704110400000"));
    for (const epoch of ["2024-01-01T12:00Z", "2024-01-01T12:00:00Z", "2024-01-01T12:00:00.000Z"]) {
      assert.equal(await succeeds(args(epoch)), text);
    }
  });

  it("puts a bad ID's error in its place, goes on, and ends with status 1", async () => {
    const long = "1".repeat(5000);
    const input = ["x", known, "", "01", "18446744073709551616", long, "é\u0000\u001b[31m", known];
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

  it("hides no key behind a field of the layout, which a drawing may have", async () => {
    const args = words("inspect -f snowflake --epoch 0 --fields time:41,text:4,sequence:12 7");
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

const discordDrawing = drawingOf("discord, 80 columns");

describe("inspect, for people", () => {
  it("draws the bits and their fields", async () => {
    assert.equal(await succeeds(["inspect", "-f", "discord", known]), discordDrawing);
    assert.equal(
      await succeeds(["inspect", "-f", "discord", known, known]),
      `${discordDrawing}\n${discordDrawing}`,
    );
    const drawing = await succeeds(["inspect", "-f", "sno", "56789abcdefghijk"]);
    assert.ok(drawing.includes(`\n${drawingOf("sno, the grid")}`), drawing);
    assert.match(drawing, /^ {4}b {2}tickTock {13}0 {2}bit {2}40 {6}1 wide$/m);
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

  it("gives each field the colour of its kind", async () => {
    const { out } = await outcome(
      start(["inspect", "-f", "sno", "56789abcdefghijk"], { env: { FORCE_COLOR: "1" } }),
    );
    const { kinds, roles } = palette;
    for (const [i, { name, role }] of (formatFacts.sno.fields ?? []).entries()) {
      const { terminal } = kinds[roles[role] as keyof typeof kinds];
      const [before = ""] = styleText(terminal as "red", "|", { validateStream: false }).split("|");
      assert.ok(out.includes(`${before}${"abcde"[i]}  ${name}`), name);
    }
    assert.equal(new Set(Object.values(kinds).map(({ terminal }) => terminal)).size, 7);
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
    const drawn = [...plain.matchAll(/^([a-z-]+) {2}([0-9A-Za-z]+)\n\n +╭/gm)].map((match) => match[1]);
    assert.deepEqual([...drawn].sort(), [...names].sort());
    const drawings = linesOf(plain).filter((line) => !line.includes("main.js"));
    assert.ok(width(drawings.join("\n")) <= 80);
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
