/** IDs pasted from chats and code: refused, with the command that was probably meant. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { known } from "./known.ts";
import { json, linesOf, run, succeeds, words } from "./run.ts";

/** What a terminal obeys, what turns the text around it, what splits lines, what does not show, and half a character. */
const hidden = [
  ..."\x07\x1b\x7f\x80\x85\x9b\x9f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\u{e0041}\u{f0000}",
  "\ud800",
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
const obeyed = /[\0-\x09\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Co}]/u;

describe("an ID with characters that a terminal obeys, or that do not show", () => {
  const format = ["--format", "discord"];
  const to = ["convert", "discord", "--to", "hex"];
  for (const args of [["inspect"], ["inspect", ...format], to]) {
    it(`reaches no stream as it is: ${args.join(" ")}`, async () => {
      for (const flags of [[], ["--json"]]) {
        const ids = hidden.map((character) => `${known}${character}1`);
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
        ["inspect", "--format", typed, known],
        ["inspect", "--format", "nanoflake", "--epoch", typed, known],
        ["inspect", "--format", "nanoflake", "--epoch", "0", "--radix", typed, known],
        ["convert", "discord", "--to", typed, known],
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

describe("an ID with something around it", () => {
  const sno = "brpk4q72xwf2m63l";
  const pasted: readonly (readonly [string, string])[] = [
    [`"${known}"`, known],
    [`'${known}'`, known],
    [`\`${known}\``, known],
    [`“${known}”`, known],
    [`<@${known}>`, known],
    [`<@!${known}>`, known],
    [`<@&${known}>`, known],
    [`<#${known}>`, known],
    [`<:name:${known}>`, known],
    [`<a:name:${known}>`, known],
    [`</ask me:${known}>`, known],
    [`${known},`, known],
    [`${known}n`, known],
    [` ${known}`, known],
    [`${known}\t `, known],
    [`\ufeff${known}`, known],
    [`  "${known}",`, known],
    [`${known}n,`, known],
  ];
  for (const [from, ids, input] of [
    ["the command line", pasted.map(([text]) => text), ""],
    ["standard input", [], pasted.map(([text]) => `${text}\n`).join("")],
  ] as const) {
    it(`is refused, and the command for it is offered: from ${from}`, async () => {
      const { code, out, err } = await run(["inspect", ...ids], input);
      assert.deepEqual([code, out], [1, ""]);
      const told = linesOf(err);
      assert.equal(told.length, 2 * pasted.length);
      for (const [i, [text, id]] of pasted.entries()) {
        const refusal = `graupel: "${text.replace("\t", "\\u{9}").replace("\ufeff", "\\u{feff}")}": no format has such a text`;
        assert.deepEqual(told.slice(2 * i, 2 * i + 2), [
          refusal,
          `graupel: did you mean: graupel inspect ${id}`,
        ]);
      }
    });
  }

  const typed: [string, string, string][] = [
    ["inspect -f discord", `<@${known}>`, `inspect -f discord ${known}`],
    ["inspect --format=discord", `"${known}"`, `inspect --format discord ${known}`],
    ["inspect -fsno", `'${sno}',`, `inspect -f sno ${sno}`],
    [
      "inspect --format nanoflake --epoch=-5 --radix=16",
      '"2f3cb494b249b5d4"',
      "inspect --format nanoflake --epoch -5 --radix 16 2f3cb494b249b5d4",
    ],
    [
      "inspect -f snowflake --fields time:41,a:4,sequence:12 --epoch 2024-01-01T00:00Z",
      "7n",
      "inspect -f snowflake --fields time:41,a:4,sequence:12 --epoch 2024-01-01T00:00Z 7",
    ],
    ["convert sno --to uuid", `"${sno}"`, `convert sno --to uuid ${sno}`],
    ["convert --to=hex discord", `${known}n`, `convert discord --to hex ${known}`],
  ];
  for (const [args, text, command] of typed) {
    it(`is offered with the options that were typed: ${args}`, async () => {
      const { code, err } = await run([...words(args), text]);
      assert.deepEqual([code, linesOf(err)[1]], [1, `graupel: did you mean: graupel ${command}`]);
      // The suggested command works.
      assert.notEqual(await succeeds(words(command)), "");
    });
  }

  it("is offered in JSON too", async () => {
    const { code, out, err } = await run(["inspect", "--json", "-f", "discord", `"${known}"`, "x"]);
    assert.deepEqual([code, err], [1, ""]);
    const [first, second] = json(out).map(({ error }) => error as Record<string, string>);
    assert.equal(first?.suggestion, `graupel inspect --json -f discord ${known}`);
    assert.deepEqual(Object.keys(second ?? {}), ["code", "message"]);
  });

  it("is offered nothing where there is no ID inside, or nothing around one", async () => {
    for (const text of [
      "",
      " ",
      '""',
      "<@>",
      "<@x>",
      "!",
      `"${known}0000"`,
      `<@${known}`,
      "<t:1700000000>",
    ]) {
      const { code, err } = await run(["inspect", text]);
      assert.deepEqual([code, linesOf(err).length], [1, 1], `${text}: ${err}`);
    }
    for (const [format, text] of [
      ["sno", `"${known}"`],
      ["discord", `"${sno}"`],
      ["discord", `0${known}n`],
    ] as const) {
      const { err } = await run(["inspect", "-f", format, text]);
      assert.equal(linesOf(err).length, 1, err);
    }
  });

  it("is an ID where the format says so", async () => {
    assert.match(await succeeds(["inspect", "-f", "nanoflake", "--epoch", "0", "7n"]), /^nanoflake {2}7n$/m);
  });
});
