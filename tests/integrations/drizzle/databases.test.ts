/** Drizzle columns: the tests of every database, and those that only some have. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import Sqlite from "better-sqlite3";
import * as drizzle from "drizzle-orm";
import { arrayContains, between, count, eq, inArray, sql } from "drizzle-orm";
import { drizzle as overSqlite } from "drizzle-orm/better-sqlite3";
import { mysqlTable, text as mysqlText } from "drizzle-orm/mysql-core";
import { drizzle as overMysql } from "drizzle-orm/mysql2";
import { drizzle as overPg } from "drizzle-orm/node-postgres";
import { pgTable, text as pgText } from "drizzle-orm/pg-core";
import { drizzle as overPostgres } from "drizzle-orm/postgres-js";
import { sqliteTable, text as sqliteText } from "drizzle-orm/sqlite-core";
import { discord, sno, twitter } from "graupel";
import { mysqlId, parseJson, pgId, sqliteId } from "graupel/drizzle";
import { prefixed } from "graupel/prefixed";
import { textFormat } from "graupel/text-format";
import mysql from "mysql2/promise";
import pg from "pg";
import postgres from "postgres";
import { exactIntegers, runGuide } from "../support/guide.ts";
import { holdsIds, ids, ODD, orders, pluck, refuses } from "../support/rows.ts";
import { database, testIn, useDatabase } from "../support/servers.ts";

// biome-ignore lint/suspicious/noExplicitAny: table and array types differ between databases and versions
type Any = any;

/** Whether this is Drizzle 1, which reads integers as text and defines relations differently. */
const isFirst = "defineRelations" in drizzle;

/** A client of Drizzle, and the function that ends its connections. */
type Opened = readonly [db: Any, close: () => unknown];

/** `settings`: options for the driver. */
const over = {
  pg(settings: object = {}): Opened {
    const client = new pg.Pool({ ...server.options, max: 3, ...settings });
    // `end` does not wait for the connections, so the server may stop while one is still open.
    client.on("error", () => {});
    return [overPg({ client }), () => client.end()];
  },
  postgres(settings: object = {}): Opened {
    const client = postgres({ ...server.options, max: 2, onnotice: () => {}, ...settings });
    return [overPostgres({ client }), () => client.end()];
  },
  mysql(settings: object = { supportBigNumbers: true }): Opened {
    const client = mysql.createPool({ ...server.options, connectionLimit: 3, ...settings });
    return [overMysql({ client }), () => client.end()];
  },
};
const inMemory = new Sqlite(":memory:");

/** For each database: Drizzle's functions for tables and texts, the column, and the clients. */
const STACKS = {
  postgres: {
    ...{ table: pgTable, text: pgText, column: pgId },
    clients: {
      pg: () => over.pg(),
      postgres: () => over.postgres(),
      // Returns arrays as text. Through it, Drizzle 1 cannot write text arrays.
      ...(!isFirst && { "postgres without fetch_types": () => over.postgres({ fetch_types: false }) }),
    },
  },
  mysql: { table: mysqlTable, text: mysqlText, column: mysqlId, clients: { mysql2: () => over.mysql() } },
  sqlite: {
    ...{ table: sqliteTable, text: sqliteText, column: sqliteId },
    clients: {
      "better-sqlite3"(): Opened {
        exactIntegers(inMemory);
        return [overSqlite({ client: inMemory }), () => {}];
      },
    },
  },
};
const { table, text, column, clients } = STACKS[database] as Any;

const TABLES = [
  "CREATE TABLE many (id bigint PRIMARY KEY, note text)",
  "CREATE TABLE users (id bigint PRIMARY KEY, name text)",
  "CREATE TABLE posts (id char(16) PRIMARY KEY, author bigint)",
];
const server = useDatabase();
before(async () => {
  await server.started;
  if (database === "sqlite") {
    for (const text of TABLES) inMemory.exec(text.replace("bigint PRIMARY", "integer PRIMARY"));
    return;
  }
  const [db, close] = over[database === "mysql" ? "mysql" : "pg"]();
  for (const text of TABLES) await db.execute(sql.raw(text));
  await close();
});

/** The generator of the rows of `many`. Each client gets the next ones. */
const source = ids();
const many = table("many", { id: column(orders, source)().primaryKey(), note: text() });
const users = table("users", { id: column(twitter)().primaryKey(), name: text() });
const posts = table("posts", { id: column(sno, sno)().primaryKey(), author: column(twitter)() });

testIn("mysql", "sqlite")(
  "without the setting, a rounded ID is rejected, or Drizzle 1 returns the whole ID",
  async () => {
    const [db, close] =
      database === "mysql" ? over.mysql({}) : [overSqlite({ client: inMemory }) as Any, () => {}];
    await db.insert(posts).values({ author: ODD });
    const found = async () => db.select().from(posts);
    if (isFirst) assert.equal((await found())[0]?.author, ODD);
    else await refuses("TYPE", found);
    await close();
  },
);

for (const [name, open] of Object.entries<() => Opened>(clients)) describe(name, () => stores(open));

/** Tests Drizzle's behaviour with the columns through a client. */
function stores(open: () => Opened): void {
  let [db, close]: Opened = [undefined, () => {}];
  before(() => {
    [db, close] = open();
  });
  after(() => close());

  const emptied = async () => {
    for (const of of [posts, users]) await db.delete(of);
  };

  holdsIds(() => {
    const all = () => db.select().from(many).orderBy(many.id);
    return {
      source,
      insert: async (rows) => db.insert(many).values(rows),
      all: async () => all(),
      find: async (...ids) => all().where(ids.length === 1 ? eq(many.id, ids[0]) : inArray(many.id, ids)),
      async count(min, max) {
        const counted = db.select({ n: count() }).from(many);
        return (await counted.where(between(many.id, min, max)))[0].n;
      },
      rename: async (id, note) => db.update(many).set({ note }).where(eq(many.id, id)),
      remove: async (...ids) => db.delete(many).where(inArray(many.id, ids)),
    };
  });

  test("a generator of texts, a join, and a changed reference", async () => {
    await emptied();
    await db.insert(users).values([ODD, ODD + 1n].map((id) => ({ id, name: "a" })));
    await db.insert(posts).values({ author: ODD });
    const [{ id: post }] = await db.select().from(posts);
    assert.ok(sno.isValid(post));
    const joined = db.select({ user: users.id, post: posts.id }).from(posts);
    assert.deepEqual(await joined.innerJoin(users, eq(posts.author, users.id)), [{ user: ODD, post }]);
    const change = (author: unknown) => db.update(posts).set({ author }).where(eq(posts.id, post));
    await change(ODD + 1n);
    assert.deepEqual(await db.select().from(posts), [{ id: post, author: ODD + 1n }]);
    await refuses("TYPE", () => change(Number(ODD)));
  });

  test("a text format: rows have its texts, and the database has integers", async () => {
    await emptied();
    const format = textFormat(twitter, prefixed(twitter, "usr_"));
    const ids = format.generator({ datacenterId: 1, workerId: 5 });
    const people = table("users", { id: column(format, ids)().primaryKey(), name: text() });
    const letters = table("posts", { id: column(sno, sno)().primaryKey(), writer: column(format)("author") });
    await db.insert(people).values({ name: "a" });
    const [row] = await db.select().from(people);
    await db.insert(letters).values({ writer: row.id });
    const joined = db.select({ writer: letters.writer }).from(people);
    const found = await joined.innerJoin(letters, eq(letters.writer, people.id)).where(eq(people.id, row.id));
    assert.deepEqual(found, [{ writer: row.id }]);
    assert.deepEqual(await db.select().from(users), [{ id: format.toBigInt(row.id), name: "a" }]);
    const find = (id: string) => () => db.select().from(people).where(eq(people.id, id));
    await refuses("CHARACTER", find(row.id.slice(4)));
  });

  test("`sql.param` checks a placeholder of a prepared statement", async () => {
    await emptied();
    await db.insert(users).values({ id: ODD, name: "a" });
    const id = sql.param(sql.placeholder("id"), users.id);
    const find = db.select({ name: users.name }).from(users).where(eq(users.id, id)).prepare("find");
    assert.deepEqual(await find.execute({ id: ODD }), [{ name: "a" }]);
    await refuses("TYPE", () => find.execute({ id: Number(ODD) }));
  });

  testIn("postgres", "sqlite")("`returning` of an insert, an update and a deletion", async () => {
    await emptied();
    const [post] = await db.insert(posts).values({ author: ODD }).returning();
    assert.ok(sno.isValid(post?.id));
    assert.equal(post?.author, ODD);
    const ofPost = eq(posts.id, post?.id as string);
    const change = db.update(posts).set({ author: ODD + 2n });
    const [changed] = await change.where(ofPost).returning();
    assert.equal(changed?.author, ODD + 2n);
    assert.deepEqual(await db.delete(posts).where(ofPost).returning({ id: posts.id }), [{ id: post?.id }]);
  });

  testIn("postgres")("arrays with NULL, and nested arrays", async () => {
    /** An array column. Drizzle 1 gives the depth in brackets. */
    const arrayOf = (column: Any, depth: 1 | 2) => {
      if (isFirst) return column.array("[]".repeat(depth));
      return depth === 1 ? column.array() : column.array().array();
    };
    const lists = pgTable("lists", {
      id: pgId(twitter)().primaryKey(),
      users: arrayOf(pgId(twitter)(), 1),
      grid: arrayOf(pgId(twitter)(), 2),
      logs: arrayOf(pgId(sno)(), 1),
    });
    const columns = "id bigint PRIMARY KEY, users bigint[], grid bigint[][], logs char(16)[]";
    await db.execute(sql.raw(`DROP TABLE IF EXISTS lists`));
    await db.execute(sql.raw(`CREATE TABLE lists (${columns})`));
    const [third, other] = [ODD + 2n, "brpk4q72xwf2m63l"];
    const grid = [
      [ODD, null],
      [null, third],
    ];
    const row = { id: ODD, users: [ODD, null, ODD + 1n], grid, logs: [other, null] };
    assert.deepEqual(await db.insert(lists).values(row).returning(), [row]);
    const contains = (users: unknown) => arrayContains(lists.users, users as bigint[]);
    const find = (users: unknown) => db.select().from(lists).where(contains(users));
    assert.deepEqual(await find([ODD]), [row]);
    const insert = (wrong: object) => () => db.insert(lists).values({ ...row, ...wrong });
    const wrong = [{ users: [ODD, 5] }, { grid: [[5]] }, { users: [undefined] }].map(insert);
    await refuses("LENGTH", insert({ logs: [null, "x"] }));
    await refuses("TYPE", ...wrong, () => find([Number(ODD)]));
  });
}

testIn("mysql")("IDs above 2^63", async () => {
  const [db, close] = over.mysql();
  const messages = mysqlTable("messages", { id: mysqlId(discord)().primaryKey() });
  await db.execute(sql.raw("CREATE TABLE messages (id bigint unsigned PRIMARY KEY)"));
  const made = [ODD, discord.range(Date.UTC(2100, 0, 1)).min + 5n, discord.range().max];
  await db.insert(messages).values(made.map((id) => ({ id })));
  assert.deepEqual(pluck(await db.select().from(messages).orderBy(messages.id)), made);
  await close();
});

/** Queries rows that are nested two levels deep with `with`. `open`: opens the client. */
async function nestedRows(open: (relations: Any) => Any, users: Any, posts: Any): Promise<Any> {
  const { relations, defineRelations } = drizzle as Any;
  const ofFirst = (r: Any) => ({
    users: { posts: r.many.posts({ from: r.users.id, to: r.posts.author }) },
    posts: { user: r.one.users({ from: r.posts.author, to: r.users.id }) },
  });
  const user = { fields: [posts.author], references: [users.id] };
  const schema = () => ({
    ...{ users, posts, toPosts: relations(users, ({ many }: Any) => ({ posts: many(posts) })) },
    toUser: relations(posts, ({ one }: Any) => ({ user: one(users, user) })),
  });
  const db = open(isFirst ? { relations: defineRelations({ users, posts }, ofFirst) } : { schema: schema() });
  if (isFirst) {
    const wrong = [
      { id: Number(ODD) },
      { OR: [{ NOT: { id: { in: [Number(ODD)] } } }] },
      { posts: { author: { gt: Number(ODD) } } },
    ];
    await refuses("TYPE", ...wrong.map((where) => () => db.query.users.findFirst({ where })));
  }
  const where = isFirst ? { id: ODD } : eq(users.id, ODD);
  return db.query.users.findFirst({ where, with: { posts: { with: { user: true } } } });
}

testIn("postgres", "sqlite")(
  "a relational query reads rows as JSON: rounded IDs are rejected, or are whole",
  async () => {
    const [db, close]: Opened = Object.values<() => Opened>(clients)[0]?.() ?? assert.fail();
    for (const of of [posts, users]) await db.delete(of);
    await db.insert(users).values({ id: ODD, name: "a" });
    await db.insert(posts).values({ author: ODD });
    await close();
    const isWhole = (found: Any) =>
      assert.deepEqual([found.posts[0].author, found.posts[0].user.id], [ODD, ODD]);
    if (database === "sqlite") {
      const nested = async () =>
        nestedRows((config) => overSqlite({ client: inMemory, ...config }), users, posts);
      return isFirst ? isWhole(await nested()) : refuses("TYPE", nested);
    }
    const pools: { end(): Promise<unknown> }[] = [];
    const nested = () => {
      const client = new pg.Pool({ ...server.options, max: 1 });
      pools.push(client);
      return nestedRows((config) => overPg({ client, ...config }), users, posts);
    };
    if (isFirst) isWhole(await nested());
    else await refuses("TYPE", nested);
    for (const oid of [114, 3802]) pg.types.setTypeParser(oid, parseJson);
    isWhole(await nested());
    const json = { to: 114, from: [114, 3802], serialize: JSON.stringify, parse: parseJson };
    const other = postgres({ ...server.options, max: 1, types: { json } });
    pools.push(other);
    isWhole(await nestedRows((config) => overPostgres({ client: other, ...config }), users, posts));
    for (const pool of pools) await pool.end();
  },
);

testIn("postgres")("the guide", async () => {
  const { env } = await server.create("guide");
  await runGuide("drizzle.md", isFirst ? "postgres-1" : "postgres", { env, lines: isFirst ? 2 : 3 });
});
