/** `graupel doctor`, with modules from `trips/` that write and read IDs in various ways. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import kinds from "./doctor.json" with { type: "json" };
import { outcome, run, start, words } from "./run.ts";

const directory = join(import.meta.dirname, "trips");

/** The words of a command, with the paths of its modules. */
const doctorOf = (line: string) => [
  "doctor",
  ...words(line).map((word) => (word.endsWith(".mjs") ? join(directory, word) : word)),
];
const doctor = (line: string, KIND?: string) => run(doctorOf(line), "", { KIND });

/**
 * Runs in a separate process: a program's `console` belongs to its process, and what it leaves open
 * ends with it.
 */
function alone(line: string, KIND?: string) {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  return outcome(start(doctorOf(line), { env: { ...env, KIND }, timeout: 600_000 }));
}

interface Row {
  readonly probe: string;
  readonly sent: string;
  readonly back: string;
  readonly state: string;
  readonly means: string;
}

/**
 * The exit status and the rows of a command: for an ID from a busy tick, one from a quiet tick, and
 * the format's last ID.
 */
async function rows(line: string, KIND?: string): Promise<{ code: number | null; rows: Row[] }> {
  const { code, out, err } = await doctor(`${line} --json`, KIND);
  const found = out.trimEnd().split("\n");
  assert.equal(found.length, 3, err);
  return { code, rows: found.map((row) => JSON.parse(row)) };
}

describe("doctor", { concurrency: 4 }, () => {
  // The kinds in trips/kinds.mjs: the states of the three IDs, a pattern for the words of one of
  // them, and further arguments. Only an ID of a busy tick makes the command fail.
  for (const [kind, [states, means, more = ""]] of Object.entries(kinds)) {
    it(`says what happened: ${kind}`, async () => {
      const { code, rows: found } = await rows(`kinds.mjs ${more}`, kind);
      // One in 25 IDs of a quiet tick stays the same as the decimal text of a number.
      const survives = kind === "rounded text" && found[1]?.back === JSON.stringify(found[1]?.sent);
      const expected = survives ? "changed, other, changed" : states;
      assert.equal(found.map(({ state }) => state).join(", "), expected);
      assert.match(found.map((row) => row.means).join("\n"), new RegExp(means ?? "", "m"));
      assert.equal(code, found[0]?.state === "changed" ? 1 : 0);
    });
  }

  it("sends IDs that ascend, and also on the other ways of the module", async () => {
    const { code, out } = await doctor("ways.mjs --json");
    const found = out
      .trimEnd()
      .split("\n")
      .map((row): Row => JSON.parse(row));
    assert.deepEqual(
      found.map(({ probe, state }) => [probe, state]),
      [
        ["an ID of a busy tick in JSON", "changed"],
        ["the first ID of a tick in JSON", "whole"],
        ["an ID of a busy tick in a condition", "changed"],
        ["the first ID of a tick in a condition", "changed"],
        ["an ID of a busy tick", "whole"],
        ["the first ID of a tick", "whole"],
        ["the last ID of the format", "whole"],
      ],
    );
    const sent = found.map((row) => BigInt(row.sent));
    assert.deepEqual(
      sent,
      [...sent].sort((a, b) => (a < b ? -1 : 1)),
    );
    assert.equal(code, 1);
  });

  it("takes a format of the module, and its numbers", async () => {
    const { code, rows: found } = await rows("own-format.mjs");
    assert.equal(code, 0);
    for (const { state, sent, back } of found) assert.deepEqual([state, back], ["whole", sent]);
    const texts = await rows("own-format.mjs --text");
    for (const { back } of texts.rows) assert.match(back, /^"\d+"$/);
  });

  it("a real PostgreSQL, which takes bigints and texts", async () => {
    for (const [line, state] of [
      ["pglite.mjs", "whole"],
      ["pglite.mjs --text", "other"],
    ] as const) {
      const { code, rows: found } = await rows(line);
      assert.equal(code, 0);
      for (const row of found) assert.equal(row.state, state);
    }
    // Its column is signed.
    const { code, rows: found } = await rows("pglite.mjs --format discord");
    assert.equal(code, 0);
    assert.match(found[2]?.means ?? "", /^an error: .*out of range/);
  });

  it("shows it to people, and lets nothing reach the terminal", async () => {
    const { out, err, code } = await alone("kinds.mjs", "escape");
    assert.equal(code, 1);
    assert.match(err, /^closed$/m);
    const lines = out.trimEnd().split("\n");
    assert.equal(lines.length, 12);
    assert.equal(lines[0], "an ID of a busy tick");
    assert.match(lines[1] ?? "", /^ {2}sent {7}\d{19}n$/);
    assert.equal(lines[2], '  came back  "\\u001b[31mred"');
    assert.equal(lines[3], "  changed    a different text");
    assert.ok(!out.includes("\u001b"));
  });

  it("refuses what it cannot work with", async () => {
    for (const [line, status, message] of [
      ["", 2, /doctor needs a module/],
      ["kinds.mjs kinds.mjs", 2, /expected one module/],
      ["kinds.mjs --format foo", 2, /unknown format "foo"/],
      ["kinds.mjs --epoch 0", 2, /--epoch needs --format/],
      ["none.mjs", 1, /there is no module ".*none.mjs"/],
      ["no-function.mjs", 1, /its default export is not a function that writes an ID/],
    ] as const) {
      const { code, out, err } = await doctor(line, "same");
      assert.deepEqual([code, out], [status, ""], line);
      assert.match(err, message);
    }
  });
});
