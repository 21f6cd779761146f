/** What `graupel/sql` refuses: names that cannot be quoted, times that are none, formats without integers, unknown options. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { discord, GraupelError, nanoflake, sno, snowflake, twitter, ulidFlake } from "graupel";
import { sql } from "graupel/sql";

const DIALECTS = ["postgres", "mysql", "sqlite"] as const;

/** A refusal as the package's others are. */
const refusal = (code: string, field: string) => (error: unknown) => {
  assert.ok(GraupelError.is(error), `${error}`);
  assert.deepEqual([error.code, error.field], [code, field]);
  return true;
};

const odd: unknown[] = [
  undefined,
  null,
  0,
  5,
  {},
  [],
  "",
  ["a", ""],
  ["a", 1],
  "a\0b",
  "\ud800",
  ["\udfff"],
  [["a"]],
  Symbol("a"),
];

for (const dialect of DIALECTS) {
  describe(dialect, () => {
    const { timeOf, unixMsOf, min, max, between } = sql(twitter, dialect);

    test("a column that cannot be quoted", () => {
      for (const name of odd) {
        for (const call of [timeOf, unixMsOf]) {
          assert.throws(() => call(name as never), refusal("TYPE", "column"));
        }
        assert.throws(() => between(name as never, 1.5e12, 1.6e12), refusal("TYPE", "column"));
      }
    });

    test("a quote within a name is doubled", () => {
      const quote = dialect === "postgres" ? '"' : "`";
      assert.ok(
        unixMsOf(["a.b", `x${quote}; DROP TABLE y; --`]).includes(
          `${quote}a.b${quote}.${quote}x${quote}${quote}; DROP TABLE y; --${quote}`,
        ),
      );
    });

    test("a time that is none", () => {
      for (const bound of [min, max]) {
        for (const time of [undefined, "", "  ", { unixMs: 5 }, { unixMs: "" }, { unixMs: undefined }]) {
          assert.throws(
            () => bound(time as never),
            (error) => GraupelError.is(error) && error.code === "TYPE",
          );
        }
        for (const time of [null, {}, [], 5n, NaN, new Date(NaN), Infinity]) {
          assert.throws(
            () => bound(time as never),
            (error) => GraupelError.is(error),
            `${String(time)}`,
          );
        }
        assert.throws(() => bound({ unixMs: "x", more: 1 } as never), refusal("UNKNOWN_OPTION", "more"));
      }
    });

    test("a date of another realm, and the same format as text", () => {
      const date = runInNewContext("new Date(1.5e12)");
      assert.equal(min(date), min(1.5e12));
      const text = sql(twitter.text, dialect);
      assert.equal(text.min(1.5e12), min(1.5e12));
      assert.equal(text.max("x"), max("x"));
      const own = nanoflake({ epoch: 1.4e12 });
      assert.equal(sql(own.text, dialect).max(1.5e12), `${own.range(undefined, 1.5e12).max}`);
    });

    test("texts have bounds alone", () => {
      for (const format of [sno, ulidFlake]) {
        const words = sql(format, dialect);
        assert.match(words.min(1.75e12), new RegExp(`^\\(?'${format.range(1.75e12).min}'`));
        assert.throws(() => words.timeOf("id"), refusal("TYPE", "format"));
        assert.throws(() => words.min("now()"), refusal("TYPE", "format"));
        assert.throws(() => words.max({ unixMs: "1" }), refusal("TYPE", "format"));
      }
    });
  });
}

test("a format or a database that is none", () => {
  for (const format of [undefined, null, {}, "twitter"]) {
    assert.throws(() => sql(format as never, "mysql"), refusal("TYPE", "format"));
  }
  for (const dialect of [undefined, null, "", "oracle", "__proto__", "constructor", {}, ["mysql"]]) {
    assert.throws(() => sql(twitter, dialect as never), refusal("TYPE", "dialect"));
  }
});

describe("statements", () => {
  const postgres = sql(twitter, "postgres");
  const mysql = sql(twitter, "mysql");
  const months = { table: "t", from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 2, 1) };

  test("names that a database would cut off", () => {
    const long = "ä".repeat(32);
    assert.throws(() => postgres.unixMsOf(long), refusal("TYPE", "column"));
    assert.ok(postgres.unixMsOf(long.slice(1)));
    assert.throws(() => postgres.partitions({ ...months, table: "t".repeat(56) }), refusal("TYPE", "table"));
    assert.throws(() => postgres.functions("t".repeat(60)), refusal("TYPE", "name"));
    assert.throws(() => mysql.unixMsOf("x".repeat(65)), refusal("TYPE", "column"));
    assert.throws(() => mysql.unixMsOf("x "), refusal("TYPE", "column"));
    assert.throws(() => mysql.unixMsOf("😀"), refusal("TYPE", "column"));
  });

  test("options", () => {
    for (const make of [postgres.defaults, mysql.defaults, mysql.trigger]) {
      const given = { table: "t", column: "id", fields: { datacenterId: 1, workerId: 2 } };
      assert.ok(make(given).length > 1);
      assert.throws(() => make({ ...given, worker: 1 } as never), refusal("UNKNOWN_OPTION", "worker"));
      assert.throws(
        () => make({ ...given, fields: { datacenterId: 1 } } as never),
        refusal("TYPE", "workerId"),
      );
      assert.throws(
        () => make({ ...given, fields: { datacenterId: 32, workerId: 0 } }),
        refusal("RANGE", "datacenterId"),
      );
      assert.throws(
        () => make({ ...given, fields: { ...given.fields, other: 1 } }),
        refusal("UNKNOWN_FIELD", "other"),
      );
      for (const name of ["sequence", "time", "timestamp", "ticks"]) {
        assert.throws(
          () => make({ ...given, fields: { ...given.fields, [name]: 0 } }),
          refusal("UNKNOWN_FIELD", name),
        );
      }
      assert.throws(() => make({ ...given, column: undefined } as never), refusal("TYPE", "column"));
      assert.throws(
        () => make(undefined as never),
        (error) => GraupelError.is(error),
      );
    }
    for (const maxAheadMs of [-1, 0.5, "1", 2 ** 31, NaN]) {
      const given = {
        table: "t",
        column: "id",
        fields: { datacenterId: 1, workerId: 2 },
        maxAheadMs,
      } as never;
      assert.throws(() => postgres.defaults(given), refusal("RANGE", "maxAheadMs"));
      assert.throws(() => mysql.trigger(given), refusal("RANGE", "maxAheadMs"));
    }
  });

  test("months", () => {
    assert.deepEqual(postgres.partitions({ ...months, from: new Date(months.from) }), [
      `CREATE TABLE "t_2025_01" PARTITION OF "t" FOR VALUES FROM (1874244142494646272) TO (1885478166328246272)`,
      `CREATE TABLE "t_2025_02" PARTITION OF "t" FOR VALUES FROM (1885478166328246272) TO (1895625026565046272)`,
    ]);
    assert.throws(() => postgres.partitions({ ...months, to: months.from }), refusal("CONFLICT", "from"));
    assert.throws(() => postgres.partitions({ ...months, from: 0, to: 1 }), refusal("BEFORE_EPOCH", "to"));
    assert.throws(
      () => postgres.partitions({ ...months, from: 4e12, to: 4.1e12 }),
      refusal("END_OF_LIFE", "from"),
    );
    assert.throws(() => postgres.partitions({ ...months, to: undefined } as never), refusal("TYPE", "to"));
    assert.throws(
      () => postgres.partitions({ ...months, column: "id" } as never),
      refusal("UNKNOWN_OPTION", "column"),
    );
    const wide = snowflake({ epoch: 0, fields: { time: 50, sequence: 13 } });
    assert.throws(
      () => sql(wide, "mysql").partitions({ ...months, from: 0, to: 8e15 }),
      refusal("RANGE", "to"),
    );
  });

  test("the first and the last month of a format's life", () => {
    const all = sql(discord, "postgres").partitions({
      table: "t",
      from: Date.UTC(2014, 5),
      to: Date.UTC(2015, 1),
    });
    assert.deepEqual(all, [
      'CREATE TABLE "t_2015_01" PARTITION OF "t" FOR VALUES FROM (0) TO (11234023833600000)'.replace(
        "11234023833600000",
        `${discord.range(Date.UTC(2015, 1)).min}`,
      ),
    ]);
    // A signed column ends in September 2084, a column without a sign in 2154.
    const late = { table: "t", from: Date.UTC(2084, 8), to: Date.UTC(2085, 0) };
    const signed = sql(discord, "postgres").partitions(late);
    assert.equal(signed.length, 1);
    assert.match(signed[0] as string, /TO \(MAXVALUE\)$/);
    const last = sql(discord, "mysql").partitions({
      table: "t",
      from: Date.UTC(2154, 4),
      to: Date.UTC(2200, 0),
    });
    assert.match(last[0] as string, /p2154_05 VALUES LESS THAN MAXVALUE\n\)$/);
    assert.throws(() => sql(discord, "postgres").min(Date.UTC(2100, 0)), refusal("END_OF_LIFE", "time"));
    assert.equal(sql(discord, "postgres").max(Date.UTC(2100, 0)), `${2n ** 63n - 1n}`);
    assert.equal(sql(discord, "mysql").min(Date.UTC(2100, 0)), `${discord.range(Date.UTC(2100, 0)).min}`);
  });
});
