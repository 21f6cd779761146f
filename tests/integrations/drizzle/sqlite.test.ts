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
import { isRefused, ODD } from "../support/rows.ts";
import { isFirst, nestedRows, TABLES, testStories } from "./common.ts";

const client = new Database(":memory:");
for (const text of TABLES) client.exec(text.replace("bigint PRIMARY", "integer PRIMARY"));

const notes = sqliteTable("posts", { id: sqliteId(sno, sno)().primaryKey(), author: sqliteId(twitter)() });

test("without the setting, a rounded ID is rejected, or Drizzle 1 returns the whole ID", async () => {
  const db = drizzle({ client });
  db.insert(notes).values({ author: ODD }).run();
  const found = async () => db.select().from(notes).all();
  if (isFirst) assert.equal((await found())[0]?.author, ODD);
  else await assert.rejects(found, isRefused("TYPE"));
});

test("the guide's setting and cast, and columns that are not IDs", async () => {
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

test("a relational query reads rows as JSON: rounded IDs are rejected, or are whole", async () => {
  const users = sqliteTable("users", { id: sqliteId(twitter)().primaryKey(), name: text() });
  const db = drizzle({ client });
  for (const table of [notes, users]) db.delete(table).run();
  db.insert(users).values({ id: ODD }).run();
  db.insert(notes).values({ author: ODD }).run();
  const nested = async () => nestedRows((config) => drizzle({ client, ...config } as never), users, notes);
  if (isFirst) assert.equal((await nested()).posts[0].user.id, ODD);
  else await assert.rejects(nested, isRefused("TYPE"));
});
