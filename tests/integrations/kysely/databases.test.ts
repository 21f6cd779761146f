/** The Kysely plugin: the tests of every database, and those that only some have. */
import assert from "node:assert/strict";
import SqliteDatabase from "better-sqlite3";
import { twitter } from "graupel";
import { idPlugin } from "graupel/kysely";
import {
  CamelCasePlugin,
  type ExpressionBuilder,
  InsertQueryBuilder,
  Kysely,
  ParseJSONResultsPlugin,
  SqliteDialect,
  sql,
} from "kysely";
import { jsonArrayFrom, jsonObjectFrom } from "kysely/helpers/sqlite";
import { compiles, exactIntegers, runGuide } from "../support/guide.ts";
import { gives, isRefused, ODD, pluck, refuses } from "../support/rows.ts";
import { testIn } from "../support/servers.ts";
import { nested } from "./everywhere.ts";
import { type Database, DIALECTS, db, insertOne, plugin, server, twitterIds, users } from "./tables.ts";

type Users = ExpressionBuilder<Database, "users">;

testIn("postgres", "sqlite")("returning, after insert, update, delete and in `with`", async () => {
  const two = users(db, { invited_by: ODD }, { name: "b" });
  const [a, b] = await two.returning(["id as number", "invited_by"]).execute();
  assert.deepEqual([a?.invited_by, b?.invited_by], [ODD, null]);
  const [id, other] = [a?.number as bigint, b?.number as bigint];
  const update = db.updateTable("users").set({ invited_by: id }).where("id", "=", id);
  await gives(update.returningAll(), [{ id, name: "a", invited_by: id }]);
  const removed = db.deleteFrom("users").where("id", "=", other).returning("users.id");
  await gives(removed, [{ id: other }]);
  const again = (set: (eb: Users) => object) =>
    users(db, { id, name: "again" })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(set as never))
      .returningAll();
  const set = again((eb) => ({ invited_by: ODD, name: eb.ref("excluded.name" as never) }));
  await gives(set, [{ id, name: "again", invited_by: ODD }]);
  await refuses(
    "RANGE",
    again(() => ({ invited_by: -1n })),
  );
  const where = users(db, { id }).onConflict((conflict) => {
    const renamed = conflict.column("id").doUpdateSet({ name: "b" });
    return renamed.where("excluded.id" as never, "=", 5 as never);
  });
  await refuses("TYPE", where);
});

// Some versions of Kysely lack this method.
const defaulting = "defaultValues" in InsertQueryBuilder.prototype ? testIn("postgres", "sqlite") : () => {};
defaulting("default values", async () => {
  // The other columns are nullable.
  const row = await db.insertInto("users").defaultValues().returningAll().executeTakeFirstOrThrow();
  // The generator made the ID, not the database.
  assert.equal(twitter.inspect(row.id).workerId, 7);
  assert.deepEqual(row, { id: row.id, name: null, invited_by: null });
});

// In PostgreSQL, streaming needs another package.
testIn("mysql", "sqlite")("a stream", async () => {
  const made = [ODD, ODD + 1n, ODD + 2n];
  await users(db, ...made.map((id) => ({ id }))).execute();
  const found = [];
  for await (const { id } of db.selectFrom("users").select("id").orderBy("id").stream(2)) found.push(id);
  assert.deepEqual(found, made);
});

testIn("postgres")("rows as JSON, lists of IDs and lists of rows are whole", async () => {
  await insertOne(db);
  const row = { id: ODD, name: "a", invited_by: ODD + 1n };
  const list = ({ fn, ref, selectFrom }: ExpressionBuilder<Database, "users">) => [
    fn.jsonAgg("id" as never).as("json"),
    fn.jsonAgg("users.id" as never).as("named"),
    fn("jsonb_agg", ["id"]).as("jsonb"),
    fn.jsonAgg("users").as("rows"),
    selectFrom("users as u")
      .select(fn.jsonAgg(ref("u.id" as never)).as("l"))
      .as("list"),
  ];
  const lists = { json: [ODD], named: [ODD], jsonb: [ODD], rows: [row], list: [ODD] };
  await gives(db.selectFrom("users").select(list as never), [lists]);
  await gives(
    db.selectFrom("users as u").select((eb) => eb.fn.toJson("u").as("row")),
    [{ row }],
  );
});

testIn("postgres")("an insert in `with`", async () => {
  const values = { name: "a", invited_by: ODD };
  const made = await db
    .with("made", (with_) => with_.insertInto("users").values(values).returning(["id as user", "invited_by"]))
    .selectFrom("made")
    .selectAll()
    .executeTakeFirstOrThrow();
  assert.ok(twitter.isValid(made.user));
  assert.equal(made.invited_by, ODD);
  // Both queries have the plugin, but an ID is generated only once.
  const inner = db.insertInto("users").values({ name: "b", invited_by: null }).returningAll();
  const outer = db
    .with("made", () => inner)
    .selectFrom("made")
    .selectAll();
  const found = (await outer.execute()).map(({ id, name }) => [twitter.isValid(id), name]);
  assert.deepEqual(found, [[true, "b"]]);
  // The statement writes to the table, not to the query with the same name.
  const target = db
    .with("users", (with_) => with_.selectFrom("posts").select("title as id"))
    .insertInto("users")
    .values({ name: "c", invited_by: null })
    .compile();
  assert.ok(twitter.isValid(target.parameters[2]));
});

// Some versions of Kysely lack this method.
const merging = "mergeInto" in Kysely.prototype ? testIn("postgres") : () => {};
merging("`merge`", async () => {
  const merging = db.mergeInto("users as u").using("posts as p", "p.author", "u.id");
  const merge = merging.whenNotMatched();
  await refuses("TYPE", merge.thenInsertValues({ name: "b", invited_by: null }));
  await db.insertInto("posts").values({ author: ODD, title: "t" }).execute();
  const row = { name: "b", invited_by: ODD };
  await merge.thenInsertValues(({ ref }) => ({ ...row, id: ref("p.author") })).execute();
  const update = merging.whenMatched();
  await refuses("TYPE", update.thenUpdateSet({ invited_by: 1 as never }));
  await update.thenUpdateSet({ invited_by: ODD + 5n }).execute();
  const found = db.selectFrom("users").select("invited_by").where("id", "=", ODD);
  await gives(found, [{ invited_by: ODD + 5n }]);
});

testIn("postgres")("update from another table, delete using one, lateral joins, lists", async () => {
  await insertOne(db);
  await db
    .updateTable("users as u")
    .from("posts as p")
    .set(({ ref }) => ({ invited_by: ref("p.author"), name: "-1" }))
    .whereRef("p.author", "=", "u.id")
    .execute();
  const lateral = db.selectFrom("users as u").innerJoinLateral(
    (eb) => eb.selectFrom("posts").select("author as by").whereRef("author", "=", "u.invited_by").as("l"),
    (join) => join.onTrue(),
  );
  const list = ({ fn }: { fn: ExpressionBuilder<Database, "users">["fn"] }) =>
    fn.agg<bigint[]>("array_agg", ["u.id" as never]).as("list");
  const found = lateral
    .select(["l.by", "invited_by"])
    .select(list as never)
    .groupBy(["l.by", "invited_by"]);
  await gives(found, [{ by: ODD, invited_by: ODD, list: [ODD] }]);
  const gone = db.deleteFrom("users as u").using("posts as p").whereRef("p.author", "=", "u.id");
  await gives(gone.returning(["u.id", "p.author"]), [{ id: ODD, author: ODD }]);
});

testIn("postgres")(
  "nested rows that pg has rounded are rejected, and are another ID without the plugin",
  async () => {
    await insertOne(db);
    const dialect = DIALECTS.postgres(JSON.parse);
    const rounding = new Kysely<Database>({ dialect, plugins: [plugin()] });
    await assert.rejects(nested(rounding), isRefused("TYPE"));
    const [plain] = (await nested(rounding.withoutPlugins())) as [{ self: { id: number } }];
    assert.notEqual(BigInt(plain.self.id), ODD);
    await rounding.destroy();
  },
);

testIn("postgres")("lists of IDs, with null among them", async () => {
  interface Lists {
    groups: { id: bigint; members: (bigint | null)[] | null };
  }
  const id = { format: twitter, generator: twitterIds };
  const plugins = [idPlugin<Lists>({ groups: { id, members: twitter } })];
  const lists = new Kysely<Lists>({ dialect: DIALECTS.postgres(), plugins });
  await sql`CREATE TABLE groups (id bigint PRIMARY KEY, members bigint[])`.execute(lists);
  const members = [ODD, null, ODD + 1n];
  await lists.insertInto("groups").values({ id: ODD, members }).execute();
  const more = [[], null, sql`'{}'`].map((members, i) => ({ id: ODD + 1n + BigInt(i), members }));
  await lists
    .insertInto("groups")
    .values(more as never)
    .execute();
  const found = async () =>
    pluck(await lists.selectFrom("groups").select("members").orderBy("id").execute(), "members");
  assert.deepEqual(await found(), [members, [], null, []]);
  const given = [`${ODD}`, null] as never;
  const second = lists.updateTable("groups").set({ members: given });
  await second.where("id", "=", ODD + 1n).execute();
  assert.deepEqual((await found())[1], [ODD, null]);
  const groups = lists.selectFrom("groups").select("id").orderBy("id");
  const asked = (where: (eb: ExpressionBuilder<Lists, "groups">) => unknown) => groups.where(where as never);
  const any = (ids: readonly bigint[]) =>
    asked(({ eb, val, fn }) => eb("id", "=", fn<bigint>("any", [val(ids)])));
  const overlap = (ids: readonly bigint[]) => asked(({ eb, val }) => eb("members", "&&", val(ids as never)));
  const anyMember = (id: bigint) =>
    asked(({ eb, val, fn }) => eb(val<bigint | null>(id), "=", fn.any("members")));
  for (const [query, wanted] of [
    [anyMember(ODD + 1n), [ODD]],
    [asked(({ eb, val }) => eb("members", "@>", val(given))), []],
    [overlap([ODD]), [ODD, ODD + 1n]],
    [any([ODD, ODD + 2n]), [ODD, ODD + 2n]],
  ] as const) {
    assert.deepEqual(pluck(await query.execute()), wanted);
  }
  const rounded = [ODD, Number(ODD)] as never;
  await refuses(
    "TYPE",
    lists.insertInto("groups").values({ id: ODD + 9n, members: rounded }),
    lists.insertInto("groups").values({ id: [ODD] as never, members }),
    lists.updateTable("groups").set({ members: rounded }),
    overlap(rounded),
    any(rounded),
    anyMember(Number(ODD) as never),
  );
  await lists.destroy();
});

testIn("postgres")("the guide", async () => {
  const { env } = await server.create("guide");
  await runGuide("kysely.md", "postgres", { env, lines: 4 });
});

testIn("mysql")("nested rows that mysql2 returns as texts are whole", async () => {
  await insertOne(db);
  const texts = new Kysely<Database>({ dialect: DIALECTS.mysql({ jsonStrings: true }), plugins: [plugin()] });
  assert.deepEqual(await nested(texts), await nested(db));
  await texts.destroy();
});

testIn("mysql")("without the setting, an ID that mysql2 has rounded is rejected", async () => {
  const rounding = new Kysely<Database>({ dialect: DIALECTS.mysql({}), plugins: [plugin()] });
  await users(rounding, { id: ODD }).execute();
  await assert.rejects(rounding.selectFrom("users").selectAll().execute(), isRefused("TYPE"));
  await assert.rejects(nested(rounding), isRefused("TYPE"));
  await rounding.destroy();
});

testIn("mysql")("replace, on duplicate key, insert ignore", async () => {
  await db.replaceInto("users").values({ name: "new", invited_by: null }).execute();
  const { id } = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
  const again = (invited_by: bigint) => users(db, { id, name: "again" }).onDuplicateKeyUpdate({ invited_by });
  await again(ODD).execute();
  await users(db, { id, name: "not" }).ignore().execute();
  await gives(db.selectFrom("users").selectAll(), [{ id, name: "new", invited_by: ODD }]);
  await refuses("RANGE", again(-1n));
});

testIn("mysql")("the server reports no `insertId` for a generated ID", async () =>
  assert.equal((await users(db, {}).executeTakeFirstOrThrow()).insertId, undefined),
);

testIn("sqlite")(
  "without the setting, an ID that better-sqlite3 has rounded is rejected in every position",
  async () => {
    const database = new SqliteDatabase(":memory:");
    database.exec("CREATE TABLE users (id integer PRIMARY KEY, name text, invited_by integer)");
    const rounding = new Kysely<Database>({ dialect: new SqliteDialect({ database }), plugins: [plugin()] });
    await users(rounding, { id: ODD }).execute();
    const all = rounding.selectFrom("users").selectAll();
    const named = rounding
      .with("x", () => all)
      .selectFrom("x")
      .selectAll();
    const largest = rounding.selectFrom("users").select(({ fn }) => fn.max("id").as("m"));
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
    await gives(nested(rounding), [{ user: { id: ODD } }]);
  },
);

testIn("sqlite")(
  "CamelCasePlugin works inside the plugin, also in nested rows, and is rejected beside it",
  async () => {
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
    await assert.rejects(beside.selectFrom("userNotes").selectAll().execute(), /pass plugins .* to idPlugin/);
  },
);

testIn("sqlite")("a table without a schema applies to every schema that has no entry", async () => {
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

testIn("sqlite")("the guide's types: an ID and null, in rows, inserts and nested rows", () =>
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
  ),
);

testIn("sqlite")("the plugin's options are checked", () => {
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
