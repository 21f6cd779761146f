/**
 * The list "What is not checked" in www/docs/kysely.md, in PostgreSQL. Each gap exists, and the
 * page's alternative works.
 */
import assert from "node:assert/strict";
import Database from "better-sqlite3";
import { twitter } from "graupel";
import { idPlugin } from "graupel/kysely";
import { CamelCasePlugin, CompiledQuery, Kysely, type PostgresDialect, SqliteDialect, sql } from "kysely";
import { testGaps } from "../support/guide.ts";
import { gives, isRefused, ODD, pluck, refuses } from "../support/rows.ts";

// biome-ignore lint/suspicious/noExplicitAny: most unchecked calls do not compile
type Any = any;

/** A different ID: the number that `ODD` rounds to. */
const ROUNDED = Number(ODD);
const TEXT = `${ODD}`;
const OTHER = `${BigInt(ROUNDED)}`;

/** Runs the tests. `dialect`: returns a dialect with an empty database. */
export function unchecked(dialect: () => PostgresDialect): void {
  const opened = (tables: object, plugins: Any[] = []) =>
    new Kysely<Any>({ dialect: dialect(), plugins: [...plugins, idPlugin(tables as Any)] });
  const tables = {
    users: { id: twitter, invited_by: twitter },
    posts: { author: twitter },
    likes: { id: twitter },
  };
  const ids = (rows: Any[]) => rows.map((row) => Object.values(row)[0]);

  const GAPS: Record<string, (db: Kysely<Any>) => Promise<void>> = {
    "`` sql`…` ``, `withoutPlugins()`, `CompiledQuery.raw()`": async (db) => {
      const found = (id: unknown) => sql<Any>`select id from users where id = ${id}`.execute(db);
      assert.deepEqual(ids((await found(ROUNDED)).rows), [OTHER]);
      const [row] = (await found(twitter.parse(TEXT))).rows;
      assert.equal(twitter.fromBigInt(BigInt(row.id)), ODD);
      const plain = db.withoutPlugins().selectFrom("users").select("id").where("id", "=", ROUNDED);
      await gives(plain, [{ id: OTHER }]);
      const raw = (text: string) => db.executeQuery<Any>(CompiledQuery.raw(text));
      assert.deepEqual(ids((await raw("select count(*) as n, max(id) as m from users")).rows), ["2"]);
      await assert.rejects(raw("select id from users"), isRefused("TYPE"));
    },
    "`cast`, operators that do not compare, and functions other than those above": async (db) => {
      const [row] = await db
        .selectFrom("users")
        .select(({ fn, eb }) => [fn("abs", ["id"]).as("f"), eb("id", "+", 0).as("o")])
        .where(({ fn, eb }) => eb(fn("abs", ["id"]), "=", ROUNDED as Any))
        .execute();
      assert.deepEqual(row, { f: OTHER, o: OTHER });
      assert.equal(twitter.fromBigInt(BigInt(row?.f as string)), BigInt(ROUNDED));
    },
    "in `db.schema`, a default, and the condition of an index": async (db) => {
      const made = async (id: unknown) => {
        const table = db.schema.alterTable("likes");
        await table.alterColumn("id", (column) => column.setDefault(id as Any)).execute();
        await db.insertInto("likes").values({ at: sql`now()` }).execute();
        return ids(await db.selectFrom("likes").select("id").execute()).at(-1);
      };
      assert.equal(await made(ROUNDED), BigInt(ROUNDED));
      assert.equal(await made(twitter.format(ODD)), ODD);
      const indexed = db.schema.createIndex("i").on("likes") as Any;
      const index = (id: Any) => indexed.column("at").where("id", "=", id);
      assert.ok(index(ROUNDED).compile().sql.endsWith(`${ROUNDED}`));
      await index(twitter.format(ODD)).execute();
    },
    "a table or a view that you did not pass to `idPlugin`": async (db) => {
      await db.schema.createView("people").as(db.selectFrom("users").selectAll()).execute();
      const found = (on: Kysely<Any>, id: unknown) =>
        on.selectFrom("people").select("id").where("id", "=", id).execute();
      assert.deepEqual(ids(await found(db, ROUNDED)), [OTHER]);
      const given = opened({ ...tables, people: { id: twitter } });
      assert.deepEqual(ids(await found(given, ODD)), [ODD]);
      await refuses("TYPE", () => found(given, ROUNDED));
      await given.destroy();
    },
    "in a subquery, a column of the outer query without its table name": async (db) => {
      const found = (column: string, id: unknown) => {
        const query = db.selectFrom("users").select("id");
        const inner = ({ exists, selectFrom }: Any) =>
          exists(selectFrom("posts").select("title").where(column, "=", id));
        return query.where(inner).execute();
      };
      assert.deepEqual(ids(await found("invited_by", ROUNDED)), []);
      await refuses("TYPE", () => found("users.invited_by", ROUNDED));
    },
    "`selectAll()` in a union, in a `with` that names its columns, or in an insert, where columns match by position":
      async (db) => {
        const nulls = [sql`null`.as("x"), sql`null`.as("y"), sql`'n'`.as("z")];
        const later = (query: Any) =>
          db.selectFrom("users").select(nulls).unionAll(query).orderBy("x").limit(1).execute();
        const named = (query: Any) =>
          db
            .with("n(a, b, c)", () => query)
            .selectFrom("n")
            .select("a")
            .limit(1)
            .execute();
        const columns = db.selectFrom("users").select(["id", "invited_by", "name"]);
        for (const read of [later, named]) {
          assert.equal(typeof ids(await read(db.selectFrom("users").selectAll()))[0], "string");
          assert.equal(typeof ids(await read(columns))[0], "bigint");
        }
      },
    "`selectAll()` of two tables with a column of the same name": async (db) => {
      const joined = db.selectFrom("users").innerJoin("notes", (join) => join.onTrue());
      assert.equal((await joined.selectAll().executeTakeFirst())?.id, 12n);
      const named = joined.select(["users.id as user", "notes.id"]).orderBy("user", "desc").limit(1);
      await gives(named, [{ user: ODD, id: "12" }]);
    },
    "an insert of a select without `columns()`": async (db) => {
      const added = db.selectNoFrom(({ eb, val }) => eb(val(ROUNDED), "+", sql<number>`0::bigint`).as("id"));
      await db.insertInto("likes").expression(added).execute();
      assert.deepEqual(ids(await db.selectFrom("likes").select("id").execute()), [BigInt(ROUNDED)]);
      const named = db.insertInto("likes").columns(["id"]);
      await refuses("TYPE", named.expression(db.selectNoFrom(({ val }) => val(ROUNDED).as("id"))));
    },
    "an ID inside a JSON column": async (db) => {
      const user = ({ ref }: Any) => ref("data", "->>").key("user").as("user");
      const [row]: Any[] = await db.selectFrom("notes").select(user).execute();
      assert.equal(row.user, TEXT);
      assert.equal(twitter.parse(row.user), ODD);
    },
    "`CamelCasePlugin` before `idPlugin`": async () => {
      const users = { id: twitter, invitedBy: twitter };
      const before = opened({ users }, [new CamelCasePlugin()]);
      await gives(before.selectFrom("users").select("invitedBy").where("invitedBy", "=", ROUNDED), []);
      await before.destroy();
      const plugins = [idPlugin<Any>({ users }, [new CamelCasePlugin()])];
      const within = new Kysely<Any>({ dialect: dialect(), plugins });
      await refuses("TYPE", within.selectFrom("users").selectAll().where("invitedBy", "=", ROUNDED));
      await within.destroy();
    },
    "in SQLite, `{ id: null }` for a key": async () => {
      for (const [type, key] of [
        ["integer", "13"],
        ["bigint", null],
      ] as const) {
        const database = new Database(":memory:");
        const generator = { next: () => 12n };
        const plugins = [idPlugin<Any>({ users: { id: { format: twitter, generator } } })];
        const db = new Kysely<Any>({ dialect: new SqliteDialect({ database }), plugins });
        database.exec(`CREATE TABLE users (id ${type} PRIMARY KEY, name text)`);
        await db.insertInto("users").values({ name: "made" }).execute();
        await db.insertInto("users").values({ id: null, name: "null" }).execute();
        const found = database.prepare("SELECT CAST(id AS text) AS id FROM users ORDER BY name").all();
        assert.deepEqual(found, [{ id: "12" }, { id: key }]);
        await db.destroy();
      }
    },
    "a compiled insert that runs twice": async () => {
      const made = { format: twitter, generator: { next: () => ++last } };
      let last = ODD;
      const db = opened({ likes: { id: made } });
      const insert = db.insertInto("likes").values({ at: sql`now()` });
      const compiled = insert.compile();
      await db.executeQuery(compiled);
      await db.executeQuery(compiled);
      await insert.execute();
      const found = db.selectFrom("likes").select("id").where("id", ">", ODD).orderBy("id");
      assert.deepEqual(pluck(await found.execute()), [ODD + 1n, ODD + 1n, ODD + 2n]);
      await db.destroy();
    },
  };

  const within = (run: (db: Kysely<Any>) => Promise<void>) => async () => {
    const db = opened(tables);
    for (const table of ["users", "posts", "likes", "notes"]) {
      await db.schema.dropTable(table).ifExists().cascade().execute();
    }
    for (const table of [
      "users (id bigint, invited_by bigint, name text)",
      "posts (author bigint, title text)",
      "likes (id bigint, at timestamptz)",
      "notes (id text, data jsonb)",
    ])
      await sql`create table ${sql.raw(table)}`.execute(db);
    const rows = [ODD, BigInt(ROUNDED)].map((id) => ({ id, invited_by: ODD, name: "n" }));
    await db.insertInto("users").values(rows).execute();
    await db.insertInto("posts").values({ author: ODD, title: "t" }).execute();
    const note = { id: "12", data: JSON.stringify({ user: TEXT }) };
    await db.insertInto("notes").values(note).execute();
    await run(db);
    await db.destroy();
  };
  testGaps("kysely.md", Object.fromEntries(Object.entries(GAPS).map(([what, run]) => [what, within(run)])));
}
