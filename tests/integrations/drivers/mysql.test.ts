/** Drivers and libraries with MariaDB. */

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { BigIntType } from "@mikro-orm/core";
import { MikroORM } from "@mikro-orm/mariadb";
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { bigint, mysqlTable } from "drizzle-orm/mysql-core";
import { drizzle } from "drizzle-orm/mysql2";
import knex from "knex";
import { Kysely, MysqlDialect } from "kysely";
import { createPool } from "mysql2";
import mysql from "mysql2/promise";
import { DataTypes, Sequelize } from "sequelize";
import { DataSource, EntitySchema } from "typeorm";
import { roundTrip } from "../prisma/generate.ts";
import { startMariadb } from "../support/servers.ts";
import { type Entities, throughMikroOrm, throughObjection } from "./orms.ts";
import { agreeWithPage, type Library } from "./page.ts";

let server: Awaited<ReturnType<typeof startMariadb>>;
let own: mysql.Connection;
before(async () => {
  server = await startMariadb();
  own = await mysql.createConnection(server.options);
});
after(async () => {
  await own?.end();
  await server?.stop();
});

/** An empty table. */
async function emptied(): Promise<void> {
  await own.query("DROP TABLE IF EXISTS ids");
  await own.query("CREATE TABLE ids (id bigint PRIMARY KEY)");
}

/** Drizzle with a column of its own. */
const drizzleWith = (mode: "number" | "bigint"): Library => ({
  async roundTrip(ids, options) {
    await emptied();
    const client = mysql.createPool({ ...server.options, ...options, connectionLimit: 1 });
    const rows = mysqlTable("ids", { id: bigint({ mode: mode as "bigint" }) });
    const db = drizzle({ client });
    try {
      await db.insert(rows).values(ids.map((id) => ({ id })));
      return (await db.select().from(rows).orderBy(rows.id)).map(({ id }) => id);
    } finally {
      await client.end();
    }
  },
});

agreeWithPage("MySQL and MariaDB", {
  "`mysql2`": {
    async roundTrip(ids, options) {
      await emptied();
      const db = await mysql.createConnection({ ...server.options, ...options });
      try {
        await db.query("INSERT INTO ids VALUES ?", [ids.map((id) => [id])]);
        const text = "SELECT id FROM ids ORDER BY id";
        const [rows] = await db.query<mysql.RowDataPacket[]>(text);
        const [prepared] = await db.execute<mysql.RowDataPacket[]>(text);
        assert.deepEqual(prepared, rows);
        return rows.map(({ id }) => id);
      } finally {
        await db.end();
      }
    },
  },
  Kysely: {
    async roundTrip(ids, options) {
      await emptied();
      const pool = createPool({ ...server.options, ...options, connectionLimit: 1 });
      const db = new Kysely<{ ids: { id: bigint } }>({ dialect: new MysqlDialect({ pool }) });
      try {
        await db
          .insertInto("ids")
          .values(ids.map((id) => ({ id })))
          .execute();
        return (await db.selectFrom("ids").select("id").orderBy("id").execute()).map(({ id }) => id);
      } finally {
        await db.destroy();
      }
    },
  },
  'Drizzle, `mode: "bigint"`': drizzleWith("bigint"),
  Knex: {
    async roundTrip(ids, options) {
      await emptied();
      const db = knex({ client: "mysql2", connection: { ...server.options, ...options } });
      try {
        await db("ids").insert(ids.map((id) => ({ id })));
        return await db("ids").orderBy("id").pluck("id");
      } finally {
        await db.destroy();
      }
    },
  },
  Sequelize: {
    async roundTrip(ids, options) {
      await emptied();
      const { host, port, database, user } = server.options;
      const db = new Sequelize(database, user, "", { host, port, dialect: "mysql", logging: false });
      try {
        const rows = db.define(
          "ids",
          { id: { type: DataTypes.BIGINT, primaryKey: true, ...options } },
          { timestamps: false, tableName: "ids" },
        );
        await rows.bulkCreate(ids.map((id) => ({ id })));
        return (await rows.findAll({ order: ["id"] })).map((row) => row.get("id"));
      } finally {
        await db.close();
      }
    },
  },
  TypeORM: {
    async roundTrip(ids, options) {
      await emptied();
      const entity = new EntitySchema<{ id: bigint }>({
        name: "ids",
        columns: { id: { type: "bigint", primary: true, ...options } },
      });
      const { user, ...place } = server.options;
      const source = new DataSource({ type: "mysql", ...place, username: user, entities: [entity] });
      await source.initialize();
      try {
        const repository = source.getRepository(entity);
        await repository.save(ids.map((id) => ({ id })));
        return (await repository.find({ order: { id: "ASC" } })).map(({ id }) => id);
      } finally {
        await source.destroy();
      }
    },
  },
  Prisma: {
    roundTrip: (ids) => roundTrip("mysql", new PrismaMariaDb(server.options), ids),
  },
  'MikroORM, `BigIntType("number")`': {
    async roundTrip(ids, options) {
      await emptied();
      const { database, ...place } = server.options;
      const open = (entities: Entities) => new MikroORM({ ...place, dbName: database, entities });
      return await throughMikroOrm(open, "ids", ids, { type: new BigIntType("number"), ...options });
    },
  },
  Objection: {
    async roundTrip(ids, options) {
      await emptied();
      const db = knex({ client: "mysql2", connection: { ...server.options, ...options } });
      return await throughObjection(db, "ids", ids);
    },
  },
});
