/** Round trips of libraries that are the same in every database. */
import { EntitySchema, type MikroORM, type PropertyOptions } from "@mikro-orm/core";
import type { Knex } from "knex";
import { Model } from "objection";

interface Row {
  id: unknown;
}

/** The tables of a MikroORM. */
export type Entities = EntitySchema<Row>[];

/** MikroORM. `property`: what the row of the page says of the ID. */
export async function throughMikroOrm(
  open: (entities: Entities) => MikroORM,
  tableName: string,
  ids: readonly bigint[],
  property: object,
): Promise<unknown[]> {
  const rows = new EntitySchema<Row>({
    name: "Row",
    tableName,
    properties: { id: { primary: true, ...property } as PropertyOptions<Row> & { type: "bigint" } },
  });
  const orm = open([rows]);
  try {
    await orm.em.fork().insertMany(
      rows,
      ids.map((id) => ({ id })),
    );
    return (await orm.em.fork().find(rows, {}, { orderBy: { id: "asc" } })).map(({ id }) => id);
  } finally {
    await orm.close();
  }
}

/** Objection, on a Knex that it closes. */
export async function throughObjection(
  db: Knex,
  tableName: string,
  ids: readonly bigint[],
): Promise<unknown[]> {
  class Rows extends Model {
    static override tableName = tableName;
    declare id: unknown;
  }
  try {
    // Only in PostgreSQL does it insert many rows at once.
    await db.transaction(async (transaction) => {
      for (const id of ids) await Rows.query(transaction).insert({ id });
    });
    return (await Rows.query(db).orderBy("id")).map(({ id }) => id);
  } finally {
    await db.destroy();
  }
}
