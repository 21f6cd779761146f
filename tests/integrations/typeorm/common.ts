/** Tests of TypeORM's ID columns for every database. Each database's test runs this suite. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { discord, sno } from "graupel";
import { IdSubscriber, idColumn } from "graupel/typeorm";
import {
  And,
  Between,
  Column,
  DataSource,
  type DataSourceOptions,
  Entity,
  EntitySchema,
  Equal,
  In,
  IsNull,
  LessThan,
  MoreThan,
  Not,
  Or,
  PrimaryColumn,
  Raw,
} from "typeorm";
import { project } from "../support/guide.ts";
import { hasBigInts, holdsIds, isRefused, ODD, orders, pluck, refuses } from "../support/rows.ts";
import { Parts, source, Wholes } from "./tables.ts";

const { version } = JSON.parse(
  readFileSync(join(project, "node_modules", "typeorm", "package.json"), "utf8"),
) as { version: string };

const texts = { next: () => orders.format(source.next()) };

interface Row {
  id: bigint;
  note: string;
}
interface User {
  id: string;
  name: string;
  posts: Post[];
  tags: Tag[];
}
interface Post {
  id: string;
  title: string;
  replyTo: bigint | null;
  authorId: string | null;
  author: User;
}
interface Tag {
  id: string;
  word: string;
}

export const Many = new EntitySchema<Row>({
  name: "many",
  columns: { id: { primary: true, ...idColumn(orders, source) }, note: { type: "varchar" } },
});
const Users = new EntitySchema<User>({
  name: "users",
  columns: {
    id: { primary: true, ...idColumn(orders.text, texts) },
    name: { type: "varchar", length: 20, unique: true },
  },
  relations: {
    posts: { type: "one-to-many", target: "posts", inverseSide: "author", cascade: true },
    tags: { type: "many-to-many", target: "tags", joinTable: true, cascade: true },
  },
});
const Posts = new EntitySchema<Post>({
  name: "posts",
  columns: {
    id: { primary: true, ...idColumn(sno, sno) },
    title: { type: "varchar" },
    replyTo: { ...idColumn(discord), nullable: true },
    // A foreign key with its own column, to which a generator was added by mistake.
    authorId: { ...idColumn(orders.text, texts), nullable: true },
  },
  relations: {
    author: { type: "many-to-one", target: "users", inverseSide: "posts", joinColumn: { name: "authorId" } },
  },
});
const Tags = new EntitySchema<Tag>({
  name: "tags",
  columns: { id: { primary: true, ...idColumn(orders.text, texts) }, word: { type: "varchar" } },
});

/**
 * Decorators are called here as functions, because the test runner only knows standard decorators.
 */
export class Invoice {
  id!: string;
  customer!: string | null;
}
PrimaryColumn(idColumn(orders.text, texts))(Invoice.prototype, "id");
Column({ ...idColumn(orders.text), nullable: true })(Invoice.prototype, "customer");
Entity()(Invoice);

/** A column without a transformer. */
const Plain = new EntitySchema<Row>({
  name: "plain",
  columns: { id: { primary: true, type: "bigint" }, note: { type: "varchar" } },
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
  const statements: string[] = [];
  const ignore = () => {};
  const logger = {
    ...{
      logQueryError: ignore,
      logQuerySlow: ignore,
      logSchemaBuild: ignore,
      logMigration: ignore,
      log: ignore,
    },
    logQuery: (text: string) => void statements.push(text),
  };
  /** The statements of a call that change rows or tables. */
  const changes = async (call: () => Promise<unknown>) => {
    statements.length = 0;
    await call();
    return statements.filter((text) => /^(INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)/.test(text));
  };
  before(async () => {
    const entities = [Many, Users, Posts, Tags, Invoice, Plain, Wholes, Parts];
    db = await new DataSource({
      ...(await start()),
      entities: [...entities, ...others],
      subscribers: [IdSubscriber],
      synchronize: true,
      logging: true,
      logger,
    }).initialize();
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

  describe("new rows get IDs", () => {
    test("saved with all that hangs on them, and saved again as they are", async () => {
      const users = db.getRepository(Users);
      const posts = [{ title: "a" }, { title: "b", replyTo: ODD }];
      const ada: User = await users.save({ name: "Ada", posts, tags: [{ word: "x" }, { word: "y" }] });
      for (const id of [ada.id, ...ada.tags.map((tag) => tag.id)]) assert.equal(orders.text.parse(id), id);
      assert.ok(ada.posts.every(({ id }) => sno.isValid(id)));

      const read = () =>
        users.findOneOrFail({ where: { id: ada.id }, relations: { posts: true, tags: true } });
      const found = await read();
      assert.deepEqual(found.posts.map(({ replyTo }) => replyTo).sort(), [ODD, null]);
      assert.deepEqual(await changes(() => users.save(found)), []);
      found.name = "Ada L.";
      assert.match((await changes(() => users.save(found))).join(), /^UPDATE [^,]*$/);
      found.posts.push({ title: "c" } as Post);
      found.tags.pop();
      assert.equal((await changes(() => users.save(found))).length, 2);
      const again = await read();
      assert.deepEqual([again.name, again.posts.length, again.tags.length], ["Ada L.", 3, 1]);

      const where = { author: { id: ada.id }, title: "c" };
      const post = await db.getRepository(Posts).findOneOrFail({ where, relations: { author: true } });
      assert.equal(post.author.id, ada.id);
      assert.deepEqual(await changes(() => db.getRepository(Posts).save(post)), []);
    });

    test("by save of many, insert, a query builder and upsert; also where null was given", async () => {
      const users = db.getRepository(Users);
      const saved = await users.save([{ name: "s1" }, { name: "s2", id: undefined as never }]);
      const nulled = await users.save({ name: "s3", id: null as never });
      const { identifiers } = await users.insert([{ name: "i1" }, { name: "i2" }]);
      const insert = users.createQueryBuilder().insert();
      const built = await insert.values([{ name: "q1" }, { name: "q2" }]).execute();
      const upserted = { name: "u1" } as User;
      await users.upsert(upserted, ["name"]);
      const made = [...saved, nulled, ...identifiers, ...built.identifiers, upserted].map(({ id }) => id);
      assert.equal(await users.countBy({ id: In(made) }), 8);
      assert.equal(new Set(made).size, 8);
    });

    test("no others: an ID that is there stays, also in a second attempt and in a row that upsert finds", async () => {
      const users = db.getRepository(Users);
      const own = orders.text.range(Date.UTC(2030, 0, 1)).min;
      assert.equal((await users.save({ id: own, name: "own" })).id, own);
      const twice = { name: "own" } as User;
      await assert.rejects(users.save(twice), /uplicate|UNIQUE/);
      const { id } = twice;
      await users.save(Object.assign(twice, { name: "other" }));
      assert.equal(twice.id, id);
      // The row keeps its ID, but the object has the ID generated for an insert.
      const upserted = { name: "own" } as User;
      await users.upsert(upserted, ["name"]);
      assert.notEqual(upserted.id, own);
      assert.equal((await users.findOneByOrFail({ name: "own" })).id, own);
      await assert.rejects(users.save({ name: "unheard" }, { listeners: false }), /null|default/i);
    });

    test("by decorators, and no reference is made up", async () => {
      const invoices = db.getRepository(Invoice);
      const saved = await invoices.save([{}, { customer: `${ODD}` }]);
      const found = await invoices.find({ order: { id: "ASC" } });
      const customers = found.map(({ id, customer }) => [id, customer]);
      assert.deepEqual(customers, [
        [saved[0]?.id, null],
        [saved[1]?.id, `${ODD}`],
      ]);
      assert.equal(await invoices.countBy({ customer: IsNull() }), 1);
      const alone = await db.getRepository(Posts).save({ title: "alone" });
      assert.equal((await db.getRepository(Posts).findOneByOrFail({ id: alone.id })).authorId, null);
    });
  });

  test("operators, also inside of each other, raw and used twice; pages; texts as IDs, and nothing else", async () => {
    const [users, posts] = [db.getRepository(Users), db.getRepository(Posts)];
    const first = ODD + 10n;
    const [a, b, c] = [first, first + 1n, first + 2n].map((id) => `${id}`) as [string, string, string];
    await users.save([a, b, c].map((id) => ({ id, name: `n${id}`, posts: [{ title: id }] })));
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
      assert.deepEqual(pluck(await users.find({ where: { id }, order: { id: "ASC" } })), wanted);
      assert.equal((await users.findAndCount({ where: { id } }))[1], wanted.length);
    }
    const page = { where: { id: Between(a, c) }, relations: { posts: true }, skip: 1, take: 1 };
    const [row] = await users.find({ ...page, order: { id: "ASC" } });
    assert.deepEqual([row?.id, pluck(row?.posts ?? [], "title")], [b, [b]]);
    const [mine] = await posts.find({ where: { author: { id: b } }, loadRelationIds: true });
    assert.deepEqual([mine?.title, mine?.author], [b, b]);
    await users.update(b, { name: "changed" });
    await posts.delete({ author: { id: c } });
    await users.delete({ id: In([c]) });
    const left = await users.find({ where: { id: Between(a, c) }, order: { id: "ASC" } });
    assert.deepEqual(pluck(left, "name"), [`n${a}`, "changed"]);
    // TypeORM reads a list as a condition.
    for (const [given, code] of [
      ["01", "NOT_CANONICAL"],
      ["-1", "CHARACTER"],
      [5, "TYPE"],
    ] as const) {
      const id = given as string;
      const attempts = [{ id }, { id: In([id]) }].map((where) => () => users.find({ where }));
      await refuses(
        code,
        () => users.insert({ id, name: "no" }),
        () => posts.findBy({ author: { id } }),
        ...attempts,
      );
    }
    await refuses(
      "TYPE",
      () => users.insert({ id: ["1"] as never, name: "no" }),
      () => posts.save({ title: "no", replyTo: 5 as never }),
    );
    assert.equal(await users.countBy({ name: "no" }), 0);
  });

  test("errors of statements have BigInts, which become JSON by a replacer", async () => {
    const insert = (note: string) => db.getRepository(Many).insert({ id: ODD + 3n, note });
    await insert("a");
    await hasBigInts(
      () => insert("b"),
      ({ parameters }) => parameters,
      ODD + 3n,
    );
  });

  test("BigInts as keys of related rows do not become JSON: texts do, or a line does it", async () => {
    const wholes = db.getRepository(Wholes);
    const saved = await wholes.save({ name: "a", parts: [{}, {}] });
    const find = () => wholes.findOneOrFail({ where: { id: saved.id }, relations: { parts: true } });
    const found = await find();
    await assert.rejects(wholes.save(found), /serialize a BigInt/);
    const other = await wholes.save({ name: "other" });
    if (/^0\.3\.([12]|30)/.test(version)) {
      await wholes.update(saved.id as never, { name: "a" });
      assert.equal((await wholes.findOneByOrFail({ id: other.id })).name, "a", "all rows are changed");
      await wholes.softDelete(saved.id as never);
      assert.equal(await wholes.count(), 0, "all rows are deleted");
      await wholes.restore(saved.id as never);
      assert.equal(await wholes.count(), 2, "all rows are back");
    } else {
      const id = saved.id as never;
      const update = () => wholes.update(id, { name: "b" });
      for (const call of [
        update,
        ...(["delete", "softDelete", "restore"] as const).map((of) => () => wholes[of](id)),
      ])
        await assert.rejects(call, /Empty criteria/);
    }
    await wholes.update({ id: other.id }, { name: "b" });
    const byQuery = await wholes.find({ relations: { parts: true }, relationLoadStrategy: "query" });
    // Before TypeORM 1, this strategy does not recognize equal BigInt keys as the same key.
    const isLoaded = !version.startsWith("0.");
    assert.equal(byQuery.find(({ id }) => id === saved.id)?.parts.length, isLoaded ? 2 : 0);
    assert.equal((await find()).name, "a");
    await withJsonOfBigInts(async () => {
      assert.deepEqual(await changes(() => wholes.save(found)), []);
      found.parts.pop();
      await wholes.save(found);
      assert.equal((await find()).parts.length, 1);
    });
  });

  return () => db;
}

/** Applies the page's line, which makes BigInts serializable to JSON, while `work` runs. */
export async function withJsonOfBigInts(work: () => Promise<void>): Promise<void> {
  const { prototype } = BigInt as { prototype: { toJSON?: () => string } };
  prototype.toJSON = function (this: bigint) {
    return this.toString();
  };
  await work().finally(() => delete prototype.toJSON);
}

/** Tests for database servers, whose drivers return text and report column types. */
export function behavesOnServers(db: () => DataSource): void {
  test("a BigInt in a column without a transformer is a new row each time", async () => {
    const plain = db().getRepository(Plain);
    await plain.save({ id: ODD, note: "a" });
    await assert.rejects(plain.save({ id: ODD, note: "b" }), /uplicate|UNIQUE/);
    const mended = db().getRepository(Many);
    await mended.save({ id: ODD, note: "a" });
    await mended.save({ id: ODD, note: "b" });
    assert.deepEqual(await mended.findBy({ id: ODD }), [{ id: ODD, note: "b" }]);
    // TypeORM would insert the same ID as text as another row, so it is rejected before the
    // database does so.
    await assert.rejects(mended.save({ id: `${ODD}` as never, note: "c" }), isRefused("TYPE"));
  });

  test("a second look at the tables changes nothing", async () => {
    assert.deepEqual((await db().driver.createSchemaBuilder().log()).upQueries, []);
  });
}
