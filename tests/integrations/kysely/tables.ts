/** The Kysely plugin in the database of this run. */
import { before, beforeEach } from "node:test";
import SqliteDatabase from "better-sqlite3";
import { sno, twitter } from "graupel";
import { idPlugin, parseJson } from "graupel/kysely";
import {
  type Generated,
  Kysely,
  MysqlDialect,
  type NonDehydrateable,
  PostgresDialect,
  SqliteDialect,
  sql,
} from "kysely";
import * as inMysql from "kysely/helpers/mysql";
import * as inPostgres from "kysely/helpers/postgres";
import * as inSqlite from "kysely/helpers/sqlite";
import { createPool } from "mysql2";
import pg from "pg";
import { exactIntegers } from "../support/guide.ts";
import { ids, ODD, orders } from "../support/rows.ts";
import { database, useDatabase } from "../support/servers.ts";

export interface Database {
  many: { id: Generated<bigint>; note: string };
  users: { id: NonDehydrateable<Generated<bigint>>; name: string; invited_by: bigint | null };
  posts: { id: Generated<string>; author: NonDehydrateable<bigint>; title: string };
}

/** The generator of the rows of `many`. */
export const source = ids();
export const twitterIds = twitter.generator({ datacenterId: 3, workerId: 7 });

/** The plugin with its tables. */
export const plugin = () =>
  idPlugin<Database>({
    many: { id: { format: orders, generator: source } },
    users: { id: { format: twitter, generator: twitterIds }, invited_by: twitter },
    posts: { id: { format: sno, generator: sno }, author: twitter },
  });

export const server = useDatabase(() => db?.destroy());
const inMemory = new SqliteDatabase(":memory:");

/** The dialect of each database. `parse`: parses JSON. `options`: for `mysql2`. */
export const DIALECTS = {
  postgres(parse: (text: string) => unknown = parseJson) {
    const getTypeParser = (oid: number, format?: "text") =>
      oid === 114 || oid === 3802 ? parse : pg.types.getTypeParser(oid, format);
    const pool = new pg.Pool({ ...server.options, max: 3, types: { getTypeParser } as never });
    // `end` does not wait for the connections, so the server may stop while one is still open.
    pool.on("error", () => {});
    return new PostgresDialect({ pool });
  },
  mysql: (options: object = { supportBigNumbers: true }) =>
    new MysqlDialect({ pool: createPool({ ...server.options, ...options, connectionLimit: 3 }) }),
  sqlite() {
    exactIntegers(inMemory);
    return new SqliteDialect({ database: inMemory });
  },
};

/** The JSON helpers of a database. */
export interface Helpers {
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own expression types
  readonly [name: string]: (of: any) => any;
}
/** MariaDB cannot cast to JSON, which lists need. */
const { jsonArrayFrom: _, ...inMariadb } = inMysql;
export const helpers: Helpers = { postgres: inPostgres, mysql: inMariadb, sqlite: inSqlite }[database];

export let db: Kysely<Database>;
before(async () => {
  await server.started;
  db = new Kysely<Database>({ dialect: DIALECTS[database](), plugins: [plugin()] });
  const [key, text] = database === "sqlite" ? ["integer", "text"] : ["bigint", "char(16)"];
  for (const table of [
    `many (id ${key} PRIMARY KEY, note text)`,
    `users (id ${key} PRIMARY KEY, name text, invited_by bigint)`,
    `posts (id ${text} PRIMARY KEY, author bigint, title text)`,
  ]) {
    await sql`create table ${sql.raw(table)}`.execute(db);
  }
});
beforeEach(async () => {
  for (const table of ["posts", "users"] as const) await db.deleteFrom(table).execute();
});

/** A user. By default, nobody has invited the user. */
type User = { readonly id?: bigint; readonly name?: unknown; readonly invited_by?: bigint | null };
const user = (row: User = {}) => ({ name: "a", invited_by: null, ...row }) as never;

/** An insert of users. */
export const users = (db: Kysely<Database>, ...rows: User[]) =>
  db.insertInto("users").values(rows.map(user) as never);

/** Inserts a user, and a post by this user. */
export async function insertOne(db: Kysely<Database>, title = "t"): Promise<void> {
  await users(db, { id: ODD, invited_by: ODD + 1n }).execute();
  await db.insertInto("posts").values({ author: ODD, title }).execute();
}

/** Inserts a user, a second user invited by the first, and a post by the first. */
export async function twoUsers(db: Kysely<Database>): Promise<void> {
  await users(db, { id: ODD }, { id: ODD + 1n, name: "b", invited_by: ODD }).execute();
  await db.insertInto("posts").values({ author: ODD, title: "t" }).execute();
}
