/** What www/docs/kysely.md lists under "What is not checked", in PostgreSQL: each gap is there, and what the page has instead works. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Database from "better-sqlite3";
import { twitter } from "graupel";
import { idPlugin, parseJson } from "graupel/kysely";
import { CamelCasePlugin, CompiledQuery, Kysely, type PostgresDialect, SqliteDialect, sql } from "kysely";
import pg from "pg";
import { testGaps } from "../support/guide.ts";
import { isRefused, ODD, refuses } from "../support/rows.ts";

// biome-ignore lint/suspicious/noExplicitAny: what is not checked mostly does not compile
type Any = any;

/** Another ID, which a number rounds to `ROUNDED`. */
const ROUNDED = Number(ODD);
const TEXT = `${ODD}`;

/** The tests. `dialect`: of an empty database. */
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
      assert.deepEqual(ids((await found(ROUNDED)).rows), [`${BigInt(ROUNDED)}`]);
      const { rows } = await found(twitter.parse(TEXT));
      assert.deepEqual(
        rows.map(({ id }) => twitter.fromBigInt(BigInt(id))),
        [ODD],
      );
      const plain = await db
        .withoutPlugins()
        .selectFrom("users")
        .select("id")
        .where("id", "=", ROUNDED)
        .execute();
      assert.deepEqual(ids(plain), [`${BigInt(ROUNDED)}`]);
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
      assert.deepEqual(row, { f: `${BigInt(ROUNDED)}`, o: `${BigInt(ROUNDED)}` });
      assert.equal(twitter.fromBigInt(BigInt(row?.f as string)), BigInt(ROUNDED));
    },
    "in `db.schema`, a default, and the condition of an index": async (db) => {
      const made = async (id: unknown) => {
        await db.schema
          .alterTable("likes")
          .alterColumn("id", (column) => column.setDefault(id as Any))
          .execute();
        await db.insertInto("likes").values({ at: sql`now()` }).execute();
        return ids(await db.selectFrom("likes").select("id").execute()).at(-1);
      };
      assert.equal(await made(ROUNDED), BigInt(ROUNDED));
      assert.equal(await made(twitter.format(ODD)), ODD);
      const index = (id: Any) =>
        (db.schema.createIndex("i").on("likes") as Any).column("at").where("id", "=", id);
      assert.ok(index(ROUNDED).compile().sql.endsWith(`${ROUNDED}`));
      await index(twitter.format(ODD)).execute();
    },
    "a table or a view that `idPlugin` was not given": async (db) => {
      await db.schema.createView("people").as(db.selectFrom("users").selectAll()).execute();
      const found = (on: Kysely<Any>, id: unknown) =>
        on.selectFrom("people").select("id").where("id", "=", id).execute();
      assert.deepEqual(ids(await found(db, ROUNDED)), [`${BigInt(ROUNDED)}`]);
      const given = opened({ ...tables, people: { id: twitter } });
      assert.deepEqual(ids(await found(given, ODD)), [ODD]);
      await refuses("TYPE", () => found(given, ROUNDED));
      await given.destroy();
    },
    "in a subquery, a column of the outer query without its table name": async (db) => {
      const found = (column: string, id: unknown) =>
        db
          .selectFrom("users")
          .select("id")
          .where(({ exists, selectFrom }) =>
            exists(selectFrom("posts").select("title").where(column, "=", id)),
          )
          .execute();
      assert.deepEqual(ids(await found("invited_by", ROUNDED)), []);
      await refuses("TYPE", () => found("users.invited_by", ROUNDED));
    },
    "`selectAll()` in a union, in a `with` that names its columns, or in an insert, where columns match by position":
      async (db) => {
        const later = (later: Any) =>
          db
            .selectFrom("users")
            .select([sql`null`.as("x"), sql`null`.as("y"), sql`'n'`.as("z")])
            .unionAll(later)
            .orderBy("x")
            .limit(1)
            .execute();
        assert.equal(typeof ids(await later(db.selectFrom("users").selectAll()))[0], "string");
        assert.equal(
          typeof ids(await later(db.selectFrom("users").select(["id", "invited_by", "name"])))[0],
          "bigint",
        );
        const named = (query: Any) =>
          db
            .with("n(a, b, c)", () => query)
            .selectFrom("n")
            .select("a")
            .limit(1)
            .execute();
        assert.equal(typeof ids(await named(db.selectFrom("users").selectAll()))[0], "string");
        assert.equal(
          typeof ids(await named(db.selectFrom("users").select(["id", "invited_by", "name"])))[0],
          "bigint",
        );
      },
    "`selectAll()` of two tables with a column of the same name": async (db) => {
      const joined = db.selectFrom("users").innerJoin("notes", (join) => join.onTrue());
      assert.equal((await joined.selectAll().executeTakeFirst())?.id, 12n);
      const row = await joined
        .select(["users.id as user", "notes.id"])
        .orderBy("user", "desc")
        .executeTakeFirst();
      assert.deepEqual(row, { user: ODD, id: "12" });
    },
    "an insert of a select without `columns()`": async (db) => {
      await db
        .insertInto("likes")
        .expression(db.selectNoFrom(({ eb, val }) => eb(val(ROUNDED), "+", sql<number>`0::bigint`).as("id")))
        .execute();
      assert.deepEqual(ids(await db.selectFrom("likes").select("id").execute()), [BigInt(ROUNDED)]);
      const named = db.insertInto("likes").columns(["id"]);
      await refuses("TYPE", named.expression(db.selectNoFrom(({ val }) => val(ROUNDED).as("id"))));
    },
    "an ID inside a column of JSON": async (db) => {
      const [row]: Any[] = await db
        .selectFrom("notes")
        .select(({ ref }) => (ref("data", "->>") as Any).key("user").as("user"))
        .execute();
      assert.equal(row.user, TEXT);
      assert.equal(twitter.parse(row.user), ODD);
    },
    "`CamelCasePlugin` before `idPlugin`": async () => {
      const before = opened({ users: { id: twitter, invitedBy: twitter } }, [new CamelCasePlugin()]);
      assert.deepEqual(
        await before.selectFrom("users").select("invitedBy").where("invitedBy", "=", ROUNDED).execute(),
        [],
      );
      await before.destroy();
      const within = new Kysely<Any>({
        dialect: dialect(),
        plugins: [idPlugin<Any>({ users: { id: twitter, invitedBy: twitter } }, [new CamelCasePlugin()])],
      });
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
        const db = new Kysely<Any>({
          dialect: new SqliteDialect({ database }),
          plugins: [idPlugin<Any>({ users: { id: { format: twitter, generator } } })],
        });
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
      const found = await db.selectFrom("likes").select("id").where("id", ">", ODD).orderBy("id").execute();
      assert.deepEqual(ids(found), [ODD + 1n, ODD + 1n, ODD + 2n]);
      await db.destroy();
    },
  };

  test("a table of another schema has an entry of its own", async () => {
    const plain = opened({});
    await plain.schema.dropSchema("audit").ifExists().cascade().execute();
    await plain.schema.createSchema("audit").execute();
    await sql`create table audit.users (id bigserial primary key, note text)`.execute(plain);
    const generator = { next: () => ODD };
    const db = opened({ users: { id: { format: twitter, generator } }, "audit.users": {} });
    for (const insert of [db.insertInto("audit.users"), db.withSchema("audit").insertInto("users")]) {
      await insert.values({ note: "n" }).execute();
    }
    assert.deepEqual(ids(await db.selectFrom("audit.users").select("id").execute()), ["1", "2"]);
    assert.equal((await db.selectFrom("audit.users").selectAll().where("id", "=", 1).execute()).length, 1);
    await plain.schema.dropSchema("audit").cascade().execute();
    await db.destroy();
    await plain.destroy();
  });

  test("IDs in lists of JSON that `jsonAgg` makes of a column", async () => {
    const before = pg.types.getTypeParser(114);
    for (const type of [114, 3802]) pg.types.setTypeParser(type, parseJson);
    const db = opened({ users: { id: twitter } });
    await db.schema.dropTable("users").ifExists().cascade().execute();
    await sql`create table users (id bigint)`.execute(db);
    await db.insertInto("users").values({ id: ODD }).execute();
    const [row] = await db
      .selectFrom("users")
      .select(({ fn }) => [
        fn.jsonAgg("id" as Any).as("json"),
        fn.jsonAgg("users.id" as Any).as("named"),
        fn("jsonb_agg", ["id"]).as("jsonb"),
        fn.jsonAgg("users").as("rows"),
      ])
      .execute();
    assert.deepEqual(row, { json: [ODD], named: [ODD], jsonb: [ODD], rows: [{ id: ODD }] });
    for (const type of [114, 3802]) pg.types.setTypeParser(type, before);
    await db.destroy();
  });

  const within = (run: (db: Kysely<Any>) => Promise<void>) => async () => {
    const db = opened(tables);
    for (const table of ["users", "posts", "likes", "notes"]) {
      await db.schema.dropTable(table).ifExists().cascade().execute();
    }
    await sql`create table users (id bigint, invited_by bigint, name text)`.execute(db);
    await sql`create table posts (author bigint, title text)`.execute(db);
    await sql`create table likes (id bigint, at timestamptz)`.execute(db);
    await sql`create table notes (id text, data jsonb)`.execute(db);
    await db
      .insertInto("users")
      .values([ODD, BigInt(ROUNDED)].map((id) => ({ id, invited_by: ODD, name: "n" })))
      .execute();
    await db.insertInto("posts").values({ author: ODD, title: "t" }).execute();
    await db
      .insertInto("notes")
      .values({ id: "12", data: JSON.stringify({ user: TEXT }) })
      .execute();
    await run(db);
    await db.destroy();
  };
  testGaps("kysely.md", Object.fromEntries(Object.entries(GAPS).map(([what, run]) => [what, within(run)])));
}
