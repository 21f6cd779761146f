/** Drizzle columns in PostgreSQL, through `pg` and `postgres`. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { arrayContains, eq } from "drizzle-orm";
import { drizzle as overPg } from "drizzle-orm/node-postgres";
import { bigint, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { drizzle as overPostgres } from "drizzle-orm/postgres-js";
import { discord, sno, twitter } from "graupel";
import { parseJson, pgId } from "graupel/drizzle";
import pg from "pg";
import postgres from "postgres";
import { runGuide } from "../support/guide.ts";
import { ODD, refuses } from "../support/rows.ts";
import { usePool } from "../support/servers.ts";
import { arrayOf, isFirst, nestedRows, TABLES, testStories } from "./common.ts";

const server = usePool(3);
before(async () => {
  await server.started;
  await server.pool.query(`
    ${TABLES.join(";")};
    ALTER TABLE posts ADD reply_to bigint;
    CREATE TABLE lists (id bigint PRIMARY KEY, users bigint[], grid bigint[][], logs char(16)[]);
  `);
});

const users = pgTable("users", { id: pgId(twitter)().primaryKey(), name: text() });
const posts = pgTable("posts", {
  id: pgId(sno, sno)().primaryKey(),
  author: pgId(twitter)(),
  replyTo: pgId(discord)("reply_to"),
});
/** `settings`: options for the client. */
const throughPostgres = (settings: postgres.Options<Record<string, postgres.PostgresType>>) => () => {
  const client = postgres({ ...server.options, max: 2, onnotice: () => {}, ...settings });
  return [overPostgres({ client }) as never as ReturnType<typeof overPg>, () => client.end()] as const;
};
const CLIENTS = {
  pg: () => [overPg({ client: server.pool }), async () => {}] as const,
  postgres: throughPostgres({}),
  // Returns arrays as text. Through it, Drizzle 1 cannot write text arrays.
  ...(!isFirst && { "postgres without fetch_types": throughPostgres({ fetch_types: false }) }),
};

for (const [name, open] of Object.entries(CLIENTS)) {
  describe(name, () => {
    let db: ReturnType<typeof overPg>;
    let close: () => Promise<void>;
    before(() => {
      [db, close] = open();
    });
    after(() => close?.());
    testStories(pgTable, pgId, text, () => db);

    test("`returning` of an insert, an update and a deletion", async () => {
      await db.delete(posts);
      await db.delete(users);
      await db.insert(users).values({ id: ODD });
      const [post] = await db.insert(posts).values({ author: ODD, replyTo: ODD }).returning();
      assert.ok(sno.isValid(post?.id));
      assert.deepEqual([post?.author, post?.replyTo], [ODD, ODD]);
      const ofPost = eq(posts.id, post?.id as string);
      const change = db.update(posts).set({ replyTo: ODD + 2n });
      const [changed] = await change.where(ofPost).returning();
      assert.equal(changed?.replyTo, ODD + 2n);
      assert.deepEqual(await db.delete(posts).where(ofPost).returning({ id: posts.id }), [{ id: post?.id }]);
    });

    test("arrays with NULL, and nested arrays", async () => {
      const lists = pgTable("lists", {
        id: pgId(twitter)().primaryKey(),
        users: arrayOf(pgId(twitter)(), 1),
        grid: arrayOf(pgId(twitter)(), 2),
        logs: arrayOf(pgId(sno)(), 1),
      });
      await db.delete(lists);
      const [third, other] = [ODD + 2n, "brpk4q72xwf2m63l"];
      const grid = [
        [ODD, null],
        [null, third],
      ];
      const row = { id: ODD, users: [ODD, null, ODD + 1n], grid, logs: [other, null] };
      assert.deepEqual(await db.insert(lists).values(row).returning(), [row]);
      const contains = (users: unknown) => arrayContains(lists.users, users as bigint[]);
      const find = (users: unknown) => db.select().from(lists).where(contains(users));
      assert.deepEqual(await find([ODD]), [row]);
      const insert = (wrong: object) => () => db.insert(lists).values({ ...row, ...wrong });
      const wrong = [{ users: [ODD, 5] }, { grid: [[5]] }, { users: [undefined] }].map(insert);
      await refuses("LENGTH", insert({ logs: [null, "x"] }));
      await refuses("TYPE", ...wrong, () => find([Number(ODD)]));
    });
  });
}

test("a relational query reads rows as JSON: rounded IDs are rejected, or are whole", async () => {
  const db = overPg({ client: server.pool });
  await db.delete(posts);
  await db.delete(users);
  await db.insert(users).values({ id: ODD, name: "a" });
  await db.insert(posts).values({ author: ODD, replyTo: ODD });
  const nested = (client: pg.Pool) =>
    nestedRows((config) => overPg({ client, ...config } as never), users, posts);
  const isWhole = (found: { posts: (typeof posts.$inferSelect & { user: typeof users.$inferSelect })[] }) => {
    const [post] = found.posts;
    assert.deepEqual([post?.author, post?.replyTo, post?.user.id], [ODD, ODD, ODD]);
  };
  if (isFirst) {
    isWhole(await nested(server.pool));
  } else {
    await refuses("TYPE", () => nested(server.pool));
    // Drizzle's own column returns a different ID.
    const author = bigint({ mode: "bigint" });
    const plain = pgTable("posts", { id: text().primaryKey(), author });
    const plainUsers = pgTable("users", { id: bigint({ mode: "bigint" }).primaryKey() });
    const open = (config: object) => overPg({ client: server.pool, ...config } as never);
    assert.notEqual((await nestedRows(open, plainUsers, plain)).posts[0].author, ODD);
  }
  const types = {
    getTypeParser: (oid: number, format?: "text") =>
      oid === 114 || oid === 3802 ? parseJson : pg.types.getTypeParser(oid, format),
  };
  const whole = new pg.Pool({ ...server.options, max: 1, types: types as never });
  pg.types.setTypeParser(114, parseJson);
  pg.types.setTypeParser(3802, parseJson);
  isWhole(await nested(whole));
  await whole.end();
  const json = { to: 114, from: [114, 3802], serialize: JSON.stringify, parse: parseJson };
  const other = postgres({ ...server.options, max: 1, types: { json } });
  isWhole(await nestedRows((config) => overPostgres({ client: other, ...config } as never), users, posts));
  const settings = pgTable("settings", { id: pgId(twitter)().primaryKey(), data: jsonb() });
  await other`CREATE TABLE settings (id bigint PRIMARY KEY, data jsonb)`;
  const row = { id: ODD, data: { a: [1, "b", null] } };
  assert.deepEqual(await overPostgres({ client: other }).insert(settings).values(row).returning(), [row]);
  await other.end();
});

test("the guide", async () => {
  const { env } = await server.create("guide");
  await runGuide("drizzle.md", isFirst ? "postgres-1" : "postgres", { env, lines: isFirst ? 2 : 3 });
});
