/** Drivers and libraries on PostgreSQL. */

import { PGlite } from "@electric-sql/pglite";
import { BigIntType } from "@mikro-orm/core";
import { MikroORM } from "@mikro-orm/postgresql";
import { PrismaPg } from "@prisma/adapter-pg";
import { drizzle } from "drizzle-orm/node-postgres";
import { bigint, pgTable } from "drizzle-orm/pg-core";
import { pgId } from "graupel/drizzle";
import knex from "knex";
import { PostgresDialect } from "kysely";
import pg from "pg";
import postgres from "postgres";
import { roundTrip } from "../prisma/generate.ts";
import { pluck } from "../support/rows.ts";
import { usePool } from "../support/servers.ts";
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

const server = usePool(2);

/** Drops and re-creates the table. */
async function emptied(): Promise<void> {
  await server.pool.query(`DROP TABLE IF EXISTS ids; ${TABLE}`);
}

/** Drizzle with its own column type, or with the one in the page's line. */
const drizzleWith = (own: unknown): Library => ({
  scope: { pgId },
  async roundTrip(ids, { id = own }) {
    const rows = pgTable("ids", { id });
    const db = drizzle({ client: server.pool });
    await db.insert(rows).values(ids.map((id) => ({ id })));
    return (await db.select().from(rows).orderBy(rows.id)).map(({ id }) => id);
  },
});

const throughPg = () => knex({ client: "pg", connection: server.options });

const libraries: Record<string, Library> = {
  "`pg`": {
    async roundTrip(ids) {
      await server.pool.query("INSERT INTO ids SELECT unnest($1::bigint[])", [ids]);
      return pluck((await server.pool.query("SELECT id FROM ids ORDER BY id")).rows);
    },
  },
  "`postgres`": {
    async roundTrip(ids) {
      const client = postgres({ ...server.options, max: 1, onnotice: () => {} });
      await using sql = closing(client, (client) => client.end());
      await sql`INSERT INTO ids ${sql(ids.map((id) => ({ id: `${id}` })))}`;
      return (await sql`SELECT id FROM ids ORDER BY id`).map(({ id }) => id);
    },
  },
  PGlite: {
    async roundTrip(ids) {
      await using db = closing(await PGlite.create(), (db) => db.close());
      await db.exec(TABLE);
      await db.query("INSERT INTO ids SELECT unnest($1::bigint[])", [ids]);
      return pluck((await db.query<object>("SELECT id FROM ids ORDER BY id")).rows);
    },
  },
  Kysely: {
    roundTrip: (ids) => throughKysely(new PostgresDialect({ pool: new pg.Pool(server.options) }), ids),
  },
  'Drizzle, `mode: "number"`': drizzleWith(bigint({ mode: "number" })),
  'Drizzle, `mode: "bigint"`': drizzleWith(bigint({ mode: "bigint" })),
  Knex: { roundTrip: (ids) => throughKnex(throughPg(), ids) },
  Sequelize: {
    roundTrip: (ids, options) => throughSequelize({ ...server.orm, dialect: "postgres" }, ids, options),
  },
  TypeORM: { roundTrip: (ids, options) => throughTypeorm({ type: "postgres", ...server.orm }, ids, options) },
  Prisma: { roundTrip: (ids) => roundTrip("postgres", new PrismaPg(server.options), ids) },
  'MikroORM, `BigIntType("number")`': {
    roundTrip(ids, options) {
      const { database, ...place } = server.options;
      const open = (entities: Entities) => new MikroORM({ ...place, dbName: database, entities });
      return throughMikroOrm(open, ids, { type: new BigIntType("number"), ...options });
    },
  },
  Objection: { roundTrip: (ids) => throughObjection(throughPg(), ids) },
};

agreeWithPage("PostgreSQL", libraries, emptied);
