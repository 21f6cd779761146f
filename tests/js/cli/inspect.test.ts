/** `graupel inspect`, and the demonstration. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, it } from "node:test";
import { identify } from "graupel";
import { knownDiscord } from "../support/formats.ts";
import { knownIds } from "./known.ts";
import { demo, json, names, outcome, run, start, succeeds, width, withoutColour, words } from "./run.ts";

describe("inspect --json", () => {
  for (const [format, id, options, expected] of knownIds) {
    it(`reads the known ${format} ID ${id}`, async () => {
      const args = words(`inspect --format ${format} ${options} --json`);
      const text = await succeeds([...args, id]);
      assert.deepEqual(json(text), [{ input: id, format, text: id, ...expected }]);
      assert.equal(await succeeds(args, `${id}\n`), text);
    });
  }

  it("shows the beginning of a long input", async () => {
    const { code, out } = await run(["inspect", "-f", "discord", "--json"], `${"1".repeat(5000)}\n`);
    const [{ input, error } = {}] = json(out);
    assert.deepEqual([code, input], [1, `${"1".repeat(64)}…`]);
    assert.equal((error as { code: string }).code, "LENGTH");
  });

  it("lists what an ID could be when no format is given", async () => {
    for (const id of [knownDiscord, "56789abcdefghijk", "3JS07ENW3AHRZ", "puz49ejoty38"]) {
      const expected = identify(id).map(({ name, text, integer, reason, timestamp, time }) => ({
        name,
        text,
        integer: String(integer),
        reason,
        timestamp,
        time,
      }));
      assert.deepEqual(
        json(await succeeds(["inspect", "--json", id])),
        JSON.parse(JSON.stringify([{ input: id, candidates: expected }])),
      );
    }
    const { code, out } = await run(["inspect", "--json", "?", knownDiscord]);
    const [bad, good] = json(out);
    assert.equal(code, 1);
    const error = { code: "NO_CANDIDATE", message: "not an ID of any format" };
    assert.deepEqual(bad, { input: "?", error });
    assert.ok(Array.isArray(good?.candidates));
  });
});

describe("inspect, for people", () => {
  it("uses colours only where they are wanted", async () => {
    const args = ["inspect", "-f", "sno", "56789abcdefghijk"];
    const coloured = async (env: Record<string, string>) => {
      const { PATH } = process.env;
      const { out } = await outcome(start(args, { env: { PATH, ...env } }));
      assert.equal(withoutColour(out), await succeeds(args));
      return out !== withoutColour(out);
    };
    for (const env of [{ FORCE_COLOR: "1" }, { FORCE_COLOR: "1", NO_COLOR: "" }])
      assert.equal(await coloured(env), true);
    for (const env of [{}, { FORCE_COLOR: "0" }, { FORCE_COLOR: "1", NO_COLOR: "1" }])
      assert.equal(await coloured(env), false);
  });

  it("ranks the formats when none is given", async () => {
    const text = await succeeds(["inspect", knownDiscord]);
    assert.ok(width(text) <= 80);
    const ranked = [...text.matchAll(/^ +(\d+) {2}(\S+) /gm)].map((match) => match[2]);
    assert.deepEqual(
      ranked,
      identify(knownDiscord).map(({ name }) => name),
    );
    assert.match(text, /2016-04-30T11:18:25\.796Z {2}175928847299117063 {2}usual fields$/m);
    assert.match(text, /^ +\d {2}mastodon .* future$/m);
    assert.match((await run(["inspect", "!"])).err, /^graupel: "!": not an ID of any format/);
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
    assert.match(plain, /Try next:[\s\S]*main\.js inspect/);
  });
});
