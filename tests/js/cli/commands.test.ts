/** The commands other than `inspect`: what they print and where, and their exit status. */
import assert from "node:assert/strict";
import { existsSync, openSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { sno } from "graupel";
import { ROWS } from "../support/formats.ts";
import { type FormatName, make } from "../support/make.ts";
import generated from "./generated.json" with { type: "json" };
import { commands, linesOf, manifest, names, outcome, run, start, succeeds, width, words } from "./run.ts";

describe("the program", () => {
  it("explains itself and each command within 80 columns", async () => {
    const general = await succeeds(["--help"]);
    assert.equal(await succeeds(["-h"]), general);
    assert.equal(await succeeds(["help"]), general);
    for (const name of [...commands, ...names]) assert.ok(general.includes(name), name);
    for (const command of commands) {
      const text = await succeeds([command, "--help"]);
      assert.match(text, new RegExp(`^Usage: graupel ${command}`));
      assert.equal(await succeeds(["help", command]), text);
      assert.equal(await succeeds([command, "--no-such-option", "-h"]), text);
      assert.ok(width(text) <= 80 && width(general) <= 80);
      assert.doesNotMatch(text, /^\{\w+\}$|undefined/m, command);
    }
  });

  it("tells its version", async () => {
    for (const args of [
      ["--version"],
      ["-V"],
      ["version"],
      ...commands.map((command) => [command, "--version"]),
    ]) {
      assert.equal(await succeeds(args), `${manifest.version}\n`);
    }
  });

  it("shows its help on standard error when there is nothing to do", async () => {
    const { code, out, err } = await run([]);
    assert.deepEqual({ code, out, err }, { code: 2, out: "", err: await succeeds(["--help"]) });
  });
});

/** Arguments, the declaration that they stand for, and the expected fields of the IDs. */
const GENERATED: Readonly<Record<string, { declared?: object; fields: object }>> = generated;

describe("generate", () => {
  for (const [args, { declared, fields }] of Object.entries(GENERATED)) {
    it(args, async () => {
      const format = make(words(args)[0] as FormatName, { ...declared });
      const before = Date.now();
      const ids = linesOf(await succeeds(words(`generate ${args} -n 300`)));
      const after = Date.now();
      assert.equal(new Set(ids).size, 300);
      for (const id of ids) {
        const found = format.inspect(format.parse(id)) as unknown as Record<string, number>;
        assert.deepEqual({ ...found, ...fields }, found);
        // The tick may have begun earlier, and policies may run ahead within their bound.
        assert.ok((found.timestamp ?? 0) >= before - 10 && (found.timestamp ?? 0) <= after + 50, id);
      }
    });
  }

  it("keeps sno's sequence within its bounds", async () => {
    const ids = linesOf(await succeeds(words("generate sno --sequence-min 20 --sequence-max 29 -n 100")));
    const sequences = new Set(ids.map((id) => sno.inspect(id).sequence));
    assert.deepEqual([...sequences].sort(), [20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
  });

  it("prints JSON: a number where the IDs are numbers, else a string", async () => {
    const json = async (args: string) =>
      linesOf(await succeeds(words(`generate ${args} --json -n 3`))).map((line) => JSON.parse(line));
    const own = "snowflake --epoch 2024-01-01 --fields time:41,sequence:12 --ids number";
    for (const args of ["snowflake-si --epoch 2024-01-01 --machine-id 3", own])
      for (const id of await json(args)) assert.ok(Number.isSafeInteger(id));
    for (const id of await json("sno")) assert.match(id, /^[2-9a-x]{16}$/);
    for (const id of await json("mastodon")) assert.match(id, /^\d+$/);
  });

  it("makes as many as it is told, one if it is not told, and none", async () => {
    assert.equal(linesOf(await succeeds(["generate", "sno"])).length, 1);
    assert.equal(await succeeds(["generate", "sno", "--count", "0"]), "");
    const ids = linesOf(await succeeds(["generate", "sno", "-n", "100000"]));
    assert.equal(new Set(ids).size, 100_000);
  });

  it("says in a sentence that no ID can be made, with status 1", async () => {
    const future = await run(words("generate nanoflake --epoch 2200-01-01 --generator-id 1"));
    assert.deepEqual([future.code, future.out], [1, ""]);
    assert.match(future.err, /^graupel: .*epoch.*\n$/);
    // There are only two IDs in seven weeks, so the wait fails. The IDs generated before it are
    // printed.
    const slow = "--epoch 2024-01-01 --tick-ms 4294967295 --fields time:20,sequence:1";
    const full = await run(words(`generate snowflake ${slow} --max-wait-ms 0 -n 5`));
    assert.deepEqual([full.code, linesOf(full.out).length], [1, 2]);
    assert.match(full.err, /^graupel: .*--max-wait-ms.*\n$/);
    assert.doesNotMatch(full.err, /maxWaitMs/);
  });

  it("ends quietly when its reader has seen enough", async () => {
    const child = start(words("generate sno -n 9007199254740991"));
    child.stdout?.once("data", () => child.stdout?.destroy());
    const { code, err } = await outcome(child);
    assert.deepEqual({ code, err }, { code: 0, err: "" });
  });

  it("reports an output that cannot be written", async (t: TestContext) => {
    if (!existsSync("/dev/full")) return t.skip("this system has no /dev/full");
    const child = start(["generate", "sno"], { stdio: ["ignore", openSync("/dev/full", "w"), "pipe"] });
    const { code, err } = await outcome(child);
    assert.equal(code, 1);
    assert.match(err, /^graupel: cannot write: ENOSPC.*\n$/);
  });
});

describe("formats", () => {
  it("lists the facts of every format, within 80 columns", async () => {
    const table = await succeeds(["formats"]);
    assert.ok(width(table) <= 80);
    const [, , ...rows] = linesOf(table);
    assert.deepEqual(
      rows.map((row) => row.split(" ")[0]),
      names,
    );
  });

  it("lists them as JSON", async () => {
    const facts = linesOf(await succeeds(["formats", "--json"])).map((line) => JSON.parse(line));
    assert.deepEqual(
      facts.map((fact) => fact.name),
      names,
    );
    for (const format of ROWS.filter(({ facts }) => !facts.declared).map(({ format }) => format)) {
      const fact = facts.find(({ name }) => name === format.name);
      const { epoch, endOfLife, capacity, layout } = format;
      const { bits, tickMs } = layout;
      const fields = layout.fields.map(({ name, bits }) => ({ name, bits }));
      const { lifeMs: _lifeMs, text: _text, ...stated } = fact;
      assert.deepEqual(stated, { name: format.name, bits, fields, epoch, endOfLife, capacity, tickMs });
    }
    const custom = facts.find(({ name }) => name === "snowflake");
    assert.deepEqual([custom.bits, custom.epoch, custom.capacity], [null, null, null]);
  });
});
