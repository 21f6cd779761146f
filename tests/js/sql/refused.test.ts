/**
 * What `graupel/sql` rejects: names that cannot be quoted, invalid times, formats without integers,
 * and unknown options.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { discord, nanoflake, sno, snowflake, twitter, ulidFlake } from "graupel";
import { sql } from "graupel/sql";
import { MADE_UP } from "../support/made-up.ts";

/** Checks that each call fails. */
const refuses = (code: string, field: string | undefined, ...calls: readonly (() => unknown)[]) => {
  for (const call of calls)
    assert.throws(call, { name: "GraupelError", code, ...(field !== undefined && { field }) }, `${call}`);
};

const texts = ["", "a\0b", "\ud800"];
const odd = [undefined, null, 0, 5, {}, [], ...texts, ["a", ""], ["a", 1], ["\udfff"], [["a"]], Symbol("a")];

for (const dialect of ["postgres", "mysql", "sqlite"] as const) {
  describe(dialect, () => {
    const { timeOf, unixMsOf, min, max, between } = sql(twitter, dialect);

    test("a column that cannot be quoted is rejected; a quote within a name is doubled", () => {
      const between_ = (name: never) => between(name, 1.5e12, 1.6e12);
      for (const name of odd)
        for (const call of [timeOf, unixMsOf, between_]) refuses("TYPE", "column", () => call(name as never));
      const q = dialect === "postgres" ? '"' : "`";
      const quoted = `${q}a.b${q}.${q}x${q}${q}; DROP TABLE y; --${q}`;
      assert.ok(unixMsOf(["a.b", `x${q}; DROP TABLE y; --`]).includes(quoted));
    });

    test("an invalid time is rejected", () => {
      for (const bound of [min, max]) {
        for (const time of [undefined, "", "  ", { unixMs: 5 }, { unixMs: "" }, { unixMs: undefined }])
          refuses("TYPE", undefined, () => bound(time as never));
        for (const time of [null, {}, [], 5n, NaN, new Date(NaN), Infinity])
          assert.throws(() => bound(time as never), { name: "GraupelError" }, `${String(time)}`);
        refuses("UNKNOWN_OPTION", "more", () => bound({ unixMs: "x", more: 1 } as never));
      }
    });

    test("a date of another realm and a format's `text` are accepted", () => {
      assert.equal(min(runInNewContext("new Date(1.5e12)")), min(1.5e12));
      const text = sql(twitter.text, dialect);
      assert.deepEqual([text.min(1.5e12), text.max("x")], [min(1.5e12), max("x")]);
      const own = nanoflake({ epoch: 1.4e12 });
      assert.equal(sql(own.text, dialect).max(1.5e12), `${own.range(undefined, 1.5e12).max}`);
    });

    test("text formats have only bounds", () => {
      for (const format of [sno, ulidFlake]) {
        const words = sql(format, dialect);
        assert.match(words.min(1.75e12), new RegExp(`^\\(?'${format.range(1.75e12).min}'`));
        const calls = [() => words.timeOf("id"), () => words.min("now()"), () => words.max({ unixMs: "1" })];
        refuses("TYPE", "format", ...calls);
      }
    });
  });
}

test("a clock is rounded as the format rounds", () => {
  const clock = (format: object, fields: Record<string, number>) => {
    const statements = sql(format as typeof twitter, "postgres").defaults({
      ...{ table: "t", column: "id", fields: fields as never },
    });
    const { epoch } = format as typeof twitter;
    return BigInt(/::bigint - (\d+)/.exec(statements.join())?.[1] as string) - BigInt(epoch) * 1000n;
  };
  const { "all 64 bits": down, "rounded times": nearest } = MADE_UP;
  assert.deepEqual([clock(nearest, {}), clock(down, { lane: 0 })], [-500n, 0n]);
});

test("an unknown database is rejected", () => {
  for (const dialect of [undefined, null, "", "oracle", "__proto__", "constructor", {}, ["mysql"]])
    refuses("TYPE", "dialect", () => sql(twitter, dialect as never));
});

describe("statements", () => {
  const postgres = sql(twitter, "postgres");
  const mysql = sql(twitter, "mysql");
  const months = { table: "t", from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 2, 1) };

  test("names that a database would truncate are rejected", () => {
    const long = "ä".repeat(32);
    assert.ok(postgres.unixMsOf(long.slice(1)));
    refuses("TYPE", "column", () => postgres.unixMsOf(long));
    refuses("TYPE", "table", () => postgres.partitions({ ...months, table: "t".repeat(56) }));
    refuses("TYPE", "name", () => postgres.functions("t".repeat(60)));
    for (const name of ["x".repeat(65), "x ", "😀"]) refuses("TYPE", "column", () => mysql.unixMsOf(name));
  });

  test("options", () => {
    const given = { table: "t", column: "id", fields: { datacenterId: 1, workerId: 2 } };
    for (const make of [postgres.defaults, mysql.defaults, mysql.trigger]) {
      assert.ok(make(given).length > 1);
      for (const [changes, code, field] of [
        [{ worker: 1 }, "UNKNOWN_OPTION", "worker"],
        [{ fields: { datacenterId: 1 } }, "TYPE", "workerId"],
        [{ fields: { datacenterId: 32, workerId: 0 } }, "RANGE", "datacenterId"],
        [{ column: undefined }, "TYPE", "column"],
      ] as const)
        refuses(code, field, () => make({ ...given, ...changes } as never));
      for (const name of ["other", "sequence", "time", "timestamp", "ticks"])
        refuses("UNKNOWN_FIELD", name, () => make({ ...given, fields: { ...given.fields, [name]: 0 } }));
      assert.throws(() => make(undefined as never), { name: "GraupelError" });
    }
    for (const make of [postgres.defaults, mysql.trigger])
      for (const maxAheadMs of [-1, 0.5, "1", 2 ** 31, NaN])
        refuses("RANGE", "maxAheadMs", () => make({ ...given, maxAheadMs } as never));
  });

  test("months", () => {
    assert.deepEqual(postgres.partitions({ ...months, from: new Date(months.from) }), [
      `CREATE TABLE "t_2025_01" PARTITION OF "t" FOR VALUES FROM (1874244142494646272) TO (1885478166328246272)`,
      `CREATE TABLE "t_2025_02" PARTITION OF "t" FOR VALUES FROM (1885478166328246272) TO (1895625026565046272)`,
    ]);
    for (const [changes, code, field] of [
      [{ to: months.from }, "CONFLICT", "from"],
      [{ from: 0, to: 1 }, "BEFORE_EPOCH", "to"],
      [{ from: 4e12, to: 4.1e12 }, "END_OF_LIFE", "from"],
      [{ to: undefined }, "TYPE", "to"],
      [{ column: "id" }, "UNKNOWN_OPTION", "column"],
    ] as const)
      refuses(code, field, () => postgres.partitions({ ...months, ...changes } as never));
    const wide = sql(snowflake({ epoch: 0, fields: { time: 50, sequence: 13 } }), "mysql");
    refuses("RANGE", "to", () => wide.partitions({ ...months, from: 0, to: 8e15 }));
  });

  test("the first and the last month of a format's life", () => {
    const [signed, unsigned] = [sql(discord, "postgres"), sql(discord, "mysql")];
    assert.deepEqual(signed.partitions({ table: "t", from: Date.UTC(2014, 5), to: Date.UTC(2015, 1) }), [
      `CREATE TABLE "t_2015_01" PARTITION OF "t" FOR VALUES FROM (0) TO (${discord.range(Date.UTC(2015, 1)).min})`,
    ]);
    // A signed column ends in September 2084, an unsigned one in 2154.
    const late = signed.partitions({ table: "t", from: Date.UTC(2084, 8), to: Date.UTC(2085, 0) });
    assert.equal(late.length, 1);
    assert.match(late[0] as string, /TO \(MAXVALUE\)$/);
    const [last] = unsigned.partitions({ table: "t", from: Date.UTC(2154, 4), to: Date.UTC(2200, 0) });
    assert.match(last as string, /p2154_05 VALUES LESS THAN MAXVALUE\n\)$/);
    refuses("END_OF_LIFE", "time", () => signed.min(Date.UTC(2100, 0)));
    assert.equal(signed.max(Date.UTC(2100, 0)), `${2n ** 63n - 1n}`);
    assert.equal(unsigned.min(Date.UTC(2100, 0)), `${discord.range(Date.UTC(2100, 0)).min}`);
  });
});
