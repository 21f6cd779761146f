/** Shared by the tests of all databases: the versions of Drizzle, and the stories of its columns. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as drizzle from "drizzle-orm";
import { between, count, eq, inArray, sql } from "drizzle-orm";
import { sno, twitter } from "graupel";
import { prefixed } from "graupel/prefixed";
import { textFormat } from "graupel/text-format";
import { holdsIds, ids, ODD, orders, refuses } from "../support/rows.ts";

// biome-ignore lint/suspicious/noExplicitAny: table and array types differ between databases and versions
type Any = any;

/** Whether this is Drizzle 1, which reads integers as text and defines relations differently. */
export const isFirst = "defineRelations" in drizzle;

/** An array column. Drizzle 1 gives the depth in brackets. */
export function arrayOf(column: Any, depth: 1 | 2): Any {
  if (isFirst) return column.array("[]".repeat(depth));
  return depth === 1 ? column.array() : column.array().array();
}

/** Queries rows that are nested two levels deep with `with`. */
export async function nestedRows(open: (relations: object) => Any, users: Any, posts: Any): Promise<Any> {
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

/** The tables of `testStories` in each database. */
export const TABLES = [
  "CREATE TABLE many (id bigint PRIMARY KEY, note text)",
  "CREATE TABLE users (id bigint PRIMARY KEY, name text)",
  "CREATE TABLE posts (id char(16) PRIMARY KEY, author bigint)",
];

/** The generator of the 100,000 rows. Each client gets the next ones. */
export const source = ids();

/**
 * Tests Drizzle's behaviour with the columns in every database.
 *
 * @param table Drizzle's table function for this database. `id`: graupel's column function; `note`:
 * a text column.
 */
export function testStories(table: Any, id: Any, note: () => Any, open: () => Any): void {
  const many = table("many", { id: id(orders, source)().primaryKey(), note: note() });
  const users = table("users", { id: id(twitter)().primaryKey(), name: note() });
  const posts = table("posts", { id: id(sno, sno)().primaryKey(), author: id(twitter)() });

  holdsIds(() => {
    const db = open();
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
    const db = open();
    for (const of of [posts, users]) await db.delete(of);
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
    const db = open();
    for (const of of [posts, users]) await db.delete(of);
    const format = textFormat(twitter, prefixed(twitter, "usr_"));
    const ids = format.generator({ datacenterId: 1, workerId: 5 });
    const people = table("users", { id: id(format, ids)().primaryKey(), name: note() });
    const letters = table("posts", { id: id(sno, sno)().primaryKey(), author: id(format)() });
    await db.insert(people).values({ name: "a" });
    const [row] = await db.select().from(people);
    await db.insert(letters).values({ author: row.id });
    const joined = db.select({ author: letters.author }).from(people);
    const found = await joined.innerJoin(letters, eq(letters.author, people.id)).where(eq(people.id, row.id));
    assert.deepEqual(found, [{ author: row.id }]);
    assert.deepEqual(await db.select().from(users), [{ id: format.toBigInt(row.id), name: "a" }]);
    await refuses("CHARACTER", () =>
      db
        .select()
        .from(people)
        .where(eq(people.id, row.id.slice(4))),
    );
  });

  test("`sql.param` checks a placeholder of a prepared statement", async () => {
    const db = open();
    for (const of of [posts, users]) await db.delete(of);
    await db.insert(users).values({ id: ODD, name: "a" });
    const id = sql.param(sql.placeholder("id"), users.id);
    const find = db.select({ name: users.name }).from(users).where(eq(users.id, id)).prepare("find");
    assert.deepEqual(await find.execute({ id: ODD }), [{ name: "a" }]);
    await refuses("TYPE", () => find.execute({ id: Number(ODD) }));
  });
}
