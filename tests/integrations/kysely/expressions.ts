/** IDs in expressions, in every database: what is compared with them is checked, and what gives them is read. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import { project } from "../support/guide.ts";
import { isRefused, ODD } from "../support/rows.ts";
import type { Database } from "./common.ts";

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
    const users = [
      { id: ODD, name: "a", invited_by: null },
      { id: ODD + 1n, name: "b", invited_by: ODD },
    ];
    await db.insertInto("users").values(users).execute();
    await db.insertInto("posts").values({ author: ODD, title: "t" }).execute();
  });

  test("tuples: each of their IDs is checked", async () => {
    const found = (where: (eb: Users) => unknown) =>
      opened()
        .selectFrom("users")
        .select("id")
        .where(where as never)
        .execute();
    const [a, b] = [{ id: ODD }, { id: ODD + 1n }];
    for (const id of [ODD, `${ODD}` as never]) {
      const invited = ({ eb, refTuple, tuple }: Users) =>
        eb(refTuple("invited_by", "name"), "in", [tuple(id, "b"), tuple(ODD + 5n, "a")]);
      assert.deepEqual(await found(invited), [b]);
      const equal = ({ eb, refTuple, tuple }: Users) => eb(refTuple("name", "id"), "=", tuple("a", id));
      assert.deepEqual(await found(equal), [a]);
    }
    for (const where of [
      ({ eb, refTuple, tuple }: Users) => eb(refTuple("id", "name"), "=", tuple(ROUNDED, "a")),
      ({ eb, refTuple, tuple }: Users) =>
        eb(refTuple("name", "id"), "in", [tuple("a", ODD), tuple("a", ROUNDED)]),
      ({ eb, refTuple, tuple }: Users) => eb(tuple(ROUNDED, "a"), "=", refTuple("id", "name") as never),
      ({ eb, refTuple, selectFrom }: Users) =>
        eb(
          refTuple("id", "name"),
          "in",
          selectFrom("posts")
            .select((inner) => [inner.val(ROUNDED).as("x"), "title"])
            .$asTuple("x" as never, "title" as never) as never,
        ),
    ]) {
      await assert.rejects(async () => found(where), isRefused("TYPE"));
    }
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
        fn
          .agg<bigint | null>("lag", ["id"])
          .over((over) => over.orderBy("id"))
          .as("lag"),
        fn
          .agg<bigint | null>("lead", ["id"])
          .over((over) => over.orderBy("id"))
          .as("lead"),
        fn
          .agg<bigint>("first_value", ["id"])
          .over((over) => over.orderBy("id"))
          .as("first"),
        fn
          .agg<bigint>("last_value", ["id"])
          .over((over) => over.orderBy("id"))
          .as("last"),
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
    const common = { given: ODD + 9n, first: ODD, query: ODD };
    assert.deepEqual(
      rows.map(({ other, ...row }) => row),
      [
        {
          ...common,
          id: ODD,
          coalesce: ODD,
          nullif: null,
          lag: null,
          lead: ODD + 1n,
          last: ODD,
          min: ODD,
          case: ODD,
          which: "x",
          raw: ODD,
        },
        {
          ...common,
          id: ODD + 1n,
          coalesce: ODD,
          nullif: ODD + 1n,
          lag: ODD,
          lead: null,
          last: ODD + 1n,
          min: ODD + 1n,
          case: ODD,
          which: "y",
          raw: ODD + 1n,
        },
      ],
    );
    assert.equal(Number(rows[0]?.other), 3);
  });

  test("values in functions and `case`, and in what is written, are checked", async () => {
    const db = opened();
    const select = (expression: (eb: Users) => unknown) =>
      db.selectFrom("users").select((eb) => (expression(eb) as { as(name: "x"): never }).as("x"));
    const where = (condition: (eb: Users) => unknown) =>
      db
        .selectFrom("users")
        .selectAll()
        .where(condition as never);
    const wrong = { wrong: ROUNDED };
    for (const query of [
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
      db
        .selectFrom("users")
        .select("name")
        .groupBy("name")
        .having(({ fn }) => fn.max("id"), "=", ROUNDED),
      db
        .selectFrom("users")
        .selectAll()
        .orderBy(({ eb }) => eb("id", "=", ROUNDED)),
      db
        .selectFrom("users")
        .select("id")
        .unionAll(db.selectFrom("users").select(({ val }) => val(ROUNDED).as("id"))),
      db
        .selectFrom("users")
        .select(({ val }) => val<bigint>(ROUNDED).as("id"))
        .unionAll(db.selectFrom("users").select("id")),
      db.updateTable("users").set({ invited_by: wrong.wrong }),
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
    ]) {
      await assert.rejects(
        async () => (query as { execute(): Promise<unknown> }).execute(),
        isRefused("TYPE"),
      );
    }
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
    await db
      .insertInto("users")
      .values(made.map((id) => ({ id, name: "s", invited_by: null })))
      .execute();
    const found = [];
    for await (const { id } of db.selectFrom("users").select("id").orderBy("id").stream(2)) found.push(id);
    assert.deepEqual(found, made);
  });
}
