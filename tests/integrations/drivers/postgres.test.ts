/** Drivers and libraries with PostgreSQL. */

import { after, before } from "node:test";
import { BigIntType } from "@mikro-orm/core";
import { MikroORM } from "@mikro-orm/postgresql";
import { PrismaPg } from "@prisma/adapter-pg";
import { drizzle } from "drizzle-orm/node-postgres";
import { bigint, pgTable } from "drizzle-orm/pg-core";
import { pgId } from "graupel/drizzle";
import knex from "knex";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import postgres from "postgres";
import { DataTypes, Sequelize } from "sequelize";
import { DataSource, EntitySchema } from "typeorm";
import { roundTrip } from "../prisma/generate.ts";
import { startPostgres } from "../support/servers.ts";
import { type Entities, throughMikroOrm, throughObjection } from "./orms.ts";
import { agreeWithPage, type Library } from "./page.ts";

let server: Awaited<ReturnType<typeof startPostgres>>;
let pool: pg.Pool;
before(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ ...server.options, max: 2 });
  pool.on("error", () => {});
});
after(async () => {
  await pool?.end();
  await server?.stop();
});

/** An empty table. */
async function emptied(): Promise<void> {
  await pool.query("DROP TABLE IF EXISTS rows; CREATE TABLE rows (id bigint PRIMARY KEY)");
}

/** Drizzle with a column of its own, or with that of the page's line. */
const drizzleWith = (own: unknown): Library => ({
  scope: { pgId },
  async roundTrip(ids, { id = own }) {
    await emptied();
    const rows = pgTable("rows", { id: id as ReturnType<typeof bigint<"bigint">> });
    const db = drizzle({ client: pool });
    await db.insert(rows).values(ids.map((id) => ({ id })));
    return (await db.select().from(rows).orderBy(rows.id)).map(({ id }) => id);
  },
});

agreeWithPage("PostgreSQL", {
  "`pg`": {
    async roundTrip(ids) {
      await emptied();
      await pool.query("INSERT INTO rows SELECT unnest($1::bigint[])", [ids]);
      return (await pool.query("SELECT id FROM rows ORDER BY id")).rows.map(({ id }) => id);
    },
  },
  "`postgres`": {
    async roundTrip(ids) {
      await emptied();
      const sql = postgres({ ...server.options, max: 1, onnotice: () => {} });
      try {
        await sql`INSERT INTO rows ${sql(ids.map((id) => ({ id: `${id}` })))}`;
        return (await sql`SELECT id FROM rows ORDER BY id`).map(({ id }) => id);
      } finally {
        await sql.end();
      }
    },
  },
  Kysely: {
    async roundTrip(ids) {
      await emptied();
      const db = new Kysely<{ rows: { id: bigint } }>({ dialect: new PostgresDialect({ pool }) });
      await db
        .insertInto("rows")
        .values(ids.map((id) => ({ id })))
        .execute();
      const { min, max } = { min: ids[0] as bigint, max: ids.at(-1) as bigint };
      const query = db.selectFrom("rows").select("id").where("id", ">=", min).where("id", "<=", max);
      return (await query.orderBy("id").execute()).map(({ id }) => id);
    },
  },
  'Drizzle, `mode: "number"`': drizzleWith(bigint({ mode: "number" })),
  'Drizzle, `mode: "bigint"`': drizzleWith(bigint({ mode: "bigint" })),
  Knex: {
    async roundTrip(ids) {
      await emptied();
      const db = knex({ client: "pg", connection: server.options });
      try {
        await db("rows").insert(ids.map((id) => ({ id })));
        return await db("rows").orderBy("id").pluck("id");
      } finally {
        await db.destroy();
      }
    },
  },
  Sequelize: {
    async roundTrip(ids, options) {
      await emptied();
      const { host, port, database, user } = server.options;
      const db = new Sequelize(database, user, "", { host, port, dialect: "postgres", logging: false });
      try {
        const rows = db.define(
          "rows",
          { id: { type: DataTypes.BIGINT, primaryKey: true, ...options } },
          { timestamps: false, tableName: "rows" },
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
        name: "rows",
        columns: { id: { type: "bigint", primary: true, ...options } },
      });
      const { user, ...place } = server.options;
      const source = new DataSource({ type: "postgres", ...place, username: user, entities: [entity] });
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
    roundTrip: (ids) => roundTrip("postgresql", new PrismaPg(server.options), ids),
  },
  'MikroORM, `BigIntType("number")`': {
    async roundTrip(ids, options) {
      await emptied();
      const { database, ...place } = server.options;
      const open = (entities: Entities) => new MikroORM({ ...place, dbName: database, entities });
      return await throughMikroOrm(open, "rows", ids, { type: new BigIntType("number"), ...options });
    },
  },
  Objection: {
    async roundTrip(ids) {
      await emptied();
      return await throughObjection(knex({ client: "pg", connection: server.options }), "rows", ids);
    },
  },
});
