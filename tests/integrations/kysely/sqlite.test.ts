/** The Kysely plugin in SQLite, through `better-sqlite3` and `node:sqlite`. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import SqliteDatabase from "better-sqlite3";
import { twitter } from "graupel";
import { idPlugin } from "graupel/kysely";
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, SqliteDialect } from "kysely";
import { jsonArrayFrom, jsonBuildObject, jsonObjectFrom } from "kysely/helpers/sqlite";
import { compiles, exactIntegers } from "../support/guide.ts";
import { DatabaseSync } from "../support/node-sqlite.ts";
import { gives, isRefused, ODD, refuses } from "../support/rows.ts";
import { nests, readsByPosition, returns, streams } from "./capabilities.ts";
import { behavesAsEverywhere, type Database, plugin, twitterIds, users } from "./common.ts";

const TABLES = `
  CREATE TABLE many (id integer PRIMARY KEY, note text);
  CREATE TABLE users (id integer PRIMARY KEY, name text, invited_by integer);
  CREATE TABLE posts (id text PRIMARY KEY, author integer, title text);
`;

function withBetterSqlite3() {
  const database = new SqliteDatabase(":memory:");
  database.exec(TABLES);
  exactIntegers(database);
  return new SqliteDialect({ database });
}

/** Kysely's dialect on Node's built-in database. */
function withNodeSqlite() {
  const database = new DatabaseSync(":memory:", { readBigInts: true });
  database.exec(TABLES);
  return new SqliteDialect({
    database: {
      close: () => database.close(),
      prepare(text) {
        const statement = database.prepare(text);
        return {
          reader: statement.columns().length > 0,
          all: (parameters) => statement.all(...parameters),
          run: (parameters) => statement.run(...parameters),
          iterate: (parameters) => statement.iterate(...parameters) as never,
        };
      },
    },
  });
}

for (const [name, dialect] of Object.entries({
  "better-sqlite3": withBetterSqlite3,
  "node:sqlite": withNodeSqlite,
})) {
  describe(name, () => {
    const db = new Kysely<Database>({ dialect: dialect(), plugins: [plugin()] });
    behavesAsEverywhere(() => db);
    readsByPosition(() => db);
    streams(() => db);
    returns(() => db);
    nests(() => db, { jsonArrayFrom, jsonObjectFrom, jsonBuildObject });
  });
}

test("without the setting, an ID that better-sqlite3 has rounded is rejected in every position", async () => {
  const database = new SqliteDatabase(":memory:");
  database.exec(TABLES);
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database }), plugins: [plugin()] });
  await users(db, { id: ODD }).execute();
  const all = db.selectFrom("users").selectAll();
  const named = db
    .with("x", () => all)
    .selectFrom("x")
    .selectAll();
  const largest = db.selectFrom("users").select(({ fn }) => fn.max("id").as("m"));
  await refuses("TYPE", all, largest, named);
  // A plugin that parses the JSON first rounds it, too.
  const parsing = new Kysely<Database>({
    dialect: new SqliteDialect({ database }),
    plugins: [new ParseJSONResultsPlugin(), plugin()],
  });
  const nested = (on: Kysely<Database>) => {
    const inner = on.selectFrom("users as u").select("u.id");
    return on.selectFrom("users").select(jsonObjectFrom(inner).as("user"));
  };
  await refuses("TYPE", nested(parsing));
  await gives(nested(db), [{ user: { id: ODD } }]);
});

test("CamelCasePlugin works inside the plugin, also in nested rows, and is rejected beside it", async () => {
  interface Camel {
    userNotes: { id: bigint; writtenBy: bigint };
  }
  const database = new SqliteDatabase(":memory:");
  database.exec("CREATE TABLE user_notes (id integer PRIMARY KEY, written_by integer)");
  exactIntegers(database);
  const dialect = new SqliteDialect({ database });
  const columns = { userNotes: { id: twitter, writtenBy: twitter } };
  const db = new Kysely<Camel>({ dialect, plugins: [idPlugin<Camel>(columns, [new CamelCasePlugin()])] });
  const row = { id: ODD, writtenBy: ODD + 1n };
  await db.insertInto("userNotes").values(row).execute();
  await refuses("RANGE", db.insertInto("userNotes").values({ ...row, writtenBy: -1n }));
  const nested = db.selectFrom("userNotes as n").select((eb) => {
    const all = eb.selectFrom("userNotes").select(["id", "writtenBy"]);
    return ["writtenBy", jsonArrayFrom(all).as("all")];
  });
  await gives(nested, [{ writtenBy: ODD + 1n, all: [row] }]);
  const beside = new Kysely<Camel>({ dialect, plugins: [idPlugin<Camel>(columns), new CamelCasePlugin()] });
  await assert.rejects(beside.selectFrom("userNotes").selectAll().execute(), /give it to idPlugin/);
});

test("a table without a schema applies to every schema that has no entry", async () => {
  interface Schemas {
    users: { id: bigint };
    "main.users": { id: bigint };
    "log.users": { id: string };
  }
  const database = new SqliteDatabase(":memory:");
  database.exec("ATTACH ':memory:' AS log");
  database.exec("CREATE TABLE users (id integer); CREATE TABLE log.users (id text, note text)");
  exactIntegers(database);
  const id = { format: twitter, generator: twitterIds };
  const plugins = [idPlugin<Schemas>({ users: { id }, "log.users": {} })];
  const db = new Kysely<Schemas>({ dialect: new SqliteDialect({ database }), plugins });
  await db.insertInto("main.users").values({ id: ODD }).execute();
  await db.insertInto("log.users").values({ id: "-1" }).execute();
  await db
    .withSchema("log")
    .insertInto("users")
    .values({ id: "-2" as never })
    .execute();
  await db
    .withSchema("log")
    .insertInto("users")
    .values({ note: "n" } as never)
    .execute();
  await gives(db.withSchema("main").selectFrom("users").selectAll(), [{ id: ODD }]);
  await gives(db.selectFrom("log.users").select("id"), [{ id: "-1" }, { id: "-2" }, { id: null }]);
  await gives(db.selectFrom("log.users").select("id").where("id", "=", "-1"), [{ id: "-1" }]);
  await refuses("RANGE", db.withSchema("main").insertInto("users").values({ id: -1n }));
});

test("the guide's types: an ID and null, in rows, inserts and nested rows", () =>
  compiles(
    "kysely.md",
    ["types.mts"],
    { lib: ["esnext"], types: [] },
    `import type { Kysely } from "kysely";
    import { jsonArrayFrom } from "kysely/helpers/sqlite";
    import { type Database, plugin } from "./types.mjs";
    export async function use(db: Kysely<Database>): Promise<unknown> {
      db.withPlugin(plugin);
      await db.insertInto("users").values({ name: "Ada", invited_by: 5n }).execute();
      await db.updateTable("users").set({ invited_by: null }).where("id", "=", 5n).execute();
      const [row] = await db
        .selectFrom("users")
        .select((eb) => ["id", "invited_by", jsonArrayFrom(eb.selectFrom("users as u").select(["u.id", "u.invited_by"])).as("all")])
        .execute();
      const id: bigint = row!.all[0]!.id;
      const by: bigint | null = row!.all[0]!.invited_by;
      // @ts-expect-error: it may be null
      const not: bigint = row!.invited_by;
      // @ts-expect-error: here, too
      const nor: bigint = row!.all[0]!.invited_by;
      return [id, by, not, nor];
    }`,
  ));

test("the plugin's options are checked", () => {
  const made = { format: twitter, generator: twitterIds };
  const wrong = [null, {}, { format: twitter }, { format: twitter, generator: {} }].map((id) => ({
    users: { id },
  }));
  for (const [columns, code] of [
    ...[undefined, null, 1, { users: 1 }, ...wrong].map((columns) => [columns, "TYPE"] as const),
    [{ users: { id: { ...made, rows: 1 } } }, "UNKNOWN_OPTION"] as const,
  ]) {
    assert.throws(() => idPlugin(columns as never), isRefused(code));
  }
  // @ts-expect-error: no table, or no column, of the database
  for (const misspelt of [{ user: {} }, { users: { ID: twitter } }]) idPlugin<Database>(misspelt);
});
