/** Drivers and libraries on PostgreSQL and MariaDB, and the guides to MySQL and to shards. */
import assert from "node:assert/strict";
import { PGlite } from "@electric-sql/pglite";
import { BigIntType } from "@mikro-orm/core";
import * as inMariadb from "@mikro-orm/mariadb";
import * as inPostgres from "@mikro-orm/postgresql";
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { PrismaPg } from "@prisma/adapter-pg";
import { bigint as mysqlBigint, mysqlTable } from "drizzle-orm/mysql-core";
import { drizzle as overMysql } from "drizzle-orm/mysql2";
import { drizzle as overPg } from "drizzle-orm/node-postgres";
import { bigint as pgBigint, pgTable } from "drizzle-orm/pg-core";
import { pgId } from "graupel/drizzle";
import knex from "knex";
import { MysqlDialect, PostgresDialect } from "kysely";
import { createConnection } from "mariadb";
import { createPool } from "mysql2";
import mysql from "mysql2/promise";
import pg from "pg";
import postgres from "postgres";
import { roundTrip } from "../prisma/generate.ts";
import { runGuide } from "../support/guide.ts";
import { pluck } from "../support/rows.ts";
import { database, testIn, useDatabase } from "../support/servers.ts";
import {
  closing,
  type Entities,
  TABLE,
  throughKnex,
  throughKysely,
  throughMikroOrm,
  throughObjection,
  throughSequelize,
  throughTypeorm,
} from "./orms.ts";
import { agreeWithPage, type Library, type Line } from "./page.ts";

const server = useDatabase();

const SELECT = "SELECT id FROM ids ORDER BY id";
const pgPool = () => closing(new pg.Pool({ ...server.options, max: 2 }), (pool) => pool.end());
const mysqlPool = (options: Line = {}) => {
  const pool = mysql.createPool({ ...server.options, ...options, connectionLimit: 1 });
  return closing(pool, (pool) => pool.end());
};

/** Drizzle on PostgreSQL, with its own column type, or with the one in the page's line. */
const drizzleOnPg = (own: unknown): Library => ({
  scope: { pgId },
  async roundTrip(ids, { id = own }) {
    await using client = pgPool();
    const rows = pgTable("ids", { id });
    const db = overPg({ client });
    await db.insert(rows).values(ids.map((id) => ({ id })));
    return pluck(await db.select().from(rows).orderBy(rows.id));
  },
});

/** The drivers of each database, and what the libraries need for it. */
const STACKS = {
  postgres: {
    heading: "PostgreSQL",
    drivers: {
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
      PGlite: {
        async roundTrip(ids) {
          await using db = closing(await PGlite.create(), (db) => db.close());
          await db.exec(TABLE);
          await db.query("INSERT INTO ids SELECT unnest($1::bigint[])", [ids]);
          return pluck((await db.query<object>(SELECT)).rows);
        },
      },
    } as Record<string, Library>,
    kysely: () => new PostgresDialect({ pool: new pg.Pool(server.options) }),
    drizzle: {
      'Drizzle, `mode: "number"`': drizzleOnPg(pgBigint({ mode: "number" })),
      'Drizzle, `mode: "bigint"`': drizzleOnPg(pgBigint({ mode: "bigint" })),
    } as Record<string, Library>,
    knex: "pg",
    prisma: () => new PrismaPg(server.options),
    mikroOrm: inPostgres.MikroORM,
  },
  mysql: {
    heading: "MySQL and MariaDB",
    drivers: {
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
    } as Record<string, Library>,
    kysely: (options: Line) =>
      new MysqlDialect({ pool: createPool({ ...server.options, ...options, connectionLimit: 1 }) }),
    drizzle: {
      'Drizzle, `mode: "bigint"`': {
        async roundTrip(ids, options) {
          await using client = mysqlPool(options);
          const rows = mysqlTable("ids", { id: mysqlBigint({ mode: "bigint" }) });
          const db = overMysql({ client });
          await db.insert(rows).values(ids.map((id) => ({ id })));
          return pluck(await db.select().from(rows).orderBy(rows.id));
        },
      },
    } as Record<string, Library>,
    knex: "mysql2",
    prisma: () => new PrismaMariaDb(server.options),
    mikroOrm: inMariadb.MikroORM as unknown as typeof inPostgres.MikroORM,
  },
};
const dialect = database as keyof typeof STACKS;
const { heading, drivers, kysely, drizzle, prisma, mikroOrm, ...stack } = STACKS[dialect];
const knexWith = (options: Line) =>
  knex({ client: stack.knex, connection: { ...server.options, ...options } });

const libraries: Record<string, Library> = {
  ...drivers,
  Kysely: { roundTrip: (ids, options) => throughKysely(kysely(options), ids) },
  ...drizzle,
  Knex: { roundTrip: (ids, options) => throughKnex(knexWith(options), ids) },
  Sequelize: { roundTrip: (ids, options) => throughSequelize({ ...server.orm, dialect }, ids, options) },
  TypeORM: { roundTrip: (ids, options) => throughTypeorm({ type: dialect, ...server.orm }, ids, options) },
  Prisma: { roundTrip: (ids) => roundTrip(dialect, prisma(), ids) },
  'MikroORM, `BigIntType("number")`': {
    roundTrip(ids, options) {
      const { database, ...place } = server.options;
      const open = (entities: Entities) => new mikroOrm({ ...place, dbName: database, entities });
      return throughMikroOrm(open, ids, { type: new BigIntType("number"), ...options });
    },
  },
  Objection: { roundTrip: (ids, options) => throughObjection(knexWith(options), ids) },
};

agreeWithPage(heading, libraries, async () => {
  await using db = closing(knexWith({}), (db) => db.destroy());
  await db.schema.dropTableIfExists("ids");
  await db.raw(TABLE);
});

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
