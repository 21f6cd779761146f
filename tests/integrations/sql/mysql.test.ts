/** SQL in MariaDB: expressions, functions, partitions, defaults and triggers. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { twitter } from "graupel";
import { sql } from "graupel/sql";
import mysql from "mysql2/promise";
import { useMariadb } from "../support/servers.ts";
import {
  behavesAsEverywhere,
  MADE,
  madeBySessions,
  odd,
  placeIn,
  type Session,
  texts,
  type Words,
} from "./common.ts";

const server = useMariadb(() => pool?.end());
let pool: mysql.Pool;
const EXACT = { supportBigNumbers: true, bigNumberStrings: true, dateStrings: true } as const;
const SETTINGS = { ...EXACT, rowsAsArray: true } as const;
before(async () => {
  await server.started;
  pool = mysql.createPool({ ...server.options, ...SETTINGS, connectionLimit: 3 });
});

const asRows = (found: unknown) => (Array.isArray(found) ? texts(found as unknown[][]) : []);
const rows = async (text: string, values: unknown[] = []) => asRows((await pool.query(text, values))[0]);
const run = async (statements: readonly string[]) => {
  for (const statement of statements) await rows(statement);
};
async function connect(): Promise<Session> {
  const connection = await mysql.createConnection({ ...server.options, ...SETTINGS });
  return {
    rows: async (text, values = []) => asRows((await connection.query(text, values))[0]),
    close: () => connection.end(),
  };
}

const words: Words = {
  ...{ dialect: "mysql", rows, connect, schema: "app", unsigned: "bigint unsigned" },
  planOf: async (query) => (await rows(`EXPLAIN PARTITIONS ${query}`)).map((row) => row.join(" ")).join("\n"),
  ago: (number, unit) => `UTC_TIMESTAMP() - INTERVAL ${number} ${unit}`,
  instant: (text) => `TIMESTAMP'${text}'`,
  textOf: (time) => `CAST(${time} AS CHAR)`,
  zones: ["+00:00", "-09:30", "+05:45"],
  setZone: (zone) => `SET time_zone = '${zone}'`,
  hours: "SELECT seq * 4194304 * 3600000 FROM seq_1_to_100000",
  seen: [
    "Unix milliseconds",
    sql(twitter, "mysql").between("id", { unixMs: "1.5e12" }, { unixMs: "1500001000000.25" }),
    [],
  ],
  usesKey: (plan) => / range PRIMARY PRIMARY 8 /.test(plan),
  partitioned: "",
  partition: (month) => `p${month}`,
  of: (partition) => `events PARTITION (${partition})`,
  partitionsIn: (plan) => /events (\S+) range/.exec(plan)?.[1]?.split(",") ?? [],
  async insert(table, ids) {
    for (let i = 0; i < ids.length; i += 5000) {
      await rows(`INSERT INTO ${table} VALUES ?`, [ids.slice(i, i + 5000).map((id) => [id])]);
    }
  },
  quote: (name) => `\`${name.replaceAll("`", "``")}\``,
  names: ["a`b", "a.b", "Größe; --", "'x'", '"x"', "back\\slash", "日本"],
  quoting: ["", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES"].map((mode) => `SET sql_mode = '${mode}'`),
  texts: { "CHAR(16) CHARACTER SET ascii COLLATE ascii_bin": "", "VARCHAR(16) COLLATE utf8mb4_bin": "" },
};
behavesAsEverywhere(words);

test("rows before all months are in the first partition", async () => {
  const { max: earlier } = odd.range(undefined, Date.UTC(2024, 6, 1));
  await rows(`INSERT INTO events VALUES (${earlier})`);
  const found = await rows(`SELECT * FROM events PARTITION (p2024_07) WHERE id = ${earlier}`);
  assert.deepEqual(found, [[`${earlier}`]]);
});

describe("defaults of MariaDB", () => {
  // In the other formats, a tick holds fewer IDs than MariaDB generates in it, and MariaDB does not
  // wait.
  const wide = MADE.filter(([, { capacity, layout }]) => capacity / layout.tickMs > 500);
  madeBySessions(words, "defaults", { formats: wide, each: 1000 });

  test("a statement may insert more rows than a tick holds", async () => {
    await rows("INSERT INTO defaults0 (note) SELECT 'x' FROM seq_1_to_20000");
  });

  test("the primary key rejects a repeated ID", async () => {
    const [name, format, fields] = MADE.find(([name]) => name === "ticks of 10 ms") as (typeof MADE)[0];
    await rows("CREATE TABLE few (id BIGINT PRIMARY KEY, note text)");
    await run(sql(format, "mysql").defaults({ table: "few", column: "id", fields }));
    const many = rows("INSERT INTO few (note) SELECT 'x' FROM seq_1_to_50000");
    await assert.rejects(many, /Duplicate entry/, name);
  });
});

describe("triggers", () => {
  madeBySessions(words, "trigger", { each: 150, aheadMs: 10_000 });

  test("a given ID is kept", async () => {
    await rows("INSERT INTO trigger0 VALUES (7, 'given')");
    assert.deepEqual(await rows("SELECT note FROM trigger0 WHERE id = 7"), [["given"]]);
  });

  test("a counter ahead of the clock counts on, and fails beyond the limit", async () => {
    await rows("DELETE FROM trigger0");
    const near = placeIn(5000);
    await rows(`UPDATE trigger0_id_last SET place = ${near}`);
    await rows("INSERT INTO trigger0 (note) VALUES ('x'), ('y')");
    assert.deepEqual(await rows("SELECT place FROM trigger0_id_last"), [[`${near + 2n}`]]);
    const far = placeIn(60_000);
    await rows(`UPDATE trigger0_id_last SET place = ${far}`);
    await assert.rejects(rows("INSERT INTO trigger0 (note) VALUES ('x')"), /far behind the last ID/);
    assert.deepEqual(await rows("SELECT place FROM trigger0_id_last"), [[`${far}`]]);
  });

  test("an ID that a transaction rolls back may be reused, and no other session gets it before", async () => {
    const [a, b] = await Promise.all([connect(), connect()]);
    await a.rows("BEGIN");
    await a.rows("INSERT INTO trigger1 (note) VALUES ('a')");
    await b.rows("SET innodb_lock_wait_timeout = 1");
    await assert.rejects(b.rows("INSERT INTO trigger1 (note) VALUES ('b')"), /Lock wait timeout/);
    await a.rows("ROLLBACK");
    await b.rows("INSERT INTO trigger1 (note) VALUES ('b')");
    await Promise.all([a.close(), b.close()]);
  });
});
