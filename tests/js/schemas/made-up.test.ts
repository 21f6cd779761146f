/** A new format works in everything that takes formats, and no line of it changes: what copies.test.ts does not try of it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ajv } from "ajv";
import { mysqlTable } from "drizzle-orm/mysql-core";
import { pgTable } from "drizzle-orm/pg-core";
import { sqliteTable } from "drizzle-orm/sqlite-core";
import { mysqlId, pgId, sqliteId } from "graupel/drizzle";
import { facts } from "graupel/facts";
import { jsonSchema } from "graupel/schema";
import { idAttribute } from "graupel/sequelize";
import { sql } from "graupel/sql";
import { idColumn } from "graupel/typeorm";
import { generatorChoices, textChoices, usualFields } from "../../../js/cli/choices.ts";
import type { FormatFacts } from "../../../js/facts.ts";
import { MADE_UP } from "../support/made-up.ts";

const {
  "a text form": tide,
  "all 64 bits": loud,
  "rounded times": near,
  "hexadecimal digits": hexed,
} = MADE_UP;
const all = Object.entries(MADE_UP);
const integers = all.filter(([, format]) => format !== tide);

/** Some IDs: the first one, the last one, and one between them. */
const idsOf = ({ max, fromBigInt }: (typeof all)[number][1]) => [0n, max / 3n, max].map(fromBigInt);

describe("columns", () => {
  const types = {
    postgres: (format: typeof tide) => pgTable("t", { id: pgId(format as never)() }).id.getSQLType(),
    mysql: (format: typeof tide) => mysqlTable("t", { id: mysqlId(format as never)() }).id.getSQLType(),
    sqlite: (format: typeof tide) => sqliteTable("t", { id: sqliteId(format as never)() }).id.getSQLType(),
    typeorm(format: typeof tide) {
      const { type, length, unsigned } = idColumn(format as never);
      return `${type}${length ? `(${length})` : ""}${unsigned ? " unsigned" : ""}`;
    },
  };
  const expected = {
    postgres: ["char(13)", "bigint", "bigint", "bigint"],
    mysql: ["char(13)", "bigint unsigned", "bigint", "bigint"],
    sqlite: ["text", "integer", "integer", "integer"],
    typeorm: ["varchar(13)", "bigint unsigned", "bigint", "bigint"],
  };
  for (const [name, typeOf] of Object.entries(types)) {
    test(name, () => {
      assert.deepEqual(
        all.map(([, format]) => typeOf(format)),
        expected[name as keyof typeof expected],
      );
    });
  }

  test("sequelize writes a text as it is, and an integer as an integer", () => {
    for (const [, format] of all) {
      for (const id of idsOf(format)) {
        const sent: unknown[] = [];
        idAttribute(format as never).type.bindParam(id as never, {
          bindParam: (value) => `$${sent.push(value)}`,
        });
        assert.equal(`${sent[0]}`, format === tide ? id : `${format.toBigInt(id)}`);
      }
    }
  });

  test("texts of digits that are not decimal are no key of TypeORM", () => {
    assert.throws(() => idColumn(hexed.text as never), /hexed, not its text/);
    idColumn(loud.text as never);
    idColumn(tide.text as never);
  });
});

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
      assert.ok(
        sql(format as never, "postgres")
          .defaults(target)
          .join()
          .includes(`| ${id};`),
      );
      assert.ok(
        sql(format as never, "mysql")
          .trigger(target)
          .join()
          .includes(`| ${id};`),
      );
      const counted = { ...fields, [counterOf(format)]: 1 };
      const postgres = sql(format as never, "postgres");
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
    const { min } = tide.range(1.75e12);
    assert.equal(
      sql(tide as never, "postgres")
        .min(1.75e12)
        .includes(`'${min}'`),
      true,
    );
    assert.throws(() => sql(tide as never, "postgres").timeOf("id"), { code: "TYPE" });
  });
});

const counterOf = ({ layout }: typeof tide) =>
  layout.fields.find(({ role }) => role === "sequence" || role === "random")?.name as string;

describe("schemas", () => {
  const ajv = new Ajv();
  for (const [name, format] of all) {
    test(`${name}: JSON Schema takes what parse takes`, () => {
      const valid = ajv.compile(jsonSchema(format as never));
      const canonical = idsOf(format).map((id) => format.format(id));
      const others = [
        (format.max + 1n).toString(format.layout.base),
        "",
        "x",
        "00",
        "-1",
        `${canonical[1]}0`,
      ];
      for (const text of [...canonical, ...others].flatMap((one) => [
        one,
        one.toUpperCase(),
        one.toLowerCase(),
      ])) {
        assert.equal(valid(text), format.isValid(text), text);
      }
      assert.match(format.format(format.fromBigInt(format.max)), new RegExp(format.layout.pattern));
    });
  }
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
    assert.deepEqual(
      usualFields(one).map(({ name }) => name),
      fields,
    );
    assert.deepEqual(
      generatorChoices(one).map(({ name }) => name),
      fixed,
    );
    assert.deepEqual(
      textChoices(one).map(({ name }) => name),
      text,
    );
  }
});
