/** What the plugin for Kysely does in every database. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sno, twitter } from "graupel";
import { idPlugin } from "graupel/kysely";
import {
  type ExpressionBuilder,
  type Generated,
  InsertQueryBuilder,
  type Kysely,
  type NonDehydrateable,
  sql,
} from "kysely";
import { holdsMany, ids, isRefused, NO_IDS, ODD, orders, refuses } from "../support/rows.ts";

export interface Database {
  many: { id: Generated<bigint>; note: string };
  users: { id: NonDehydrateable<Generated<bigint>>; name: string; invited_by: bigint | null };
  posts: { id: Generated<string>; author: NonDehydrateable<bigint>; title: string };
}

/** Of the 100,000 rows, in each database the next ones. */
const source = ids();
export const twitterIds = twitter.generator({ datacenterId: 3, workerId: 7 });

/** The plugin, and what it is told. */
export const plugin = () =>
  idPlugin<Database>({
    many: { id: { format: orders, generator: source } },
    users: { id: { format: twitter, generator: twitterIds }, invited_by: twitter },
    posts: { id: { format: sno, generator: sno }, author: twitter },
  });

/** A user, if not said otherwise without one who has invited it. */
type User = { readonly id?: bigint; readonly name?: unknown; readonly invited_by?: bigint | null };
const user = (row: User = {}) => ({ name: "a", invited_by: null, ...row }) as never;

/** An insert of users. */
export const users = (db: Kysely<Database>, ...rows: User[]) =>
  db.insertInto("users").values(rows.map(user) as never);

/** A user, and a post of this user. */
export async function insertOne(db: Kysely<Database>, title = "t"): Promise<void> {
  await users(db, { id: ODD, invited_by: ODD + 1n }).execute();
  await db.insertInto("posts").values({ author: ODD, title }).execute();
}

/** The tests of every database. `opened`: once the database is there. */
export function behavesAsEverywhere(opened: () => Kysely<Database>): void {
  beforeEach(async () => {
    await opened().deleteFrom("posts").execute();
    await opened().deleteFrom("users").execute();
  });

  holdsMany(() => {
    const db = opened();
    return {
      source,
      insert: (rows) => db.insertInto("many").values(rows).execute(),
      all: () => db.selectFrom("many").selectAll().orderBy("id").execute(),
      async count(min, max) {
        const { n } = await db
          .selectFrom("many")
          .select(({ fn }) => fn.countAll().as("n"))
          .where((eb) => eb.between("id", min, max))
          .executeTakeFirstOrThrow();
        return Number(n);
      },
    };
  });

  test("IDs that are given, left out or undefined", async () => {
    const db = opened();
    const undefinedId = { id: undefined as never, name: sql<string>`lower('UNDEFINED')` };
    await users(
      db,
      { id: ODD, name: "given" },
      { name: "none", invited_by: ODD + 1n },
      undefinedId,
    ).execute();
    const found = await db.selectFrom("users").selectAll().orderBy("name").execute();
    assert.deepEqual(
      found.map(({ name, invited_by }) => [name, invited_by]),
      [
        ["given", null],
        ["none", ODD + 1n],
        ["undefined", null],
      ],
    );
    assert.equal(found[0]?.id, ODD);
    for (const { id } of found.slice(1)) {
      assert.equal(typeof id, "bigint");
      assert.equal(twitter.inspect(id).workerId, 7);
    }
  });

  test("null is none, also in a column whose IDs are made", async () => {
    const made = { format: twitter, generator: twitterIds };
    const tables = { users: { id: twitter, invited_by: made } };
    const db = opened().withoutPlugins().withPlugin(idPlugin<Database>(tables));
    const [none, leftOut, written] = [ODD, ODD + 1n, ODD + 2n].map((id) => ({ id, name: "n" }));
    await db
      .insertInto("users")
      .values([
        { ...none, invited_by: null },
        leftOut,
        { ...written, name: sql`lower('N')`, invited_by: null },
      ] as never)
      .execute();
    const found = () => db.selectFrom("users").select("invited_by").orderBy("id").execute();
    const [first, second, third] = await found();
    assert.deepEqual([first?.invited_by, third?.invited_by], [null, null]);
    assert.equal(twitter.inspect(second?.invited_by as bigint).workerId, 7);
    await db.updateTable("users").set({ invited_by: null }).execute();
    assert.deepEqual(
      (await found()).map((row) => row.invited_by),
      [null, null, null],
    );
  });

  test("update, delete, and where, with texts too", async () => {
    const db = opened();
    const [second, third, fourth] = [ODD + 1n, ODD + 2n, ODD + 3n];
    const text = `${second}` as never;
    await users(db, { id: `${ODD}` as never }, { id: second, name: "b" }, { id: third, name: "c" }).execute();
    await db.updateTable("users").set({ invited_by: ODD }).where("id", "=", text).execute();
    await db.updateTable("users").set("invited_by", fourth).where("users.id", ">", second).execute();
    const of = db.selectFrom("users").select(["id", "invited_by"]).orderBy("id");
    const all = [
      { id: ODD, invited_by: null },
      { id: second, invited_by: ODD },
      { id: third, invited_by: fourth },
    ];
    assert.deepEqual(await of.execute(), all);
    assert.deepEqual(await of.where("id", "in", [ODD, third]).execute(), [all[0], all[2]]);
    assert.deepEqual(await of.where("invited_by", "is", null).execute(), [all[0]]);
    assert.deepEqual(await of.where(({ eb, or }) => or([eb("id", "<", second)])).execute(), [all[0]]);
    await db.deleteFrom("users").where("id", "not in", [second]).execute();
    assert.deepEqual(await of.execute(), [all[1]]);
    await db.updateTable("users").set({ invited_by: null }).execute();
    assert.deepEqual(await of.execute(), [{ id: second, invited_by: null }]);
  });

  test("what is no ID is not written, and not asked for", async () => {
    const db = opened();
    for (const [given, code] of NO_IDS) {
      const id = given as bigint;
      const all = db.selectFrom("users").selectAll();
      await refuses(
        code,
        users(db, { id }),
        users(db, { name: sql`'y'`, invited_by: id }, { id: ODD }),
        db.updateTable("users").set({ invited_by: id }),
        db.updateTable("users as u").set("u.invited_by" as "invited_by", id),
        db.deleteFrom("users").where("id", "=", id),
        db.selectFrom("users as u").selectAll().where("u.id", "in", [ODD, id]),
        all.where(({ between }) => between("id", ODD, id)),
        all.where(({ eb, val, ref }) => eb(val(id), "<", ref("id"))),
        all.innerJoin("posts as p", (join) =>
          join.onRef("p.author", "=", "users.id").on("p.author", "=", id),
        ),
        all.where(({ exists, selectFrom }) =>
          exists(selectFrom("posts").select("posts.id").where("users.id", "=", id)),
        ),
        db
          .with("u", (with_) => with_.selectFrom("users").select("id as number"))
          .selectFrom("u")
          .selectAll()
          .where("number", "=", id),
      );
    }
    assert.deepEqual(await db.selectFrom("users").selectAll().execute(), []);
    await refuses(
      "TYPE",
      db.deleteFrom("users").where("id", "=", undefined as never),
      // An update makes no ID: a row that is there would get another one.
      db.updateTable("users").set("id", undefined as never),
    );
  });

  test("a column of the same name elsewhere is not an ID's", async () => {
    const db = opened();
    await db.insertInto("posts").values({ author: ODD, title: "t" }).execute();
    // `title` has another meaning here, and so has `author` in the inner query.
    const inner = db
      .selectFrom("users")
      .select(["name as author"])
      .where(({ eb }) => eb("name", "=", "-1"))
      .as("u");
    const found = await db
      .selectFrom("posts")
      .leftJoin(inner, (join) => join.onTrue())
      .select(["posts.author as by", "u.author as name", "posts.title as id"])
      .execute();
    assert.deepEqual(found, [{ by: ODD, name: null, id: "t" }]);
  });

  test("joins, aliases, subqueries, `with` and unions", async () => {
    const db = opened();
    await users(db, { id: ODD, invited_by: ODD + 7n }).execute();
    const written = ["1", "2"].map((title) => ({ author: ODD, title }));
    await db.insertInto("posts").values(written).execute();
    const [first, second] = await db.selectFrom("posts").select("id").orderBy("title").execute();
    assert.ok(first && second && sno.isValid(first.id) && first.id !== second.id);

    const joined = await db
      .selectFrom("posts as p")
      .innerJoin("users as u", "u.id", "p.author")
      .select(["u.id as user", "p.id as post", "p.title"])
      .select(({ selectFrom }) =>
        selectFrom("users").select("invited_by").whereRef("users.id", "=", "p.author").as("by"),
      )
      .orderBy("title")
      .execute();
    assert.deepEqual(joined, [
      { user: ODD, post: first.id, title: "1", by: ODD + 7n },
      { user: ODD, post: second.id, title: "2", by: ODD + 7n },
    ]);
    const all = await db
      .selectFrom("posts")
      .innerJoin("users", "users.id", "author")
      .selectAll("users")
      .limit(1)
      .execute();
    assert.deepEqual(all, [{ id: ODD, name: "a", invited_by: ODD + 7n }]);

    const named = await db
      .with("writers(n, w)", (with_) =>
        with_
          .selectFrom("posts")
          .select(({ fn }) => ["author as w", fn.max("id").as("n")])
          .groupBy("author"),
      )
      .selectFrom("writers")
      .select(["w", "n as id"])
      .execute();
    // The database names columns by their place.
    assert.deepEqual(named as unknown, [{ w: [first.id, second.id].sort()[1], id: ODD }]);

    const both = await db
      .selectFrom("users")
      .select("id as x")
      .unionAll(db.selectFrom("users").select("invited_by as x").$castTo<{ x: never }>())
      .execute();
    assert.deepEqual(both.map(({ x }) => x).sort(), [ODD, ODD + 7n]);

    // The name of a query is not that of the table.
    const shadowed = await db
      .with("users", (with_) => with_.selectFrom("posts").select(["title as id", "author as name"]))
      .selectFrom("users")
      .select(["id", "name"])
      .orderBy("id")
      .limit(1)
      .execute();
    assert.deepEqual(shadowed as unknown, [{ id: "1", name: ODD }]);

    const recursive = await db
      .withRecursive("line(id, invited_by)", (with_) =>
        with_
          .selectFrom("users")
          .select(["id", "invited_by"])
          .unionAll(
            with_
              .selectFrom("line")
              .innerJoin("users", "users.id", "line.invited_by")
              .select(["users.id", "users.invited_by"]),
          ),
      )
      .selectFrom("line")
      .selectAll()
      .execute();
    assert.deepEqual(recursive, [{ id: ODD, invited_by: ODD + 7n }]);

    const derived = await db
      .selectFrom((eb) => eb.selectFrom("users").select(["id as inner", "name"]).as("d"))
      .select(({ fn }) => fn.min("d.inner").as("least"))
      .execute();
    assert.deepEqual(derived, [{ least: ODD }]);
    assert.deepEqual(
      await db
        .selectFrom("users")
        .select(({ fn }) => fn.max("id").as("m"))
        .where("name", "=", "?")
        .execute(),
      [{ m: null }],
    );
  });

  test("transactions, and what a callback throws", async () => {
    const db = opened();
    await assert.rejects(
      db.transaction().execute(async (transaction) => {
        await users(transaction, {}).execute();
        await users(transaction, { id: 1 as never }).execute();
      }),
      isRefused("TYPE"),
    );
    assert.deepEqual(await db.selectFrom("users").selectAll().execute(), []);
    await db.transaction().execute((transaction) => users(transaction, { invited_by: ODD }).execute());
    assert.deepEqual(await db.selectFrom("users").select("invited_by").execute(), [{ invited_by: ODD }]);
  });

  test("no ID can be made for rows that the database selects", async () => {
    const db = opened();
    await users(db, { id: ODD }).execute();
    const copy = db.selectFrom("users").select(["name as title", "id"]);
    await refuses("TYPE", db.insertInto("posts").columns(["title", "author"]).expression(copy));
    await db
      .insertInto("users")
      .columns(["id", "name"])
      .expression((eb) =>
        eb.selectFrom("users").select(({ eb }) => [eb("id", "+", 1n as never).as("id"), "name"]),
      )
      .execute();
    assert.deepEqual(await db.selectFrom("users").select("id").orderBy("id").execute(), [
      { id: ODD },
      { id: ODD + 1n },
    ]);
  });
}

/** The tests of databases with `returning`. */
export function returns(opened: () => Kysely<Database>): void {
  test("returning, after insert, update, delete and in `with`", async () => {
    const db = opened();
    const two = users(db, { invited_by: ODD }, { name: "b" });
    const [a, b] = await two.returning(["id as number", "invited_by"]).execute();
    assert.deepEqual([a?.invited_by, b?.invited_by], [ODD, null]);
    const id = a?.number as bigint;
    const other = b?.number as bigint;
    assert.deepEqual(
      await db.updateTable("users").set({ invited_by: id }).where("id", "=", id).returningAll().execute(),
      [{ id, name: "a", invited_by: id }],
    );
    assert.deepEqual(await db.deleteFrom("users").where("id", "=", other).returning("users.id").execute(), [
      { id: other },
    ]);
    const again = (set: (eb: ExpressionBuilder<Database, "users">) => object) =>
      users(db, { id, name: "again" })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(set as never))
        .returningAll();
    const set = await again((eb) => ({ invited_by: ODD, name: eb.ref("excluded.name" as never) })).execute();
    assert.deepEqual(set, [{ id, name: "again", invited_by: ODD }]);
    await refuses(
      "RANGE",
      again(() => ({ invited_by: -1n })),
    );
    const where = users(db, { id }).onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ name: "b" })
        .where("excluded.id" as never, "=", 5 as never),
    );
    await refuses("TYPE", where);
  });

  // Not in all versions.
  const defaulting = "defaultValues" in InsertQueryBuilder.prototype ? test : () => {};
  defaulting("default values", async () => {
    const db = opened();
    // The other columns have no NOT NULL.
    const row = await db.insertInto("users").defaultValues().returningAll().executeTakeFirstOrThrow();
    // Not a number that the database makes up.
    assert.equal(twitter.inspect(row.id).workerId, 7);
    assert.deepEqual(row, { id: row.id, name: null, invited_by: null });
  });
}
