/**
 * Shared by the tests of all databases: the versions of Drizzle, and the gaps that its guide lists
 * under "What is not checked".
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as drizzle from "drizzle-orm";
import { between, count, eq, gt, inArray, like, max, ne, sql } from "drizzle-orm";
import { sno, twitter } from "graupel";
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
 * Tests Drizzle's behaviour with the columns in every database. `table`, `id`, `note`: as in
 * `testGaps`.
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

  test("a generator of texts, a join, and a reference that is changed", async () => {
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
}

/**
 * A table with `id bigint PRIMARY KEY` and `batch bigint`, which both use the generator, and `note
 * text`.
 */
export const EVENTS = "CREATE TABLE events (id bigint PRIMARY KEY, batch bigint, note text)";
const generator = twitter.generator({ datacenterId: 0, workerId: 5 });

/**
 * Shows each gap of the guide's list, and that the guide's alternative closes it.
 *
 * @param table Drizzle's table function for this database. `id`: graupel's column function; `note`:
 * the third column.
 * @param open Returns a database with the table `EVENTS`. `rows`: runs a SQL statement.
 */
export function testGaps(
  table: Any,
  id: Any,
  note: object,
  open: () => { readonly db: Any; rows(statement: Any): Promise<Any> },
): void {
  const events = table("events", {
    id: id(twitter, generator)().primaryKey(),
    batch: id(twitter, generator)(),
    ...note,
  });
  /** The ID of another row. */
  const rounded = Number(ODD);
  const fill = async () => {
    const { db, rows } = open();
    await db.delete(events);
    const other = { id: BigInt(rounded), note: "another" };
    await db.insert(events).values([{ id: ODD, note: "right" }, other]);
    return { db, rows };
  };

  test("not checked: placeholders in conditions", async () => {
    const { db } = await fill();
    const find = (value: Any, name: string) =>
      db.select({ note: events.note }).from(events).where(eq(events.id, value)).prepare(name);
    const id = sql.placeholder("id");
    assert.deepEqual(await find(id, "unchecked").execute({ id: rounded }), [{ note: "another" }]);
    const checked = find(sql.param(id, events.id), "checked");
    assert.deepEqual(await checked.execute({ id: ODD }), [{ note: "right" }]);
    await refuses("TYPE", () => checked.execute({ id: rounded }));
    const change = db.update(events).set({ batch: id }).where(eq(events.note, "right")).prepare("change");
    await change.execute({ id: null });
    await refuses("TYPE", () => change.execute({ id: rounded }));
  });

  test("not checked: inserts that are prepared without an ID", async () => {
    const { db } = await fill();
    await db.delete(events);
    const [id, batch] = [sql.placeholder("id"), sql.placeholder("batch")];
    const unchecked = db.insert(events).values({ id }).prepare("repeating");
    for (let i = 0; i < 3; i++) await unchecked.execute({ id: generator.next() });
    const batches = await db.select({ batch: events.batch }).from(events);
    assert.equal(new Set(batches.map((row: Any) => row.batch)).size, 1, "one ID for all rows");
    const checked = db.insert(events).values({ id, batch }).prepare("given");
    for (let i = 0; i < 3; i++) await checked.execute({ id: generator.next(), batch: generator.next() });
    assert.equal((await db.selectDistinct({ batch: events.batch }).from(events)).length, 4);
    await refuses(
      "TYPE",
      () => checked.execute({ id: generator.next(), batch: rounded }),
      () => checked.execute({ id: rounded, batch: ODD }),
    );
  });

  test("not checked: values in SQL, and what is compared with an expression", async () => {
    const { db } = await fill();
    const notes = (where: Any) => db.select({ note: events.note }).from(events).where(where);
    assert.deepEqual(await notes(sql`${events.id} = ${rounded}`), [{ note: "another" }]);
    assert.deepEqual(await notes(sql`${events.id} = ${sql.param(ODD, events.id)}`), [{ note: "right" }]);
    const wrong = sql.param(rounded, events.id);
    await refuses("TYPE", () => notes(sql`${events.id} = ${wrong}`));
    const largest = db
      .select({ id: events.id, note: events.note, largest: max(events.id).as("largest") })
      .from(events)
      .groupBy(events.id, events.note)
      .as("largest_of");
    const ofSubquery = (where: Any) => db.select({ note: largest.note }).from(largest).where(where);
    const notesOf = () => db.select({ note: events.note }).from(events).groupBy(events.note);
    const having = (value: Any) => notesOf().having(gt(max(events.id), value));
    assert.equal((await having(rounded)).length, 1);
    assert.deepEqual(await ofSubquery(eq(largest.largest, rounded)), [{ note: "another" }]);
    await refuses(
      "TYPE",
      () => having(wrong),
      () => ofSubquery(eq(largest.largest, wrong)),
      () => ofSubquery(eq(largest.id, rounded)),
    );
    const read = await db.select().from(largest).where(eq(largest.id, ODD));
    assert.deepEqual(read, [{ id: ODD, note: "right", largest: ODD }]);
  });

  test("not checked: values on the left, and patterns", async () => {
    const { db } = await fill();
    const notes = (where: Any) => db.select({ note: events.note }).from(events).where(where);
    assert.deepEqual(await notes(eq(rounded as Any, events.id)), [{ note: "another" }]);
    assert.deepEqual(await notes(like(sql`concat(${events.id}, '')`, `${BigInt(rounded)}`)), [
      { note: "another" },
    ]);
    assert.deepEqual(await notes(between(events.id, ODD, ODD)), [{ note: "right" }]);
    for (const compare of [eq, ne, gt, inArray, between] as Any[]) {
      const value: Any = compare === inArray ? [rounded] : rounded;
      await refuses("TYPE", () => notes(compare(events.id, value, value)));
    }
  });

  test("not checked: rows of SQL", async () => {
    const { db, rows } = await fill();
    const [row] = await rows(sql`SELECT id FROM events WHERE note = 'right'`);
    assert.equal(twitter.fromBigInt(BigInt(row.id)), ODD);
    const largest = sql`max(${events.id})`;
    const [mapped] = await db.select({ id: largest.mapWith(events.id) }).from(events);
    assert.deepEqual(mapped, { id: ODD });
  });
}
