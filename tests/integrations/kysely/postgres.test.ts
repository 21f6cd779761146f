/** The Kysely plugin in PostgreSQL, through `pg` and `postgres`. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { twitter } from "graupel";
import { idPlugin, parseJson } from "graupel/kysely";
import { type ExpressionBuilder, Kysely, PostgresDialect, sql } from "kysely";
import { jsonArrayFrom, jsonBuildObject, jsonObjectFrom } from "kysely/helpers/postgres";
import pg from "pg";
import postgres from "postgres";
import { runGuide } from "../support/guide.ts";
import { gives, isRefused, ODD, pluck, refuses } from "../support/rows.ts";
import { usePostgres } from "../support/servers.ts";
import { nested, nests, readsByPosition, returns } from "./capabilities.ts";
import { behavesAsEverywhere, type Database, insertOne, plugin, twitterIds } from "./common.ts";

const server = usePostgres();

const helpers = { jsonArrayFrom, jsonObjectFrom, jsonBuildObject };

/** Creates a database with the tables. */
const tablesIn = async (database: string) =>
  (
    await server.create(
      database,
      `CREATE TABLE many (id bigint PRIMARY KEY, note text);
      CREATE TABLE users (id bigint PRIMARY KEY, name text, invited_by bigint);
      CREATE TABLE posts (id char(16) PRIMARY KEY, author bigint, title text)`,
    )
  ).options;

/** `pg` with a custom JSON parser, which does not affect other clients. */
async function withPg(database: string, parse: (text: string) => unknown) {
  const getTypeParser = (oid: number, format?: "text") =>
    oid === 114 || oid === 3802 ? parse : pg.types.getTypeParser(oid, format);
  const pool = new pg.Pool({ ...(await tablesIn(database)), max: 3, types: { getTypeParser } as never });
  pool.on("error", () => {});
  return new PostgresDialect({ pool });
}

/** Kysely's dialect on `postgres`. */
async function withPostgres(database: string) {
  const client = postgres({
    ...(await tablesIn(database)),
    max: 3,
    onnotice: () => {},
    types: {
      bigint: postgres.BigInt,
      json: { to: 114, from: [114, 3802], serialize: JSON.stringify, parse: parseJson },
    },
  });
  return new PostgresDialect({
    pool: {
      async connect() {
        const connection = await client.reserve();
        const poolClient = {
          async query(text: unknown, parameters?: readonly unknown[]) {
            const rows = await connection.unsafe(text as string, [...(parameters ?? [])] as never[]);
            return { rows: [...rows] as never[], rowCount: rows.count, command: rows.command as "SELECT" };
          },
          release: () => connection.release(),
        };
        return poolClient as never;
      },
      end: () => client.end(),
      options: {},
    },
  });
}

const DIALECTS = { pg: () => withPg("with_pg", parseJson), postgres: () => withPostgres("with_postgres") };

for (const [name, dialect] of Object.entries(DIALECTS)) {
  describe(name, () => {
    let db: Kysely<Database>;
    before(async () => {
      db = new Kysely<Database>({ dialect: await dialect(), plugins: [plugin()] });
    });
    after(() => db?.destroy());
    behavesAsEverywhere(() => db);
    readsByPosition(() => db);
    returns(() => db);

    nests(() => db, helpers);

    test("rows as JSON, lists of IDs and lists of rows are whole", async () => {
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

    test("an insert in `with`", async () => {
      const values = { name: "a", invited_by: ODD };
      const made = await db
        .with("made", (with_) =>
          with_.insertInto("users").values(values).returning(["id as user", "invited_by"]),
        )
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
    const merging = "mergeInto" in Kysely.prototype ? test : () => {};
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

    test("update from another table, delete using one, lateral joins, lists", async () => {
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
  });
}

test("nested rows that pg has rounded are rejected, and are another ID without the plugin", async () => {
  const dialect = await withPg("rounding", JSON.parse);
  const db = new Kysely<Database>({ dialect, plugins: [plugin()] });
  await insertOne(db);
  await assert.rejects(nested(db, helpers), isRefused("TYPE"));
  const [plain] = (await nested(new Kysely<Database>({ dialect }), helpers)) as [{ self: { id: number } }];
  assert.notEqual(BigInt(plain.self.id), ODD);
  await db.destroy();
});

test("lists of IDs, with null among them", async () => {
  const pool = new pg.Pool((await server.create("lists")).options);
  interface Lists {
    groups: { id: bigint; members: (bigint | null)[] | null };
  }
  const id = { format: twitter, generator: twitterIds };
  const plugins = [idPlugin<Lists>({ groups: { id, members: twitter } })];
  const db = new Kysely<Lists>({ dialect: new PostgresDialect({ pool }), plugins });
  await sql`CREATE TABLE groups (id bigint PRIMARY KEY, members bigint[])`.execute(db);
  const members = [ODD, null, ODD + 1n];
  await db.insertInto("groups").values({ id: ODD, members }).execute();
  const more = [[], null, sql`'{}'`].map((members, i) => ({ id: ODD + 1n + BigInt(i), members }));
  await db
    .insertInto("groups")
    .values(more as never)
    .execute();
  const lists = async () =>
    pluck(await db.selectFrom("groups").select("members").orderBy("id").execute(), "members");
  assert.deepEqual(await lists(), [members, [], null, []]);
  const given = [`${ODD}`, null] as never;
  const second = db.updateTable("groups").set({ members: given });
  await second.where("id", "=", ODD + 1n).execute();
  assert.deepEqual((await lists())[1], [ODD, null]);
  const groups = db.selectFrom("groups").select("id").orderBy("id");
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
    db.insertInto("groups").values({ id: ODD + 9n, members: rounded }),
    db.insertInto("groups").values({ id: [ODD] as never, members }),
    db.updateTable("groups").set({ members: rounded }),
    overlap(rounded),
    any(rounded),
    anyMember(Number(ODD) as never),
  );
  await db.destroy();
});

test("the guide", async () => {
  const { env } = await server.create("guide");
  await runGuide("kysely.md", "postgres", { env, lines: 4 });
});
