/**
 * A new format works in SQL and on the command line without changes to either. The other tests of
 * this directory, and the comparisons of SQL, include it in their cases.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { facts } from "graupel/facts";
import { sql } from "graupel/sql";
import { generatorChoices, textChoices, usualFields } from "../../../js/cli/choices.ts";
import type { FormatFacts } from "../../../js/facts.ts";
import { MADE_UP } from "../support/made-up.ts";

const {
  "a text form": tide,
  "all 64 bits": loud,
  "rounded times": near,
  "hexadecimal digits": hexed,
} = MADE_UP;
test("SQL rounds a clock as the format does", () => {
  const clock = (format: typeof near, fields: Record<string, number>) => {
    const target = { table: "t", column: "id", fields };
    const text = sql(format as never, "postgres")
      .defaults(target)
      .join();
    return BigInt(/::bigint - (\d+)/.exec(text)?.[1] as string) - BigInt(format.epoch) * 1000n;
  };
  assert.deepEqual([clock(near, {}), clock(loud, { lane: 0 })], [-500n, 0n]);
});

test("the command line asks for the fields of the format's facts", () => {
  const row = (format: typeof tide, like: FormatFacts): FormatFacts => ({
    ...like,
    ...{ name: format.name as never, fields: format.layout.fields },
    text: { ...like.text, base: format.layout.base },
    options: [
      ...like.options.filter(({ name }) => facts.snowflake.options.some((one) => one.name === name)),
      ...format.layout.fields
        .filter(({ role }) => role === "fixed")
        .map(({ name }) => ({ ...like.options[0], name, kind: "number", required: true }) as never),
    ],
  });
  const cases: [typeof tide, FormatFacts, string[], string[], string[]][] = [
    [tide, facts["ulid-flake"], ["drops", "shore"], ["shore"], []],
    [loud, facts.discord, ["lane", "tally"], ["lane", "sequence-start"], []],
    [near, facts.mastodon, ["nth"], ["sequence-start"], []],
    [hexed, facts.nanoflake, ["ordinal", "desk"], ["desk", "sequence-start"], ["radix"]],
  ];
  for (const [format, like, fields, fixed, text] of cases) {
    const one = row(format, like);
    const found = [usualFields(one), generatorChoices(one), textChoices(one)];
    const names = found.map((choices) => choices.map(({ name }) => name));
    assert.deepEqual(names, [fields, fixed, text]);
  }
});
