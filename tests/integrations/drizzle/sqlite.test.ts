/** Drizzle columns in SQLite, through `better-sqlite3`. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import Database from "better-sqlite3";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { blob, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { sno, twitter } from "graupel";
import { sqliteId } from "graupel/drizzle";
import { exactIntegers } from "../support/guide.ts";
import { isRefused, ODD, orders } from "../support/rows.ts";
import { EVENTS, isFirst, nestedRows, TABLES, testGaps, testStories } from "./common.ts";

const client = new Database(":memory:");
for (const text of TABLES) client.exec(text.replace("bigint PRIMARY", "integer PRIMARY"));
client.exec(EVENTS);

const notes = sqliteTable("posts", { id: sqliteId(sno, sno)().primaryKey(), author: sqliteId(twitter)() });

test("without the setting, what better-sqlite3 rounds is refused, or comes as text", async () => {
  const db = drizzle({ client });
  db.insert(notes).values({ author: ODD }).run();
  const found = async () => db.select().from(notes).all();
  if (isFirst) assert.equal((await found())[0]?.author, ODD);
  else await assert.rejects(found, isRefused("TYPE"));
});

test("what the guide says of settings, casts, and columns that are not IDs", async () => {
  const others = sqliteTable("others", {
    id: sqliteId(twitter)().primaryKey(),
    at: integer({ mode: "timestamp" }),
    likes: integer(),
    ratio: real(),
    isNew: integer({ mode: "boolean" }),
    bytes: blob({ mode: "buffer" }),
  });
  const columns = "id integer PRIMARY KEY, at integer, likes integer, ratio real, isNew integer, bytes blob";
  const table = `CREATE TABLE others (${columns})`;
  const database = new Database(":memory:");
  database.exec(table);
  const row = { at: new Date(1e12), likes: 5, ratio: 2, isNew: true, bytes: Buffer.from("ab") };
  const whole = { id: ODD, ...row };
  const db = drizzle({ client: database });
  const id = sql`CAST(${others.id} AS TEXT)`.mapWith(others.id);
  const inserted = db.insert(others).values(whole).returning({ id, likes: others.likes }).all();
  assert.deepEqual(inserted, [{ id: ODD, likes: 5 }]);
  const dated = db.select({ id, at: others.at }).from(others).orderBy(others.id).all();
  assert.deepEqual(dated, [{ id: ODD, at: row.at }]);
  exactIntegers(database);
  assert.deepEqual(db.select().from(others).all(), [whole]);
  assert.deepEqual(db.select().from(others).get(), whole);
  assert.deepEqual(db.all(sql`SELECT likes, count(*) AS n FROM others`), [{ likes: 5, n: 1 }]);
  assert.equal(db.run(sql`UPDATE others SET likes = 6`).changes, 1);
  const plain = drizzle({ client: new Database(":memory:").defaultSafeIntegers() });
  plain.run(sql.raw(table));
  plain.insert(others).values(whole).run();
  assert.deepEqual(plain.select({ likes: others.likes }).from(others).all() as unknown, [{ likes: 5n }]);
  assert.throws(() => plain.select({ at: others.at }).from(others).all(), /BigInt/);
});

describe("with the setting", () => {
  before(() => exactIntegers(client));
  testStories(sqliteTable, sqliteId, text, () => drizzle({ client }));

  test("returning", () => {
    const values = { author: ODD + 2n };
    const [note] = drizzle({ client }).insert(notes).values(values).returning().all();
    assert.ok(sno.isValid(note?.id));
    assert.equal(note?.author, ODD + 2n);
  });
});

test("a relational query gives rows as JSON: rounded IDs are refused, or come whole", async () => {
  const users = sqliteTable("users", { id: sqliteId(twitter)().primaryKey(), name: text() });
  const db = drizzle({ client });
  for (const table of [notes, users]) db.delete(table).run();
  db.insert(users).values({ id: ODD }).run();
  db.insert(notes).values({ author: ODD }).run();
  const nested = async () => nestedRows((config) => drizzle({ client, ...config } as never), users, notes);
  if (isFirst) assert.equal((await nested()).posts[0].user.id, ODD);
  else await assert.rejects(nested, isRefused("TYPE"));
});

test("not checked: rows without an ID, in a column that has no generator", async () => {
  const db = drizzle({ client });
  const users = sqliteTable("users", { id: sqliteId(twitter)().primaryKey(), name: text() });
  const none = { name: "none" } as typeof users.$inferInsert;
  const [row] = db.insert(users).values(none).returning().all();
  assert.ok((row?.id as bigint) <= ODD + 1n, "a number of SQLite's own");
  const generated = sqliteTable("users", {
    id: sqliteId(orders, orders.generator({ worker: 1 }))().primaryKey(),
  });
  const [made] = db.insert(generated).values({}).returning().all();
  assert.equal(orders.inspect(made?.id as bigint).worker, 1);
  const isNull = { id: null as never };
  const [own] = db.insert(generated).values(isNull).returning().all();
  assert.ok((own?.id as bigint) > (made?.id as bigint), "a number of SQLite's own");
  db.run(sql`CREATE TABLE nulls (id bigint PRIMARY KEY)`);
  const nulls = sqliteTable("nulls", { id: sqliteId(orders)().primaryKey() });
  db.insert(nulls).values(isNull).run();
  assert.deepEqual(db.select().from(nulls).all(), [{ id: null }] as never);
});

test("not checked: rows of SQL, which better-sqlite3 rounds without the setting", () => {
  const database = new Database(":memory:");
  const db = drizzle({ client: database });
  db.run(sql`CREATE TABLE users (id integer PRIMARY KEY)`);
  const users = sqliteTable("users", { id: sqliteId(twitter)().primaryKey() });
  db.insert(users).values({ id: ODD }).run();
  const read = () => db.all<{ id: bigint }>(sql`SELECT id FROM users`)[0]?.id as bigint;
  assert.equal(twitter.fromBigInt(BigInt(read())), BigInt(Number(ODD)));
  const largest = db
    .select({ id: sql`max(${users.id})` })
    .from(users)
    .all();
  assert.deepEqual(largest, [{ id: Number(ODD) }]);
  exactIntegers(database);
  assert.equal(twitter.fromBigInt(BigInt(read())), ODD);
});

testGaps(sqliteTable, sqliteId, { note: text() }, () => {
  const db = drizzle({ client });
  return { db, rows: async (statement) => db.all(statement) };
});
