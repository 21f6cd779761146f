/** Tests of TypeORM's ID columns for every database. Each database's test runs this suite. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { discord, sno } from "graupel";
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
    const entities = [Many, Users, Posts, Tags];
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
    test("related rows are saved with IDs, and saving them again changes nothing", async () => {
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

    test("save of many rows, insert, a query builder and upsert generate IDs, also in place of null", async () => {
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

    test("an existing ID is kept, also in a second attempt and in a row that upsert finds", async () => {
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

    test("a reference with a generator gets no ID", async () => {
      const posts = db.getRepository(Posts);
      const { id } = await posts.save({ title: "alone" });
      assert.equal((await posts.findOneByOrFail({ id })).authorId, null);
    });
  });

  test("operators, also nested, raw and reused; pages; texts as IDs; invalid IDs are rejected", async () => {
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
