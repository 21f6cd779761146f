/** Drivers and libraries on MariaDB, and the guides to MySQL and to shards. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { BigIntType } from "@mikro-orm/core";
import { MikroORM } from "@mikro-orm/mariadb";
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { bigint, mysqlTable } from "drizzle-orm/mysql-core";
import { drizzle } from "drizzle-orm/mysql2";
import knex from "knex";
import { MysqlDialect } from "kysely";
import { createConnection } from "mariadb";
import { createPool } from "mysql2";
import mysql from "mysql2/promise";
import { roundTrip } from "../prisma/generate.ts";
import { runGuide } from "../support/guide.ts";
import { pluck } from "../support/rows.ts";
import { useMariadb } from "../support/servers.ts";
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
import { agreeWithPage, type Library } from "./page.ts";

const server = useMariadb(() => own?.end());
let own: mysql.Connection;
before(async () => {
  await server.started;
  own = await mysql.createConnection(server.options);
});

/** Drops and re-creates the table. */
async function emptied(): Promise<void> {
  await own.query("DROP TABLE IF EXISTS ids");
  await own.query(TABLE);
}

const knexWith = (options: object) =>
  knex({ client: "mysql2", connection: { ...server.options, ...options } });

/** Drizzle with its own column type. */
const drizzleWith = (mode: "number" | "bigint"): Library => ({
  async roundTrip(ids, options) {
    const pool = mysql.createPool({ ...server.options, ...options, connectionLimit: 1 });
    await using client = closing(pool, (pool) => pool.end());
    const rows = mysqlTable("ids", { id: bigint({ mode: mode as "bigint" }) });
    const db = drizzle({ client });
    await db.insert(rows).values(ids.map((id) => ({ id })));
    return pluck(await db.select().from(rows).orderBy(rows.id));
  },
});

const libraries: Record<string, Library> = {
  "`mysql2`": {
    async roundTrip(ids, options) {
      const own = await mysql.createConnection({ ...server.options, ...options });
      await using db = closing(own, (own) => own.end());
      await db.query("INSERT INTO ids VALUES ?", [ids.map((id) => [id])]);
      const text = "SELECT id FROM ids ORDER BY id";
      const [rows] = await db.query<mysql.RowDataPacket[]>(text);
      const [prepared] = await db.execute<mysql.RowDataPacket[]>(text);
      assert.deepEqual(prepared, rows);
      return pluck(rows);
    },
  },
  "`mariadb`": {
    async roundTrip(ids) {
      await emptied();
      await using db = closing(await createConnection(server.options), (own) => own.end());
      const rows = ids.map((id) => [id]);
      await db.batch("INSERT INTO ids VALUES (?)", rows);
      return pluck(await db.query<object[]>("SELECT id FROM ids ORDER BY id"));
    },
  },
  Kysely: {
    roundTrip(ids, options) {
      const pool = createPool({ ...server.options, ...options, connectionLimit: 1 });
      return throughKysely(new MysqlDialect({ pool }), ids);
    },
  },
  'Drizzle, `mode: "bigint"`': drizzleWith("bigint"),
  Knex: { roundTrip: (ids, options) => throughKnex(knexWith(options), ids) },
  Sequelize: {
    roundTrip: (ids, options) => throughSequelize({ ...server.orm, dialect: "mysql" }, ids, options),
  },
  TypeORM: { roundTrip: (ids, options) => throughTypeorm({ type: "mysql", ...server.orm }, ids, options) },
  Prisma: { roundTrip: (ids) => roundTrip("mysql", new PrismaMariaDb(server.options), ids) },
  'MikroORM, `BigIntType("number")`': {
    roundTrip(ids, options) {
      const { database, ...place } = server.options;
      const open = (entities: Entities) => new MikroORM({ ...place, dbName: database, entities });
      return throughMikroOrm(open, ids, { type: new BigIntType("number"), ...options });
    },
  },
  Objection: { roundTrip: (ids, options) => throughObjection(knexWith(options), ids) },
};

agreeWithPage("MySQL and MariaDB", libraries, emptied);

for (const [page, lines] of [
  ["mysql.md", 6],
  ["shard.md", 5],
] as const) {
  test(`the guide ${page}`, async () => {
    await own.query("CREATE OR REPLACE DATABASE guide");
    const { host, port, user } = server.options;
    const env = { DATABASE_URL: `mysql://${user}@${host}:${port}/guide` };
    await runGuide(page, "mysql", { env, lines });
  });
}
