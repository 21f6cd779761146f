/** Round trips through libraries that work the same way in every database. */
import { EntitySchema, type MikroORM, type PropertyOptions } from "@mikro-orm/core";
import type { Knex } from "knex";
import { type Dialect, Kysely } from "kysely";
import { Model } from "objection";
import { DataTypes, Sequelize, type Options as SequelizeOptions } from "sequelize";
import { DataSource, type DataSourceOptions, EntitySchema as TypeormSchema } from "typeorm";

/** Makes an object that is closed at the end of its block. */
export const closing = <T extends object>(it: T, close: (it: T) => unknown): T & AsyncDisposable =>
  Object.assign(it, { [Symbol.asyncDispose]: async () => void (await close(it)) });

/** The statement that creates a table with only a key in each database. */
export const TABLE = "CREATE TABLE ids (id bigint PRIMARY KEY)";

interface Row {
  id: unknown;
}

/** The tables of a MikroORM instance. */
export type Entities = EntitySchema<Row>[];

/** MikroORM. `property`: the ID property's options from the page's row. */
export async function throughMikroOrm(
  open: (entities: Entities) => MikroORM,
  ids: readonly bigint[],
  property: object,
): Promise<unknown[]> {
  const rows = new EntitySchema<Row>({
    name: "Row",
    tableName: "ids",
    properties: { id: { primary: true, ...property } as PropertyOptions<Row> & { type: "bigint" } },
  });
  await using orm = closing(open([rows]), (orm) => orm.close());
  await orm.em.fork().insertMany(
    rows,
    ids.map((id) => ({ id })),
  );
  return (await orm.em.fork().find(rows, {}, { orderBy: { id: "asc" } })).map(({ id }) => id);
}

/** Objection, with a Knex instance that this function closes. */
export async function throughObjection(opened: Knex, ids: readonly bigint[]): Promise<unknown[]> {
  class Rows extends Model {
    static override tableName = "ids";
    declare id: unknown;
  }
  await using db = closing(opened, (db) => db.destroy());
  // Objection can insert many rows in one statement only in PostgreSQL.
  await db.transaction(async (transaction) => {
    for (const id of ids) await Rows.query(transaction).insert({ id });
  });
  return (await Rows.query(db).orderBy("id")).map(({ id }) => id);
}

/** Kysely, with a dialect that this function closes. */
export async function throughKysely(dialect: Dialect, ids: readonly bigint[]): Promise<unknown[]> {
  await using db = closing(new Kysely<{ ids: Row }>({ dialect }), (db) => db.destroy());
  const rows = ids.map((id) => ({ id }));
  await db.insertInto("ids").values(rows).execute();
  return (await db.selectFrom("ids").select("id").orderBy("id").execute()).map(({ id }) => id);
}

/**
 * Knex. This function closes it. SQLite allows too few parameters for all rows in one statement.
 */
export async function throughKnex(opened: Knex, ids: readonly bigint[]): Promise<unknown[]> {
  await using db = closing(opened, (db) => db.destroy());
  for (let i = 0; i < ids.length; i += 250)
    await db("ids").insert(ids.slice(i, i + 250).map((id) => ({ id })));
  return await db("ids").orderBy("id").pluck("id");
}

/** Sequelize. `attribute`: the ID attribute's options from the page's row. */
export async function throughSequelize(
  options: SequelizeOptions,
  ids: readonly bigint[],
  attribute: object,
): Promise<unknown[]> {
  await using db = closing(new Sequelize({ ...options, logging: false }), (db) => db.close());
  const id = { type: DataTypes.BIGINT, primaryKey: true, ...attribute };
  const rows = db.define("ids", { id }, { timestamps: false, tableName: "ids" });
  await rows.bulkCreate(ids.map((id) => ({ id })));
  return (await rows.findAll({ order: ["id"] })).map((row) => row.get("id"));
}

/**
 * TypeORM. `column`: the ID column's options from the page. `table`: the statement that creates a
 * missing table.
 */
export async function throughTypeorm(
  options: DataSourceOptions,
  ids: readonly bigint[],
  column: object,
  table?: string,
): Promise<unknown[]> {
  const entity = new TypeormSchema<{ id: bigint }>({
    name: "ids",
    columns: { id: { type: "bigint", primary: true, ...column } },
  });
  const opened = await new DataSource({ ...options, entities: [entity] } as DataSourceOptions).initialize();
  await using source = closing(opened, (source) => source.destroy());
  if (table !== undefined) await source.query(table);
  const repository = source.getRepository(entity);
  await repository.insert(ids.map((id) => ({ id })));
  return (await repository.find({ order: { id: "ASC" } })).map(({ id }) => id);
}
