/** SQLite's SQL, on `node:sqlite` if Node has it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sno, twitter } from "graupel";
import { sql } from "graupel/sql";
import { agreeOnBounds, agreeOnTimes, type Database } from "./agreement.ts";

interface Statement {
  setReadBigInts(on: boolean): void;
  all(...values: unknown[]): Record<string, unknown>[];
}
interface Sqlite {
  DatabaseSync: new (path: string) => { prepare(text: string): Statement; exec(text: string): void };
}

const module = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as Sqlite | undefined;
const skip = module === undefined && "this Node has no node:sqlite";

describe("SQLite", { skip }, () => {
  const database = module && new module.DatabaseSync(":memory:");
  function all(text: string, ...values: unknown[]) {
    const statement = database?.prepare(text) as Statement;
    statement.setReadBigInts(true);
    return statement.all(...values);
  }
  const it: Database = {
    dialect: "sqlite",
    rows: async (text) =>
      all(text).map((row) => Object.values(row).map((value) => (value === null ? null : `${value}`))),
  };

  test("the time of an ID equals that of `inspect`", () => agreeOnTimes(it, 60));
  test("bounds equal those of `range`", () => agreeOnBounds(it, 12));

  test("bounds use the index, and accept a placeholder", () => {
    database?.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY)");
    const { between, min } = sql(twitter, "sqlite");
    for (const condition of [
      between("id", "'now', '-1 day'", "'now'"),
      `id >= ${min({ unixMs: "?" })}`,
      `id >= ${min(Date.UTC(2025, 0, 1))}`,
    ]) {
      const values = condition.includes("?") ? [1e12] : [];
      const plan = all(`EXPLAIN QUERY PLAN SELECT * FROM orders WHERE ${condition}`, ...values);
      assert.match(`${plan[0]?.detail}`, /^SEARCH orders USING INTEGER PRIMARY KEY/);
    }
  });

  test("texts are compared byte by byte", () => {
    const at = (i: number) => sno.with(sno.next(), { timestamp: 1.75e12 + i * 1000 });
    const ids = Array.from({ length: 300 }, (_, i) => at(i));
    for (const collation of ["BINARY", "NOCASE"]) {
      database?.exec("DROP TABLE IF EXISTS words");
      database?.exec(`CREATE TABLE words (id TEXT COLLATE ${collation} PRIMARY KEY)`);
      for (const id of ids) all("INSERT INTO words VALUES (?)", id);
      const condition = sql(sno, "sqlite").between("id", 1.75e12 + 50_000, 1.75e12 + 60_000);
      assert.equal(all(`SELECT id FROM words WHERE ${condition}`).length, 10);
      const plan = all(`EXPLAIN QUERY PLAN SELECT * FROM words WHERE ${condition}`)[0]?.detail;
      assert.match(`${plan}`, collation === "BINARY" ? /^SEARCH/ : /^SCAN/);
    }
  });

  test("a missing column is an error, and not a text", () => {
    const { unixMsOf } = sql(twitter, "sqlite");
    assert.throws(() => all(`SELECT ${unixMsOf("nobody")} FROM orders`), /no such column/);
  });
});
