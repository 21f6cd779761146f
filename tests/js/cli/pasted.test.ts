/**
 * The parts of pasted text that reach the terminal. (For the command that is suggested for it, see
 * answers.json.)
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { knownDiscord } from "../support/formats.ts";
import { json, linesOf, run } from "./run.ts";

/**
 * Control characters, bidirectional controls, line separators, invisible characters, and a lone
 * surrogate.
 */
const hidden = [
  ..."\x07\x1b\x7f\x80\x85\x9b\x9f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\u{e0041}\u{f0000}",
  "\ud800",
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for these characters
const obeyed = /[\0-\x09\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Co}]/u;

describe("an ID with characters that a terminal obeys, or that do not show", () => {
  const format = ["--format", "discord"];
  const to = ["convert", "discord", "--to", "hex"];
  for (const args of [["inspect"], ["inspect", ...format], to]) {
    it(`reaches no stream as it is: ${args.join(" ")}`, async () => {
      for (const flags of [[], ["--json"]]) {
        const ids = hidden.map((character) => `${knownDiscord}${character}1`);
        const { code, out, err } = await run([...args, ...flags], `${ids.join("\n")}\n`);
        assert.equal(code, 1);
        assert.doesNotMatch(out + err, obeyed, flags.join());
        const lines = flags.length > 0 ? json(out) : linesOf(err);
        assert.equal(lines.length, ids.length);
      }
    });
  }

  it("is the same input in JSON", async () => {
    const ids = hidden.slice(0, -1).map((character) => `"${character}ü😀"`);
    const { out } = await run(["inspect", "--json"], `${ids.join("\n")}\n`);
    assert.deepEqual(
      json(out).map(({ input }) => input),
      ids,
    );
    assert.match(out, /ü😀/);
  });

  it("is not shown by a refusal of options or commands", async () => {
    for (const character of hidden.slice(0, -1)) {
      const typed = `x${character}y`;
      for (const args of [
        [typed],
        [`--${typed}`],
        ["help", typed],
        ["generate", typed],
        ["generate", "discord", typed],
        ["generate", "discord", "-n", typed],
        ["generate", "discord", `--${typed}`, "1"],
        ["generate", "snowflake", "--epoch", "0", "--fields", `time:41,${typed}:1,sequence:12`],
        ["generate", "snowflake", "--epoch", "0", "--fields", typed],
        ["inspect", "--format", typed, knownDiscord],
        ["inspect", "--format", "nanoflake", "--epoch", typed, knownDiscord],
        ["inspect", "--format", "nanoflake", "--epoch", "0", "--radix", typed, knownDiscord],
        ["convert", "discord", "--to", typed, knownDiscord],
        ["compose", "discord", "--time", typed],
        ["compose", "discord", "--ticks", typed],
        ["range", "discord", typed, "-"],
        ["range", "discord", "-", "-", typed],
      ]) {
        const { code, out, err } = await run(args);
        assert.equal(code, 2, `${JSON.stringify(args)}: ${err}`);
        assert.doesNotMatch(out + err, obeyed, args.join(" "));
      }
    }
  });
});
