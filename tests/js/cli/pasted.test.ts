/** IDs pasted from chats and code: refused, with the command that was probably meant. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { known } from "./known.ts";
import { json, linesOf, run, succeeds } from "./run.ts";

const words = (line: string): string[] => line.split(" ");

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
