/** Columns of Drizzle in SQLite, through `better-sqlite3`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Database from "better-sqlite3";
import { between, count, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { sno, twitter } from "graupel";
import { sqliteId } from "graupel/drizzle";
import { agree, ids, inChunks, isRefused, ODD, orders } from "../support/rows.ts";

const client = new Database(":memory:");
client.exec(`
  CREATE TABLE many (id integer PRIMARY KEY, note text);
  CREATE TABLE notes (id text PRIMARY KEY, author integer);
`);

const source = ids();
const many = sqliteTable("many", { id: sqliteId(orders, source)().primaryKey(), note: text() });
const notes = sqliteTable("notes", { id: sqliteId(sno, sno)().primaryKey(), author: sqliteId(twitter)() });

test("without the setting, what better-sqlite3 rounds is refused", async () => {
  const db = drizzle({ client });
  db.insert(notes).values({ author: ODD }).run();
  await assert.rejects(async () => db.select().from(notes).all(), isRefused("TYPE"));
  client.defaultSafeIntegers();
  assert.equal(db.select().from(notes).all()[0]?.author, ODD);
});

test("100,000 rows by default come back whole, and ranges count them", async () => {
  client.defaultSafeIntegers();
  const db = drizzle({ client });
  await inChunks(async (rows) => db.insert(many).values(rows).run());
  const found = db.select({ id: many.id }).from(many).orderBy(many.id).all();
  await agree(
    source.made,
    found.map(({ id }) => id),
    async (min, max) =>
      Number(
        db
          .select({ n: count() })
          .from(many)
          .where(between(many.id, min, max))
          .get()?.n,
      ),
  );
});

test("returning, where, and refusals", async () => {
  const db = drizzle({ client });
  const [note] = db
    .insert(notes)
    .values({ author: ODD + 2n })
    .returning()
    .all();
  assert.ok(sno.isValid(note?.id));
  assert.deepEqual(
    db
      .select()
      .from(notes)
      .where(eq(notes.author, ODD + 2n))
      .all(),
    [note],
  );
  await assert.rejects(async () => db.insert(notes).values({ author: -1n }).run(), isRefused("RANGE"));
});
