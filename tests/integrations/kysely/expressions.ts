/** IDs in expressions, in every database: what is compared with them is checked, and what gives them is read. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import { project } from "../support/guide.ts";
import { isRefused, ODD, refuses } from "../support/rows.ts";
import { type Database, insertOne, users } from "./common.ts";

const { version: VERSION } = JSON.parse(
  readFileSync(join(project, "node_modules/kysely/package.json"), "utf8"),
);

type Users = ExpressionBuilder<Database, "users">;

/** What a program has by mistake. */
const ROUNDED = Number(ODD) as never;

/** The tests. `opened`: once the database is there. */
export function expressions(opened: () => Kysely<Database>): void {
  beforeEach(async () => {
    const db = opened();
    await db.deleteFrom("posts").execute();
    await db.deleteFrom("users").execute();
    await users(db, { id: ODD }, { id: ODD + 1n, name: "b", invited_by: ODD }).execute();
    await db.insertInto("posts").values({ author: ODD, title: "t" }).execute();
  });

  test("tuples: each of their IDs is checked", async () => {
    const ids = opened().selectFrom("users").select("id");
    const asked = (where: (eb: Users) => unknown) => ids.where(where as never);
    const found = (where: (eb: Users) => unknown) => asked(where).execute();
    const [a, b] = [{ id: ODD }, { id: ODD + 1n }];
    for (const id of [ODD, `${ODD}` as never]) {
      const invited = ({ eb, refTuple, tuple }: Users) =>
        eb(refTuple("invited_by", "name"), "in", [tuple(id, "b"), tuple(ODD + 5n, "a")]);
      assert.deepEqual(await found(invited), [b]);
      const equal = ({ eb, refTuple, tuple }: Users) => eb(refTuple("name", "id"), "=", tuple("a", id));
      assert.deepEqual(await found(equal), [a]);
    }
    await refuses(
      "TYPE",
      asked(({ eb, refTuple, tuple }) => eb(refTuple("id", "name"), "=", tuple(ROUNDED, "a"))),
      asked(({ eb, refTuple, tuple }) =>
        eb(refTuple("name", "id"), "in", [tuple("a", ODD), tuple("a", ROUNDED)]),
      ),
      asked(({ eb, refTuple, tuple }) => eb(tuple(ROUNDED, "a"), "=", refTuple("id", "name") as never)),
      asked(({ eb, refTuple, selectFrom }) => {
        const pairs = selectFrom("posts").select((inner) => [inner.val(ROUNDED).as("x"), "title"]);
        return eb(refTuple("id", "name"), "in", pairs.$asTuple("x" as never, "title" as never) as never);
      }),
    );
  });

  test("functions, `case` and subqueries that give an ID are read", async () => {
    const db = opened();
    const rows = await db
      .selectFrom("users")
      .select(({ fn, ref, val, case: case_, selectFrom, eb }) => [
        "id",
        fn.coalesce("invited_by", "id").as("coalesce"),
        fn<bigint | null>("nullif", ["id", val(ODD)]).as("nullif"),
        fn<bigint>("coalesce", [fn("nullif", ["invited_by", "invited_by"]), val(ODD + 9n)]).as("given"),
        ...(["lag", "lead", "first_value", "last_value"] as const).map((name) =>
          fn
            .agg<bigint | null>(name, ["id"])
            .over((over) => over.orderBy("id"))
            .as(name),
        ),
        fn
          .min("id")
          .over((over) => over.partitionBy("id"))
          .as("min"),
        case_().when("name", "=", "a").then(ref("id")).else(ref("invited_by")).end().as("case"),
        case_("id").when(ODD).then("x").else("y").end().as("which"),
        sql.ref<bigint>("users.id").as("raw"),
        eb.parens(fn.coalesce(selectFrom("posts").select("author").limit(1), "id")).as("query"),
        fn<number>("abs", [val(-3)]).as("other"),
      ])
      .orderBy("id")
      .execute();
    const [a, b] = [ODD, ODD + 1n];
    const common = { coalesce: a, case: a, given: ODD + 9n, first_value: a, query: a };
    assert.deepEqual(
      rows.map(({ other, ...row }) => row),
      [
        { ...common, id: a, nullif: null, lag: null, lead: b, last_value: a, min: a, which: "x", raw: a },
        { ...common, id: b, nullif: b, lag: a, lead: null, last_value: b, min: b, which: "y", raw: b },
      ],
    );
    assert.equal(Number(rows[0]?.other), 3);
  });

  test("values in functions and `case`, and in what is written, are checked", async () => {
    const db = opened();
    const ids = db.selectFrom("users").select("id");
    const select = (expression: (eb: Users) => unknown) =>
      db.selectFrom("users").select((eb) => (expression(eb) as { as(name: "x"): never }).as("x"));
    const all = db.selectFrom("users").selectAll();
    const where = (condition: (eb: Users) => unknown) => all.where(condition as never);
    await refuses(
      "TYPE",
      select(({ fn, val }) => fn.coalesce("invited_by", val(ROUNDED))),
      select(({ fn, val }) => fn("COALESCE", ["invited_by", val(ROUNDED)])),
      select(({ fn, val }) =>
        fn.agg("lag", ["id", sql.lit(1), val(ROUNDED)]).over((over) => over.orderBy("id")),
      ),
      select(({ ref, case: case_ }) => case_().when("name", "=", "a").then(ref("id")).else(ROUNDED).end()),
      select(({ case: case_ }) => case_("id").when(ROUNDED).then("x").end()),
      select(({ fn }) => fn.count("id").filterWhere("id", "=", ROUNDED)),
      where(({ eb, fn, val }) => eb(fn.coalesce("invited_by", val(ROUNDED)), "=", ODD)),
      where(({ eb, fn }) => eb(fn.coalesce("invited_by", "id"), "=", ROUNDED)),
      where(({ eb, val, ref }) => eb(val(ROUNDED), "in", [ref("id"), ref("invited_by")] as never)),
      where(({ eb }) => eb("id", "=", sql.val(ROUNDED))),
      where(({ eb }) => eb("id", "in", [ODD, sql.val(ROUNDED)] as never)),
      where(({ eb, selectFrom, val }) =>
        eb("id", "in", selectFrom("posts").select(val(ROUNDED).as("x")) as never),
      ),
      where(({ eb, selectFrom }) => eb(selectFrom("posts").select("author").limit(1), "=", ROUNDED)),
      where(({ and }) => and({ id: ROUNDED })),
      select(() => sql`1`)
        .groupBy("id")
        .having(({ fn }) => fn.max("id"), "=", ROUNDED),
      all.orderBy(({ eb }) => eb("id", "=", ROUNDED)),
      ids.unionAll(select(({ val }) => val(ROUNDED)) as never),
      select(({ val }) => val<bigint>(ROUNDED)).unionAll(ids as never),
      db.updateTable("users").set({ invited_by: ROUNDED }),
      db.updateTable("users").set(({ fn, val }) => ({ invited_by: fn.coalesce("invited_by", val(ROUNDED)) })),
      db.updateTable("users").set(({ case: case_ }) => ({
        invited_by: case_().when("name", "=", "a").then(ROUNDED).else(null).end(),
      })),
      db.insertInto("users").values(({ fn, val }) => ({
        id: ODD + 9n,
        name: "n",
        invited_by: fn.coalesce(val(ROUNDED), val(null)) as never,
      })),
      db
        .insertInto("users")
        .columns(["id", "name"])
        .expression((eb) => eb.selectFrom("users").select((inner) => [inner.val(ROUNDED).as("x"), "name"])),
    );
    await db
      .updateTable("users")
      .set(({ fn, val }) => ({ invited_by: fn.coalesce("invited_by", val(`${ODD}` as never)) }))
      .execute();
    assert.deepEqual(await db.selectFrom("users").select("invited_by").distinct().execute(), [
      { invited_by: ODD },
    ]);
  });

  test("all set operations are read by the places of their columns", async () => {
    const db = opened();
    const ids = db.selectFrom("users").select(["name", "id"]);
    // The first query names the columns, and a later one says what is in them.
    const others = () =>
      db.selectFrom("users").select(({ val }) => [val("a").as("n"), sql<bigint>`null`.as("x")]);
    for (const operation of ["union", "unionAll", "intersect", "except"] as const) {
      const rows = await others()
        [operation](ids as never)
        .execute();
      for (const { x } of rows) assert.ok(x === null || typeof x === "bigint", `${operation}: ${typeof x}`);
    }
    const three = await others()
      .union(ids as never)
      .union(others() as never)
      .execute();
    assert.deepEqual(
      three
        .map(({ x }) => x)
        .filter((x) => x !== null)
        .sort(),
      [ODD, ODD + 1n],
    );
    const named = await db
      .with("all_of(n, i)", () => others().union(ids as never) as never)
      .selectFrom("all_of")
      .select("i")
      .where("i", "=", ODD as never)
      .execute();
    assert.deepEqual(named as unknown, [{ i: ODD }]);
  });

  test("a compiled query is read as the query itself is; before Kysely 0.28.4, which does not tell of it, refused", async () => {
    const db = opened();
    const compiled = db.selectFrom("users").select("id as user").orderBy("id").compile();
    const run = async () => (await db.executeQuery(compiled)).rows;
    if (/^0\.2([67]\.|8\.[0-3]$)/.test(VERSION)) return assert.rejects(run, isRefused("TYPE"));
    assert.deepEqual(await run(), [{ user: ODD }, { user: ODD + 1n }]);
  });
}

/** The test of dialects that stream without a package of their own. */
export function streams(opened: () => Kysely<Database>): void {
  test("a stream", async () => {
    const db = opened();
    const made = [ODD, ODD + 1n, ODD + 2n];
    await users(db, ...made.map((id) => ({ id }))).execute();
    const found = [];
    for await (const { id } of db.selectFrom("users").select("id").orderBy("id").stream(2)) found.push(id);
    assert.deepEqual(found, made);
  });
}

/** What a database's package of helpers gives. */
interface Helpers {
  // biome-ignore lint/suspicious/noExplicitAny: the types of expressions are those of each use
  readonly [name: string]: (of: any) => any;
}

/** Rows inside of rows. MariaDB has no cast to JSON, which lists need. */
export const nested = (
  db: Kysely<Database>,
  { jsonArrayFrom, jsonObjectFrom, jsonBuildObject }: Helpers,
): Promise<object[]> =>
  db
    .selectFrom("users as u")
    .select((eb) => {
      const posts = eb.selectFrom("posts as p").whereRef("p.author", "=", "u.id");
      const author = eb.selectFrom("users").whereRef("users.id", "=", "p.author" as never);
      const list = posts.select([
        "p.author",
        "p.title",
        jsonObjectFrom?.(author.select(["id", "name", "invited_by"])).as("user"),
      ] as never);
      return [
        ...(jsonArrayFrom ? [jsonArrayFrom(list).as("posts")] : []),
        jsonObjectFrom?.(eb.selectFrom("users").select(["users.id", "invited_by as by"])).as("first"),
        jsonObjectFrom?.(eb.selectFrom("posts").select("author").where("title", "=", "none")).as("none"),
        jsonBuildObject?.({ id: eb.ref("u.id"), by: eb.ref("u.invited_by") }).as("self"),
      ] as never;
    })
    .execute();

/** The test of rows inside of rows, and, where the driver rounds, that each place of them is refused. */
export function nests(opened: () => Kysely<Database>, helpers: Helpers): void {
  test("rows inside of rows", async () => {
    const title = `"12345678901234567" and 12345678901234567`;
    await insertOne(opened(), title);
    const one = { id: ODD, by: ODD + 1n };
    const posts = [{ author: ODD, title, user: { id: ODD, name: "a", invited_by: ODD + 1n } }];
    const whole = { ...(helpers.jsonArrayFrom && { posts }), first: one, none: null, self: one };
    assert.deepEqual(await nested(opened(), helpers), [whole]);
  });
}
