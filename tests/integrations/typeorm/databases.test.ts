/** TypeORM's ID columns: the tests of every database, and those that only some have. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { IdSubscriber, idColumn } from "graupel/typeorm";
import {
  And,
  Any,
  BeforeInsert,
  Between,
  Column,
  DataSource,
  type DataSourceOptions,
  Entity,
  EntitySchema,
  Equal,
  In,
  LessThan,
  MoreThan,
  Not,
  Or,
  PrimaryColumn,
  Raw,
} from "typeorm";
import { exactIntegers, runGuide } from "../support/guide.ts";
import { holdsIds, ids, isRefused, ODD, orders, pluck, refuses } from "../support/rows.ts";
import { database, testIn, useDatabase } from "../support/servers.ts";
import { relates } from "./relations.ts";

const source = ids();
interface Row {
  id: bigint;
  note: string;
}
const Many = new EntitySchema<Row>({
  name: "many",
  columns: { id: { primary: true, ...idColumn(orders, source) }, note: { type: "varchar" } },
});
const Lists = new EntitySchema<{ id: bigint; of: bigint[] }>({
  name: "lists",
  columns: { id: { primary: true, ...idColumn(orders) }, of: { ...idColumn(orders), array: true } },
});

const server = useDatabase(() => db?.destroy());

/** The options of each database, and those with which its driver rounds. */
const OPTIONS = {
  postgres: () => ({ type: "postgres", ...server.orm }),
  mysql: () => ({ type: "mariadb", ...server.orm }),
  sqlite: () => ({ ...file(), prepareDatabase: exactIntegers }),
};
const file = () => ({ type: "better-sqlite3", database: join(server.directory, "rows.db") });
const memory = { type: "better-sqlite3", database: ":memory:", prepareDatabase: exactIntegers } as const;
const ROUNDING = { supportBigNumbers: false, bigNumberStrings: false };

const started = async (more: object = {}) => {
  await server.started;
  return { ...OPTIONS[database](), ...more } as DataSourceOptions;
};

/** Opens a DataSource while `work` runs. */
async function within<T>(options: object, work: (source: DataSource) => Promise<T>): Promise<T> {
  const source = await new DataSource(options as DataSourceOptions).initialize();
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
}

let db: DataSource;
before(async () => {
  const entities = database === "postgres" ? [Many, Lists] : [Many];
  const options = await started({ entities, subscribers: [IdSubscriber], synchronize: true });
  db = await new DataSource(options).initialize();
});

relates(async () => (database === "sqlite" ? memory : started()));

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

testIn("postgres", "mysql")("a row with a BigInt key that is saved again is updated", async () => {
  const many = db.getRepository(Many);
  await many.save({ id: ODD, note: "a" });
  await many.save({ id: ODD, note: "b" });
  assert.deepEqual(await many.findBy({ id: ODD }), [{ id: ODD, note: "b" }]);
  // TypeORM would insert the same ID as text as another row, so it is rejected before the
  // database does so.
  await assert.rejects(many.save({ id: `${ODD}` as never, note: "c" }), isRefused("TYPE"));
});

testIn("mysql", "sqlite")("without the setting, an ID that the driver has rounded is rejected", async () => {
  const options = database === "mysql" ? await started(ROUNDING) : file();
  await within({ ...options, entities: [Many] }, async (rounding) => {
    assert.ok((await db.getRepository(Many).count()) > 0);
    await assert.rejects(rounding.getRepository(Many).find(), isRefused("TYPE"));
  });
});

testIn("postgres")("arrays of IDs, and Any", async () => {
  const lists = db.getRepository(Lists);
  const row = { id: ODD, of: [ODD, ODD + 1n] };
  await lists.save(row);
  assert.deepEqual(await lists.findBy({ id: Any([ODD, ODD + 1n]) as never }), [row]);
  await assert.rejects(lists.save({ id: ODD + 2n, of: [5 as never] }), isRefused("TYPE"));
});

testIn("postgres")("a generator that throws leaves no row", async () => {
  const next = () => {
    throw new Error("no worker ID");
  };
  const failing = new EntitySchema<{ id: bigint }>({
    name: "failing",
    columns: { id: { primary: true, ...idColumn(orders, { next }) } },
  });
  const own = { ...(await started()), entities: [failing], subscribers: [IdSubscriber], synchronize: true };
  await within(own, async (source) => {
    const rows = source.getRepository(failing);
    for (const write of [() => rows.save({}), () => rows.insert({})]) {
      await assert.rejects(write, /no worker ID/);
    }
    assert.equal(await rows.count(), 0);
  });
});

testIn("postgres")("the guide's program", async () => {
  const { env } = await server.create("guide");
  await runGuide("typeorm.md", "postgres", { env, lines: 5 });
});

testIn("sqlite")(
  "integers of other columns are numbers, rows can be cached, and other keys are generated",
  async () => {
    const count = { id: { primary: true, ...idColumn(orders.text) }, count: { type: "integer" } } as const;
    const Counts = new EntitySchema<{ id: string; count: number }>({ name: "counts", columns: count });
    const id = { type: "integer", primary: true, generated: "increment" } as const;
    const Serials = new EntitySchema<{ id: number }>({ name: "serials", columns: { id } });
    const own = { ...memory, entities: [Counts, Serials], synchronize: true, cache: true };
    await within(own, async (source) => {
      const row = { id: `${ODD}`, count: 5 };
      const counts = source.getRepository(Counts);
      await counts.insert(row);
      for (let i = 0; i < 2; i++) assert.deepEqual(await counts.find({ cache: true }), [row]);
      assert.equal((await source.getRepository(Serials).save({})).id, 1);
    });
  },
);

testIn("sqlite")("@BeforeInsert runs before the subscriber, which keeps an ID that it makes", async () => {
  const seen: unknown[] = [];
  const ids = orders.text.generator({ worker: 1 });
  class Note {
    id?: string;
    hasOwn?: boolean;
    check() {
      seen.push(this.id);
      if (this.hasOwn) this.id ??= ids.next();
      seen.push(typeof this.id);
    }
  }
  PrimaryColumn(idColumn(orders.text, ids))(Note.prototype, "id");
  Column({ type: "boolean" })(Note.prototype, "hasOwn");
  BeforeInsert()(Note.prototype, "check");
  Entity()(Note);
  const options = { ...memory, entities: [Note], subscribers: [IdSubscriber], synchronize: true };
  await within(options, async (source) => {
    const notes = source.getRepository(Note);
    const [own, made] = await notes.save([notes.create({ hasOwn: true }), notes.create({ hasOwn: false })]);
    assert.deepEqual(seen, [undefined, "string", undefined, "undefined"]);
    assert.equal(await notes.countBy([{ id: own?.id as string }, { id: made?.id as string }]), 2);
  });
});
