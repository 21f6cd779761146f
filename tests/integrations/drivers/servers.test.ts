/** Drivers of PostgreSQL and MariaDB, and the guides to MySQL and to shards. */
import assert from "node:assert/strict";
import { createConnection } from "mariadb";
import mysql from "mysql2/promise";
import pg from "pg";
import postgres from "postgres";
import { runGuide } from "../support/guide.ts";
import { pluck } from "../support/rows.ts";
import { database, testIn, useDatabase } from "../support/servers.ts";
import { agreeWithPage, type Library, type Line } from "./page.ts";

const server = useDatabase();

const SELECT = "SELECT id FROM ids ORDER BY id";

/** Makes an object that is closed at the end of its block. */
const closing = <T extends object>(it: T, close: (it: T) => unknown): T & AsyncDisposable =>
  Object.assign(it, { [Symbol.asyncDispose]: async () => void (await close(it)) });
const pgPool = () => closing(new pg.Pool({ ...server.options, max: 2 }), (pool) => pool.end());
const mysqlPool = (options: Line = {}) => {
  const pool = mysql.createPool({ ...server.options, ...options, connectionLimit: 1 });
  return closing(pool, (pool) => pool.end());
};

const ON_POSTGRES: Readonly<Record<string, Library>> = {
  "`pg`": {
    async roundTrip(ids) {
      await using pool = pgPool();
      await pool.query("INSERT INTO ids SELECT unnest($1::bigint[])", [ids]);
      return pluck((await pool.query(SELECT)).rows);
    },
  },
  "`postgres`": {
    async roundTrip(ids) {
      const client = postgres({ ...server.options, max: 1, onnotice: () => {} });
      await using sql = closing(client, (client) => client.end());
      await sql`INSERT INTO ids ${sql(ids.map((id) => ({ id: `${id}` })))}`;
      return pluck(await sql`SELECT id FROM ids ORDER BY id`);
    },
  },
};
const ON_MYSQL: Readonly<Record<string, Library>> = {
  "`mysql2`": {
    async roundTrip(ids, options) {
      await using db = mysqlPool(options);
      await db.query("INSERT INTO ids VALUES ?", [ids.map((id) => [id])]);
      const [rows] = await db.query<mysql.RowDataPacket[]>(SELECT);
      const [prepared] = await db.execute<mysql.RowDataPacket[]>(SELECT);
      assert.deepEqual(prepared, rows);
      return pluck(rows);
    },
  },
  "`mariadb`": {
    async roundTrip(ids) {
      await using db = closing(await createConnection(server.options), (own) => own.end());
      const rows = ids.map((id) => [id]);
      await db.batch("INSERT INTO ids VALUES (?)", rows);
      return pluck(await db.query<object[]>(SELECT));
    },
  },
};
const TABLE = ["DROP TABLE IF EXISTS ids", "CREATE TABLE ids (id bigint PRIMARY KEY)"];

if (database === "postgres") {
  agreeWithPage("PostgreSQL", ON_POSTGRES, async () => {
    await using pool = pgPool();
    for (const text of TABLE) await pool.query(text);
  });
} else {
  agreeWithPage("MySQL and MariaDB", ON_MYSQL, async () => {
    await using pool = mysqlPool();
    for (const text of TABLE) await pool.query(text);
  });
}

for (const [page, lines] of [
  ["mysql.md", 6],
  ["shard.md", 5],
] as const) {
  testIn("mysql")(`the guide ${page}`, async () => {
    await using db = mysqlPool();
    await db.query("CREATE OR REPLACE DATABASE guide");
    const { env, options } = server;
    const DATABASE_URL = env.DATABASE_URL.replace(options.database, "guide");
    await runGuide(page, "mysql", { env: { DATABASE_URL }, lines });
  });
}
