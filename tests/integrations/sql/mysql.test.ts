/** SQL in MariaDB: expressions, functions, partitions, defaults and triggers. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { discord, sno, twitter, ulidFlake } from "graupel";
import { sql } from "graupel/sql";
import mysql from "mysql2/promise";
import { agreeOnBounds, agreeOnTimes } from "../../js/sql/agreement.ts";
import { startMariadb } from "../support/servers.ts";
import {
  countsByMonth,
  countsByRange,
  insertsOfSessions,
  MADE,
  manyIds,
  odd,
  type Session,
  texts,
} from "./common.ts";

let server: Awaited<ReturnType<typeof startMariadb>>;
let pool: mysql.Pool;
const SETTINGS = {
  rowsAsArray: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
} as const;
before(async () => {
  server = await startMariadb();
  pool = mysql.createPool({ ...server.options, ...SETTINGS, connectionLimit: 3 });
  await rows("CREATE DATABASE app CHARACTER SET utf8mb4");
  await pool.end();
  pool = mysql.createPool({ ...server.options, ...SETTINGS, database: "app", connectionLimit: 3 });
});
after(async () => {
  await pool?.end();
  await server?.stop();
});

const asRows = (found: unknown) => (Array.isArray(found) ? texts(found as unknown[][]) : []);
const rows = async (text: string, values: unknown[] = []) => asRows((await pool.query(text, values))[0]);
const run = async (statements: readonly string[]) => {
  for (const statement of statements) await rows(statement);
};
async function connect(): Promise<Session> {
  const connection = await mysql.createConnection({ ...server.options, ...SETTINGS, database: "app" });
  return {
    rows: async (text, values = []) => asRows((await connection.query(text, values))[0]),
    close: () => connection.end(),
  };
}
/** The rows of the planner, as one text. */
const planOf = async (query: string) =>
  (await rows(`EXPLAIN PARTITIONS ${query}`)).map((row) => row.join(" ")).join("\n");

describe("expressions", () => {
  test("the time of an ID is that of inspect", () => agreeOnTimes({ dialect: "mysql", rows }, 300));
  test("bounds are those of range", () => agreeOnBounds({ dialect: "mysql", rows }, 30));

  test("the session's time zone changes nothing, nor that a column has a sign", async () => {
    const { timeOf, min } = sql(discord, "mysql");
    const id = 1585841080431321088n;
    await rows("CREATE TABLE zones (id BIGINT, big BIGINT UNSIGNED)");
    await rows(`INSERT INTO zones VALUES (${id}, ${id})`);
    const session = await connect();
    const found: unknown[] = [];
    for (const zone of ["+00:00", "-09:30", "+05:45"]) {
      await session.rows(`SET time_zone = '${zone}'`);
      found.push(
        await session.rows(
          `SELECT ${timeOf("id")}, ${timeOf("big")}, ${min("TIMESTAMP'2025-03-30 01:30:00'")} FROM zones`,
        ),
      );
    }
    await session.close();
    const time = discord.inspect(id).time.toISOString().slice(0, 23).replace("T", " ");
    assert.deepEqual(
      found,
      Array(3).fill([[time, time, `${discord.range(Date.UTC(2025, 2, 30, 1, 30)).min}`]]),
    );
  });
});

describe("indexes", () => {
  before(async () => {
    await rows("CREATE TABLE seen (id BIGINT PRIMARY KEY, x INT)");
    await rows("INSERT INTO seen SELECT seq * 4194304 * 3600000, 1 FROM seq_1_to_100000");
    await run(sql(twitter, "mysql").functions("seen"));
    await rows("ANALYZE TABLE seen");
  });
  const { min, max, between } = sql(twitter, "mysql");
  for (const [what, condition] of [
    ["an expression", `id >= ${min("UTC_TIMESTAMP() - INTERVAL 1 DAY")}`],
    ["a function", "id >= seen_min(UTC_TIMESTAMP() - INTERVAL 1 DAY)"],
    ["Unix milliseconds", between("id", { unixMs: "1.5e12" }, { unixMs: "1500001000000.25" })],
    ["literals", between("id", 1.5e12, new Date(1.500001e12))],
    ["an end", `id <= ${max("UTC_TIMESTAMP() - INTERVAL 15 YEAR")}`],
  ] as const) {
    test(`${what}: the primary key is used`, async () => {
      assert.match(await planOf(`SELECT * FROM seen WHERE ${condition}`), / range PRIMARY PRIMARY 8 /);
    });
  }

  test("functions are those of the expressions", async () => {
    const id = 1585841080431321088n;
    const { timestamp } = twitter.inspect(id);
    assert.deepEqual(
      await rows(`SELECT seen_unix_ms(${id}), seen_min(seen_time(${id})), seen_max(seen_time(${id}))`),
      [[`${timestamp}`, `${twitter.range(timestamp).min}`, `${twitter.range(undefined, timestamp).max}`]],
    );
  });
});

describe("months", () => {
  const months = Array.from({ length: 9 }, (_, i) => Date.UTC(2024, 6 + i, 1));
  const ids = manyIds(odd, months);
  const { partitions, timeOf, between } = sql(odd, "mysql");
  before(async () => {
    await rows("CREATE TABLE events (id BIGINT PRIMARY KEY)");
    await run(
      partitions({
        table: ["app", "events"],
        column: "id",
        from: months[0] as number,
        to: new Date(months[5] as number),
      }),
    );
    await run(partitions({ table: "events", from: months[5] as number, to: months[8] as number }));
    for (let i = 0; i < ids.length; i += 5000) {
      await rows("INSERT INTO events VALUES ?", [ids.slice(i, i + 5000).map((id) => [id])]);
    }
  });

  test("rows land in the month of their time", async () => {
    for (const [month, count] of countsByMonth(odd, ids)) {
      assert.deepEqual(await rows(`SELECT count(*) FROM events PARTITION (p${month.replace("-", "_")})`), [
        [`${count}`],
      ]);
    }
    assert.deepEqual(countsByRange(odd, ids, months), [...countsByMonth(odd, ids).values()]);
  });

  test("100,000 rows, summed by month", async () => {
    const sums = await rows(
      `SELECT DATE_FORMAT(${timeOf("id")}, '%Y-%m') AS month, count(*) FROM events GROUP BY month ORDER BY month`,
    );
    assert.deepEqual(
      sums,
      [...countsByMonth(odd, ids)].map(([month, count]) => [month, `${count}`]),
    );
  });

  test("a query of two days reads one partition", async () => {
    for (const [from, to] of [
      ["TIMESTAMP'2024-10-10 00:00:00'", "TIMESTAMP'2024-10-12 00:00:00'"],
      [Date.UTC(2024, 9, 10), Date.UTC(2024, 9, 12)],
    ] as const) {
      const plan = await planOf(`SELECT count(*) FROM events WHERE ${between("id", from, to)}`);
      assert.match(plan, /events p2024_10 range/);
    }
  });

  test("what is later has no partition; what is earlier is in the first", async () => {
    const later = odd.toBigInt(odd.range(undefined, months[8]).max) + 1n;
    await assert.rejects(rows(`INSERT INTO events VALUES (${later})`), /no partition/);
    const earlier = odd.range(undefined, months[0]).max;
    await rows(`INSERT INTO events VALUES (${earlier})`);
    assert.deepEqual(await rows(`SELECT * FROM events PARTITION (p2024_07) WHERE id = ${earlier}`), [
      [`${earlier}`],
    ]);
  });
});

const column = (format: unknown) => (format === discord ? "BIGINT UNSIGNED" : "BIGINT");

describe("defaults of MariaDB", () => {
  // The others hold less than MariaDB makes in a tick, and it does not wait.
  const wide = MADE.filter(([, { capacity, layout }]) => capacity / layout.tickMs > 500);
  for (const [i, [name, format, fields]] of wide.entries()) {
    test(`16 sessions: ${name}`, async () => {
      await rows(`CREATE TABLE made${i} (id ${column(format)} PRIMARY KEY, note text)`);
      await run(sql(format, "mysql").defaults({ table: ["app", `made${i}`], column: "id", fields }));
      await insertsOfSessions(connect, format, fields, { table: `made${i}`, each: 1000 });
    });
  }

  test("a statement that makes more than a tick holds", async () => {
    await rows("INSERT INTO made0 (note) SELECT 'x' FROM seq_1_to_20000");
  });

  test("the primary key refuses what would repeat", async () => {
    const [name, format, fields] = MADE.find(([name]) => name === "ticks of 10 ms") as (typeof MADE)[0];
    await rows("CREATE TABLE few (id BIGINT PRIMARY KEY, note text)");
    await run(sql(format, "mysql").defaults({ table: "few", column: "id", fields }));
    await assert.rejects(
      rows("INSERT INTO few (note) SELECT 'x' FROM seq_1_to_50000"),
      /Duplicate entry/,
      name,
    );
  });
});

describe("triggers", () => {
  for (const [i, [name, format, fields]] of MADE.entries()) {
    test(`16 sessions: ${name}`, async () => {
      await rows(`CREATE TABLE counted${i} (id ${column(format)} PRIMARY KEY, note text)`);
      await run(sql(format, "mysql").trigger({ table: `counted${i}`, column: "id", fields }));
      await insertsOfSessions(connect, format, fields, { table: `counted${i}`, each: 150, aheadMs: 10_000 });
    });
  }

  test("an ID that is given stays", async () => {
    await rows("INSERT INTO counted0 VALUES (7, 'given')");
    assert.deepEqual(await rows("SELECT note FROM counted0 WHERE id = 7"), [["given"]]);
  });

  test("a counter ahead of the clock: it counts on, and is refused beyond the limit", async () => {
    const place = (ms: number) => (twitter.toBigInt(twitter.range(Date.now() + ms).min) >> 22n) << 12n;
    await rows("DELETE FROM counted0");
    const near = place(5000);
    await rows(`UPDATE counted0_id_last SET place = ${near}`);
    await rows("INSERT INTO counted0 (note) VALUES ('x'), ('y')");
    assert.deepEqual(await rows("SELECT place FROM counted0_id_last"), [[`${near + 2n}`]]);
    const far = place(60_000);
    await rows(`UPDATE counted0_id_last SET place = ${far}`);
    await assert.rejects(rows("INSERT INTO counted0 (note) VALUES ('x')"), /far behind the last ID/);
    assert.deepEqual(await rows("SELECT place FROM counted0_id_last"), [[`${far}`]]);
  });

  test("what a transaction rolls back, it may make again; nobody else has it meanwhile", async () => {
    const [a, b] = await Promise.all([connect(), connect()]);
    await a.rows("BEGIN");
    await a.rows("INSERT INTO counted1 (note) VALUES ('a')");
    await b.rows("SET innodb_lock_wait_timeout = 1");
    await assert.rejects(b.rows("INSERT INTO counted1 (note) VALUES ('b')"), /Lock wait timeout/);
    await a.rows("ROLLBACK");
    await b.rows("INSERT INTO counted1 (note) VALUES ('b')");
    await Promise.all([a.close(), b.close()]);
  });
});

test("names: quotes, dots, spaces and other scripts", async () => {
  const names = ["a`b", "a.b", "Größe; --", "'x'", '"x"', "back\\slash", "日本"];
  const q = (name: string) => `\`${name.replaceAll("`", "``")}\``;
  for (const mode of ["", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES"]) {
    const session = await connect();
    await session.rows(`SET sql_mode = '${mode}'`);
    for (const [i, column] of names.entries()) {
      const table = names[(i + 2) % names.length] as string;
      const { defaults, trigger, functions, unixMsOf, between } = sql(twitter, "mysql");
      const options = { table: ["app", table], column, fields: { datacenterId: 1, workerId: 2 } };
      for (const make of [defaults, trigger]) {
        await session.rows(`CREATE TABLE ${q(table)} (${q(column)} BIGINT PRIMARY KEY, note text)`);
        for (const statement of [...make(options), ...functions(table)]) await session.rows(statement);
        await session.rows(`INSERT INTO ${q(table)} (note) VALUES ('x')`);
        const [[ms]] = (await session.rows(
          `SELECT ${unixMsOf([table, column])} FROM ${q(table)} WHERE ${between(column, "UTC_TIMESTAMP() - INTERVAL 1 MINUTE", "UTC_TIMESTAMP() + INTERVAL 1 MINUTE")}`,
        )) as [[string]];
        assert.ok(Math.abs(Number(ms) - Date.now()) < 60_000);
        await session.rows(`DROP TABLE ${q(table)}`);
        for (const suffix of ["time", "unix_ms", "min", "max"])
          await session.rows(`DROP FUNCTION ${q(`${table}_${suffix}`)}`);
        await session.rows(
          `DROP ${make === defaults ? "SEQUENCE" : "TABLE"} ${q(`${table}_${column}_last`)}`,
        );
      }
    }
    await session.close();
  }
});

test("texts: bounds use the index of a column that compares bytes", async () => {
  for (const format of [sno, ulidFlake]) {
    const { between } = sql(format, "mysql");
    const ids = Array.from({ length: 500 }, (_, i) =>
      format.with(format.next(), { timestamp: 1.75e12 + i * 1000 }),
    );
    const [from, to] = [1.75e12 + 100_000, 1.75e12 + 110_000];
    for (const type of [
      "CHAR(16) CHARACTER SET ascii COLLATE ascii_bin",
      "VARCHAR(16) COLLATE utf8mb4_bin",
    ]) {
      await rows("DROP TABLE IF EXISTS words");
      await rows(`CREATE TABLE words (id ${type} PRIMARY KEY, x INT)`);
      await rows("INSERT INTO words (id) VALUES ?", [ids.map((id) => [id])]);
      assert.deepEqual(await rows(`SELECT count(*) FROM words WHERE ${between("id", from, to)}`), [["10"]]);
      assert.match(await planOf(`SELECT * FROM words WHERE ${between("id", from, to)}`), / range PRIMARY /);
    }
  }
});
