/** Queries through the Kysely plugin that every database has. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sno, twitter } from "graupel";
import { idPlugin } from "graupel/kysely";
import { prefixed } from "graupel/prefixed";
import { textFormat } from "graupel/text-format";
import { type ExpressionBuilder, type Generated, type Kysely, sql } from "kysely";
import { project } from "../support/guide.ts";
import { gives, holdsIds, isRefused, ODD, pluck, refuses } from "../support/rows.ts";
import { type Database, db, helpers, insertOne, source, twitterIds, twoUsers, users } from "./tables.ts";

type Users = ExpressionBuilder<Database, "users">;

/** A rounded ID, as a program may have by mistake. */
const ROUNDED = Number(ODD) as never;

holdsIds(() => {
  const many = db.selectFrom("many");
  const all = many.selectAll().orderBy("id");
  return {
    source,
    insert: (rows) =>
      db
        .insertInto("many")
        .values(rows as never)
        .execute(),
    all: () => all.execute(),
    find: (...ids) =>
      (ids.length === 1 ? all.where("id", "=", ids[0] as never) : all.where("id", "in", ids)).execute(),
    async count(min, max) {
      const counted = many.select(({ fn }) => fn.countAll().as("n"));
      return Number((await counted.where((eb) => eb.between("id", min, max)).executeTakeFirstOrThrow()).n);
    },
    rename: (id, note) => db.updateTable("many").set({ note }).where("id", "=", id).execute(),
    remove: (...ids) => db.deleteFrom("many").where("id", "in", ids).execute(),
  };
});

test("missing IDs are generated in rows of values and of expressions; null stays", async () => {
  const made = { format: twitter, generator: twitterIds };
  const own = db.withoutPlugins().withPlugin(idPlugin<Database>({ users: { id: made, invited_by: made } }));
  const name = sql`lower('N')`;
  const none = { name, invited_by: null };
  for (const rows of [
    [
      { id: ODD, invited_by: null, name: "n" },
      { id: ODD + 1n, name: "n" },
    ],
    [
      { id: ODD + 2n, ...none },
      { ...none, id: undefined, invited_by: undefined },
    ],
  ])
    await own
      .insertInto("users")
      .values(rows as never)
      .execute();
  // The generated ID is the latest one.
  const [first, second, third, last] = await own.selectFrom("users").selectAll().orderBy("id").execute();
  assert.deepEqual([first?.invited_by, third?.invited_by], [null, null]);
  for (const id of [second?.invited_by, last?.id, last?.invited_by])
    assert.equal(twitter.inspect(id as bigint).workerId, 7);
  await own.updateTable("users").set({ invited_by: null }).execute();
  await gives(own.selectFrom("users").select("invited_by").distinct(), [{ invited_by: null }]);
});

test("update, delete, and where, in other forms", async () => {
  const [second, third, fourth] = [ODD + 1n, ODD + 2n, ODD + 3n];
  await users(db, { id: ODD }, { id: second }, { id: third }).execute();
  await db.updateTable("users").set("invited_by", fourth).where("users.id", ">", second).execute();
  const of = db.selectFrom("users").select(["id", "invited_by"]).orderBy("id");
  await gives(of.where("invited_by", "is not", null), [{ id: third, invited_by: fourth }]);
  await gives(
    of.where(({ eb, or }) => or([eb("id", "<", second)])),
    [{ id: ODD, invited_by: null }],
  );
  await db.deleteFrom("users").where("id", "not in", [second]).execute();
  await gives(of, [{ id: second, invited_by: null }]);
});

test("a column of the same name in another table is not an ID", async () => {
  await db.insertInto("posts").values({ author: ODD, title: "t" }).execute();
  // `title` has another meaning here, and so does `author` in the inner query.
  const named = db.selectFrom("users").select(["name as author"]);
  const inner = named.where(({ eb }) => eb("name", "=", "-1")).as("u");
  const joined = db.selectFrom("posts").leftJoin(inner, (join) => join.onTrue());
  const found = joined.select(["posts.author as by", "u.author as name", "posts.title as id"]);
  await gives(found, [{ by: ODD, name: null, id: "t" }]);
});

test("joins, aliases, subqueries, `with` and unions", async () => {
  await users(db, { id: ODD, invited_by: ODD + 7n }).execute();
  const written = ["1", "2"].map((title) => ({ author: ODD, title }));
  await db.insertInto("posts").values(written).execute();
  const [first, second] = await db.selectFrom("posts").select("id").orderBy("title").execute();
  assert.ok(first && second && sno.isValid(first.id) && first.id !== second.id);
  const from = db.selectFrom("users");

  const by = ({ selectFrom }: ExpressionBuilder<Database & { p: Database["posts"] }, "p">) =>
    selectFrom("users").select("invited_by").whereRef("users.id", "=", "p.author").as("by");
  const joined = db.selectFrom("posts as p").innerJoin("users as u", "u.id", "p.author");
  await gives(
    joined
      .select(["u.id as user", "p.id as post", "p.title"])
      .select(by as never)
      .orderBy("title"),
    [
      { user: ODD, post: first.id, title: "1", by: ODD + 7n },
      { user: ODD, post: second.id, title: "2", by: ODD + 7n },
    ],
  );
  const all = db.selectFrom("posts").innerJoin("users", "users.id", "author").selectAll("users").limit(1);
  await gives(all, [{ id: ODD, name: "a", invited_by: ODD + 7n }]);

  // The database names these columns by position.
  const most = db.selectFrom("posts").select(({ fn }) => ["author as w", fn.max("id").as("n")]);
  const named = db.with("writers(n, w)", () => most.groupBy("author")).selectFrom("writers");
  await gives(named.select(["w", "n as id"]), [{ w: [first.id, second.id].sort()[1], id: ODD }]);

  const inviters = from.select("invited_by as x").$castTo<{ x: never }>();
  const both = await from.select("id as x").unionAll(inviters).execute();
  assert.deepEqual(pluck(both, "x").sort(), [ODD, ODD + 7n]);

  // The query and the table have different names.
  const posts = db.selectFrom("posts").select(["title as id", "author as name"]);
  const shadowed = db
    .with("users", () => posts)
    .selectFrom("users")
    .select(["id", "name"]);
  await gives(shadowed.orderBy("id").limit(1), [{ id: "1", name: ODD }]);

  const recursive = db.withRecursive("line(id, invited_by)", (with_) => {
    const next = with_.selectFrom("line").innerJoin("users", "users.id", "line.invited_by");
    const start = with_.selectFrom("users").select(["id", "invited_by"]);
    return start.unionAll(next.select(["users.id", "users.invited_by"]));
  });
  await gives(recursive.selectFrom("line").selectAll(), [{ id: ODD, invited_by: ODD + 7n }]);

  const derived = db.selectFrom((eb) => eb.selectFrom("users").select(["id as inner", "name"]).as("d"));
  await gives(
    derived.select(({ fn }) => fn.min("d.inner").as("least")),
    [{ least: ODD }],
  );
  await gives(from.select(({ fn }) => fn.max("id").as("m")).where("name", "=", "?"), [{ m: null }]);
});

test("a text format: rows have its texts, and the database has integers", async () => {
  interface Texts {
    users: { id: Generated<string>; name: string; invited_by: string };
  }
  const format = textFormat(twitter, prefixed(twitter, "usr_"));
  const id = { format, generator: format.generator({ datacenterId: 1, workerId: 5 }) };
  const plugins = idPlugin<Texts>({ users: { id, invited_by: format } });
  const texts = db.withoutPlugins().withPlugin(plugins) as unknown as Kysely<Texts>;
  const invited_by = `usr_${ODD}`;
  await texts.insertInto("users").values({ name: "a", invited_by }).execute();
  const [row] = await texts.selectFrom("users").selectAll().where("invited_by", "=", invited_by).execute();
  assert.ok(row && format.isValid(row.id));
  await gives(
    db
      .selectFrom("users")
      .selectAll()
      .where("id", "in", [format.toBigInt(row.id)]),
    [{ id: format.toBigInt(row.id), name: "a", invited_by: ODD }],
  );
  await gives(texts.selectFrom("users").select("invited_by").where("id", "=", row.id), [{ invited_by }]);
  await refuses("CHARACTER", texts.selectFrom("users").selectAll().where("id", "=", row.id.slice(4)));
});

test("transactions", async () => {
  const undone = db.transaction().execute(async (transaction) => {
    await users(transaction, {}).execute();
    await users(transaction, { id: 1 as never }).execute();
  });
  await assert.rejects(undone, isRefused("TYPE"));
  await gives(db.selectFrom("users").selectAll(), []);
  await db.transaction().execute((transaction) => users(transaction, { invited_by: ODD }).execute());
  await gives(db.selectFrom("users").select("invited_by"), [{ invited_by: ODD }]);
});

test("rows that the database selects get no IDs", async () => {
  await users(db, { id: ODD }).execute();
  const copy = db.selectFrom("users").select(["name as title", "id"]);
  await refuses("TYPE", db.insertInto("posts").columns(["title", "author"]).expression(copy));
  const more = db.selectFrom("users").select(({ eb }) => [eb("id", "+", 1n as never).as("id"), "name"]);
  await db.insertInto("users").columns(["id", "name"]).expression(more).execute();
  await gives(db.selectFrom("users").select("id").orderBy("id"), [{ id: ODD }, { id: ODD + 1n }]);
});

test("tuples: each of their IDs is checked", async () => {
  await twoUsers(db);
  const asked = (where: (eb: Users) => unknown) =>
    db
      .selectFrom("users")
      .select("id")
      .where(where as never);
  for (const id of [ODD, `${ODD}` as never]) {
    const rows = ({ eb, refTuple, tuple }: Users) =>
      eb(refTuple("invited_by", "name"), "in", [tuple(id, "b"), tuple(ODD + 5n, "a")]);
    await gives(asked(rows), [{ id: ODD + 1n }]);
    const row = ({ eb, refTuple, tuple }: Users) => eb(refTuple("name", "id"), "=", tuple("a", id));
    await gives(asked(row), [{ id: ODD }]);
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

test("IDs are read from functions, `case` and subqueries", async () => {
  await twoUsers(db);
  const rows = await db
    .selectFrom("users")
    .select(({ fn, ref, val, case: case_, selectFrom, eb }) => [
      "id",
      fn.coalesce("invited_by", "id").as("coalesce"),
      fn<bigint | null>("nullif", ["id", val(ODD)]).as("nullif"),
      fn<bigint>("coalesce", [fn("nullif", ["invited_by", "invited_by"]), val(ODD + 9n)]).as("given"),
      ...(["lag", "lead", "first_value", "last_value"] as const).map((name) => {
        const window = fn.agg<bigint | null>(name, ["id"]);
        return window.over((over) => over.orderBy("id")).as(name);
      }),
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
  const [first, second] = rows.map(({ other, ...row }) => row);
  const ofFirst = { id: a, nullif: null, lag: null, lead: b, last_value: a, min: a, which: "x", raw: a };
  const ofSecond = { id: b, nullif: b, lag: a, lead: null, last_value: b, min: b, which: "y", raw: b };
  assert.deepEqual(
    [first, second],
    [
      { ...common, ...ofFirst },
      { ...common, ...ofSecond },
    ],
  );
  assert.equal(Number(rows[0]?.other), 3);
});

test("an invalid ID is rejected in every position", async () => {
  await twoUsers(db);
  const ids = db.selectFrom("users").select("id");
  const select = (expression: (eb: Users) => unknown) =>
    db.selectFrom("users").select((eb) => (expression(eb) as { as(name: "x"): never }).as("x"));
  const all = db.selectFrom("users").selectAll();
  const where = (condition: (eb: Users) => unknown) => all.where(condition as never);
  const update = db.updateTable("users");
  const named = db
    .with("u", () => db.selectFrom("users").select("id as number"))
    .selectFrom("u")
    .selectAll();
  await refuses(
    "TYPE",
    users(db, { name: sql`'y'`, invited_by: ROUNDED }, { id: ODD }),
    db.updateTable("users as u").set("u.invited_by" as "invited_by", ROUNDED),
    db.selectFrom("users as u").selectAll().where("u.id", "in", [ODD, ROUNDED]),
    named.where("number", "=", ROUNDED),
    all.innerJoin("posts as p", (join) =>
      join.onRef("p.author", "=", "users.id").on("p.author", "=", ROUNDED),
    ),
    where(({ exists, selectFrom }) =>
      exists(
        selectFrom("posts")
          .select("posts.id")
          .where("users.id" as never, "=", ROUNDED),
      ),
    ),
    where(({ eb, val, ref }) => eb(val(ROUNDED), "<", ref("id") as never)),
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
    update.set({ invited_by: ROUNDED }),
    update.set(({ fn, val }) => ({ invited_by: fn.coalesce("invited_by", val(ROUNDED)) })),
    update.set(({ case: case_ }) => ({
      invited_by: case_().when("name", "=", "a").then(ROUNDED).else(null).end(),
    })),
    db.insertInto("users").values(({ fn, val }) => {
      const invited_by = fn.coalesce(val(ROUNDED), val(null)) as never;
      return { id: ODD + 9n, name: "n", invited_by };
    }),
    db
      .insertInto("users")
      .columns(["id", "name"])
      .expression((eb) => eb.selectFrom("users").select((inner) => [inner.val(ROUNDED).as("x"), "name"])),
    db.deleteFrom("users").where("id", "=", undefined as never),
    // An update generates no ID, because this would change the ID of an existing row.
    update.set("id", undefined as never),
  );
  await update
    .set(({ fn, val }) => ({ invited_by: fn.coalesce("invited_by", val(`${ODD}` as never)) }))
    .execute();
  await gives(db.selectFrom("users").select("invited_by").distinct(), [{ invited_by: ODD }]);
});

test("set operations read their columns by position", async () => {
  await twoUsers(db);
  const ids = db.selectFrom("users").select(["name", "id"]) as never;
  // The first query names the columns; a later one determines their contents.
  const others = () =>
    db.selectFrom("users").select(({ val }) => [val("a").as("n"), sql<bigint>`null`.as("x")]);
  for (const operation of ["union", "unionAll", "intersect", "except"] as const) {
    for (const { x } of await others()[operation](ids).execute())
      assert.ok(x === null || typeof x === "bigint", `${operation}: ${typeof x}`);
  }
  const three = await others().union(ids).union(others()).execute();
  assert.deepEqual(new Set(pluck(three, "x")), new Set([null, ODD, ODD + 1n]));
  const named = db.with("all_of(n, i)", () => others().union(ids) as never).selectFrom("all_of");
  await gives(named.select("i").where("i", "=", ODD as never), [{ i: ODD }]);
});

test("a compiled query reads the same; before Kysely 0.28.4, it is rejected", async () => {
  await twoUsers(db);
  const compiled = db.selectFrom("users").select("id as user").orderBy("id").compile();
  const run = async () => (await db.executeQuery(compiled)).rows;
  const path = join(project, "node_modules/kysely/package.json");
  const { version } = JSON.parse(readFileSync(path, "utf8"));
  if (/^0\.2([67]\.|8\.[0-3]$)/.test(version)) return assert.rejects(run, isRefused("TYPE"));
  assert.deepEqual(await run(), [{ user: ODD }, { user: ODD + 1n }]);
});

/** Queries nested rows. MariaDB cannot cast to JSON, which lists need. */
export const nested = (
  db: Kysely<Database>,
  { jsonArrayFrom, jsonObjectFrom, jsonBuildObject } = helpers,
): Promise<object[]> =>
  db
    .selectFrom("users as u")
    .select((eb) => {
      const posts = eb.selectFrom("posts as p").whereRef("p.author", "=", "u.id");
      const author = eb.selectFrom("users").whereRef("users.id", "=", "p.author" as never);
      const user = jsonObjectFrom?.(author.select(["id", "name", "invited_by"])).as("user");
      const list = posts.select(["p.author", "p.title", user] as never);
      const none = eb.selectFrom("posts").select("author").where("title", "=", "none");
      return [
        ...(jsonArrayFrom ? [jsonArrayFrom(list).as("posts")] : []),
        jsonObjectFrom?.(eb.selectFrom("users").select(["users.id", "invited_by as by"])).as("first"),
        jsonObjectFrom?.(none).as("none"),
        jsonBuildObject?.({ id: eb.ref("u.id"), by: eb.ref("u.invited_by") }).as("self"),
      ] as never;
    })
    .execute();

test("nested rows are whole", async () => {
  const title = `"12345678901234567" and 12345678901234567`;
  await insertOne(db, title);
  const one = { id: ODD, by: ODD + 1n };
  const posts = [{ author: ODD, title, user: { id: ODD, name: "a", invited_by: ODD + 1n } }];
  const whole = { ...(helpers.jsonArrayFrom && { posts }), first: one, none: null, self: one };
  assert.deepEqual(await nested(db), [whole]);
});
