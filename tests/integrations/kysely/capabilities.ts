/** Tests of the Kysely plugin for single features; only some databases and dialects have most. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { twitter } from "graupel";
import { type ExpressionBuilder, InsertQueryBuilder, type Kysely, sql } from "kysely";
import { project } from "../support/guide.ts";
import { gives, isRefused, ODD, pluck, refuses } from "../support/rows.ts";
import { type Database, insertOne, type Opened, twoUsers, users } from "./common.ts";

type Users = ExpressionBuilder<Database, "users">;

/** Tests queries whose columns have no names of their own, in every database. */
export function readsByPosition(opened: Opened): void {
  test("set operations read their columns by position", async () => {
    const db = opened();
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
    const db = opened();
    await twoUsers(db);
    const compiled = db.selectFrom("users").select("id as user").orderBy("id").compile();
    const run = async () => (await db.executeQuery(compiled)).rows;
    const path = join(project, "node_modules/kysely/package.json");
    const { version } = JSON.parse(readFileSync(path, "utf8"));
    if (/^0\.2([67]\.|8\.[0-3]$)/.test(version)) return assert.rejects(run, isRefused("TYPE"));
    assert.deepEqual(await run(), [{ user: ODD }, { user: ODD + 1n }]);
  });
}

/** Tests databases with `returning`. */
export function returns(opened: Opened): void {
  test("returning, after insert, update, delete and in `with`", async () => {
    const db = opened();
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
  const defaulting = "defaultValues" in InsertQueryBuilder.prototype ? test : () => {};
  defaulting("default values", async () => {
    // The other columns are nullable.
    const row = await opened().insertInto("users").defaultValues().returningAll().executeTakeFirstOrThrow();
    // The generator made the ID, not the database.
    assert.equal(twitter.inspect(row.id).workerId, 7);
    assert.deepEqual(row, { id: row.id, name: null, invited_by: null });
  });
}

/** Tests dialects that support streaming without another package. */
export function streams(opened: Opened): void {
  test("a stream", async () => {
    const db = opened();
    const made = [ODD, ODD + 1n, ODD + 2n];
    await users(db, ...made.map((id) => ({ id }))).execute();
    const found = [];
    for await (const { id } of db.selectFrom("users").select("id").orderBy("id").stream(2)) found.push(id);
    assert.deepEqual(found, made);
  });
}

/** The JSON helpers of a database. */
interface Helpers {
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own expression types
  readonly [name: string]: (of: any) => any;
}

/** Queries nested rows. MariaDB cannot cast to JSON, which lists need. */
export const nested = (
  db: Kysely<Database>,
  { jsonArrayFrom, jsonObjectFrom, jsonBuildObject }: Helpers,
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

/** Tests nested rows. */
export function nests(opened: Opened, helpers: Helpers): void {
  test("nested rows are whole", async () => {
    const title = `"12345678901234567" and 12345678901234567`;
    await insertOne(opened(), title);
    const one = { id: ODD, by: ODD + 1n };
    const posts = [{ author: ODD, title, user: { id: ODD, name: "a", invited_by: ODD + 1n } }];
    const whole = { ...(helpers.jsonArrayFrom && { posts }), first: one, none: null, self: one };
    assert.deepEqual(await nested(opened(), helpers), [whole]);
  });
}
