/** Tests of TypeORM's ID columns for every database. Each database's test runs this suite. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { IdSubscriber, idColumn } from "graupel/typeorm";
import {
  And,
  Between,
  DataSource,
  type DataSourceOptions,
  EntitySchema,
  Equal,
  In,
  LessThan,
  MoreThan,
  Not,
  Or,
  Raw,
} from "typeorm";
import { holdsIds, ids, isRefused, ODD, orders, pluck, refuses } from "../support/rows.ts";

const source = ids();
interface Row {
  id: bigint;
  note: string;
}
export const Many = new EntitySchema<Row>({
  name: "many",
  columns: { id: { primary: true, ...idColumn(orders, source) }, note: { type: "varchar" } },
});

/** Opens a DataSource while `work` runs. */
export async function within<T>(options: object, work: (source: DataSource) => Promise<T>): Promise<T> {
  const source = await new DataSource(options as DataSourceOptions).initialize();
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
}

/**
 * Runs the suite in a database. `start`: starts its server, if any. `others`: additional tables for
 * the database's own tests.
 */
export function behaves(
  start: () => Promise<DataSourceOptions>,
  others: readonly EntitySchema<never>[] = [],
): () => DataSource {
  let db: DataSource;
  before(async () => {
    const entities = [Many, ...others];
    const options = { entities, subscribers: [IdSubscriber], synchronize: true };
    db = await new DataSource({ ...(await start()), ...options }).initialize();
  });

  holdsIds(() => {
    const many = db.getRepository(Many);
    const order = { id: "ASC" } as const;
    return {
      source,
      writesTexts: false,
      insert: (rows) => many.insert(rows),
      all: () => many.find({ order }),
      find: (...ids) => many.find({ where: { id: ids.length === 1 ? (ids[0] as bigint) : In(ids) }, order }),
      count: (min, max) => many.countBy({ id: Between(min, max) }),
      rename: (id, note) => many.update({ id }, { note }),
      remove: (...ids) => many.delete({ id: In(ids) }),
    };
  });

  test("operators, also nested, raw and reused", async () => {
    const many = db.getRepository(Many);
    const [a, b, c] = [ODD + 10n, ODD + 11n, ODD + 12n] as const;
    await many.insert([a, b, c].map((id) => ({ id, note: "operators" })));
    const between = And(MoreThan(a), LessThan(c));
    for (const [id, wanted] of [
      [Equal(b), [b]],
      [Or(Equal(a), Equal(c)), [a, c]],
      [And(Not(In([a, b])), Between(a, c)), [c]],
      [Raw((column) => `${column} > ${a} AND ${column} < ${c}`), [b]],
      // TypeORM modifies an operator when it uses it.
      [between, [b]],
      [between, [b]],
    ] as const) {
      const [found, count] = await many.findAndCount({ where: { id }, order: { id: "ASC" } });
      assert.deepEqual([pluck(found), count], [wanted, wanted.length]);
    }
    // TypeORM reads a list as a condition.
    await refuses("TYPE", () => many.insert({ id: [1n] as never, note: "no" }));
  });

  test("`synchronize` finds no difference in existing tables", async () => {
    assert.deepEqual((await db.driver.createSchemaBuilder().log()).upQueries, []);
  });

  return () => db;
}

/** Tests for database servers, whose drivers return text. */
export function behavesOnServers(db: () => DataSource): void {
  test("a row with a BigInt key that is saved again is updated", async () => {
    const many = db().getRepository(Many);
    await many.save({ id: ODD, note: "a" });
    await many.save({ id: ODD, note: "b" });
    assert.deepEqual(await many.findBy({ id: ODD }), [{ id: ODD, note: "b" }]);
    // TypeORM would insert the same ID as text as another row, so it is rejected before the
    // database does so.
    await assert.rejects(many.save({ id: `${ODD}` as never, note: "c" }), isRefused("TYPE"));
  });
}
