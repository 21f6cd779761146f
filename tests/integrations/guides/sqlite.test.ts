/** The guide to IDs in SQLite with each driver, and its claims about tables. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { discord, sno } from "graupel";
import { runInBun } from "../support/bun.ts";
import { runGuide } from "../support/guide.ts";
import { DatabaseSync } from "../support/node-sqlite.ts";
import { ODD, pluck } from "../support/rows.ts";

test("better-sqlite3", () => runGuide("sqlite.md", "better-sqlite3", { env: {}, lines: 5 }));
test("node:sqlite", () => runGuide("sqlite.md", "node", { env: {}, lines: 2 }));
test("libSQL", () => runGuide("sqlite.md", "libsql", { env: {}, lines: 2 }));
test("bun:sqlite", () => runGuide("sqlite.md", "bun", { env: {}, lines: 2, run: runInBun }));

/** A table in an in-memory database. */
function tableOf(columns: string) {
  const database = new DatabaseSync(":memory:", { readBigInts: true });
  database.exec(`CREATE TABLE ids (${columns}`);
  return database;
}

test("an ID that is missing is made up, but not WITHOUT ROWID", () => {
  const made = tableOf("id INTEGER PRIMARY KEY NOT NULL, note TEXT) STRICT");
  made.prepare("INSERT INTO ids VALUES (?, 'an ID')").run(ODD);
  made.exec("INSERT INTO ids (note) VALUES ('none')");
  assert.deepEqual(pluck(made.prepare("SELECT id FROM ids").all()), [ODD, ODD + 1n]);
  const refusing = tableOf("id INTEGER PRIMARY KEY, note TEXT) STRICT, WITHOUT ROWID");
  assert.throws(() => refusing.exec("INSERT INTO ids (note) VALUES ('none')"), /NOT NULL constraint failed/);
});

test("a text in a column of integers, but not where it is STRICT", () => {
  const lenient = tableOf("id INTEGER)");
  lenient.exec("INSERT INTO ids VALUES ('no ID')");
  const strict = tableOf("id INTEGER) STRICT");
  assert.throws(() => strict.exec("INSERT INTO ids VALUES ('no ID')"), /cannot store TEXT/);
});

test("Discord fits until 2084", () => {
  const database = tableOf("id INTEGER PRIMARY KEY) STRICT");
  const insert = database.prepare("INSERT INTO ids VALUES (?)");
  insert.run(discord.range(undefined, Date.UTC(2084, 0, 1)).max);
  assert.throws(() => insert.run(discord.range(Date.UTC(2085, 0, 1)).min), /too large|out of range/);
});

test("texts sort as their IDs", () => {
  const database = tableOf("id TEXT PRIMARY KEY NOT NULL) STRICT");
  const made = sno.generator({ isolated: true }).nextMany(1000);
  for (const id of [...made].reverse()) database.prepare("INSERT INTO ids VALUES (?)").run(id);
  assert.deepEqual(pluck(database.prepare("SELECT id FROM ids ORDER BY id").all()), made);
});
