/**
 * A new format works in SQL and on the command line without changes to either. The other tests in
 * this directory include it in their cases.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
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
const integers = Object.entries(MADE_UP).filter(([, format]) => format !== tide);

describe("SQL", () => {
  for (const [name, format] of integers) {
    test(`${name}: bounds are those of range, and the database counts`, () => {
      const [from, to] = [1.75e12, 1.7500001e12];
      const { min, max } = format.range(from, to);
      const fields = Object.fromEntries(
        format.layout.fields.filter(({ role }) => role === "fixed").map(({ name }) => [name, 3]),
      );
      for (const dialect of ["postgres", "mysql", "sqlite"] as const) {
        const made = sql(format as never, dialect);
        assert.equal(made.min(from), `${format.toBigInt(min)}`);
        assert.equal(made.max(to), `${format.toBigInt(max)}`);
        const { bits } = format.layout.fields[0] as { bits: number };
        assert.ok(made.unixMsOf("id").includes(`>> ${format.layout.bits - bits}`));
      }
      const id = format.toBigInt(format.compose({ ticks: 0, ...fields, [counterOf(format)]: 0 }));
      const target = { table: "t", column: "id", fields };
      const [postgres, mysql] = [sql(format as never, "postgres"), sql(format as never, "mysql")];
      for (const statements of [postgres.defaults(target), mysql.trigger(target)])
        assert.ok(statements.join().includes(`| ${id};`));
      const counted = { ...fields, [counterOf(format)]: 1 };
      assert.throws(() => postgres.defaults({ ...target, fields: counted }), { code: "UNKNOWN_FIELD" });
    });
  }

  test("a clock is rounded as the format rounds", () => {
    const clock = (format: typeof near) => {
      const target = { table: "t", column: "id", fields: format === loud ? { lane: 0 } : {} };
      const text = sql(format as never, "postgres")
        .defaults(target)
        .join();
      return BigInt(/::bigint - (\d+)/.exec(text)?.[1] as string) - BigInt(format.epoch) * 1000n;
    };
    assert.deepEqual([clock(near), clock(loud)], [-500n, 0n]);
  });

  test("an ID without a sign stays below 2^63 where the database has one", () => {
    const past = loud.inspect(loud.fromBigInt(2n ** 63n)).timestamp;
    assert.equal(sql(loud as never, "sqlite").max(past + 1000), `${2n ** 63n - 1n}`);
    assert.throws(() => sql(loud as never, "sqlite").min(past + 1000), { code: "END_OF_LIFE" });
    assert.ok(BigInt(sql(loud as never, "mysql").max(past + 1000)) >= 2n ** 63n);
  });

  test("of texts, there are the bounds of a Date", () => {
    const postgres = sql(tide as never, "postgres");
    assert.ok(postgres.min(1.75e12).includes(`'${tide.range(1.75e12).min}'`));
    assert.throws(() => postgres.timeOf("id"), { code: "TYPE" });
  });
});

const counterOf = ({ layout }: typeof tide) =>
  layout.fields.find(({ role }) => role === "sequence" || role === "random")?.name as string;

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
