/** Columns of Drizzle in PostgreSQL, through `pg` and `postgres`. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { and, between, count, eq, inArray, relations } from "drizzle-orm";
import { drizzle as overPg } from "drizzle-orm/node-postgres";
import { bigint, pgTable, text } from "drizzle-orm/pg-core";
import { drizzle as overPostgres } from "drizzle-orm/postgres-js";
import { discord, sno, twitter } from "graupel";
import { parseJson, pgId } from "graupel/drizzle";
import pg from "pg";
import postgres from "postgres";
import { runGuide } from "../support/guide.ts";
import { agree, ids, inChunks, isRefused, ODD, orders } from "../support/rows.ts";
import { startPostgres } from "../support/servers.ts";

let server: Awaited<ReturnType<typeof startPostgres>>;
let pool: pg.Pool;
before(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ ...server.options, max: 3 });
  pool.on("error", () => {});
  await pool.query(`
    CREATE TABLE many (id bigint PRIMARY KEY, note text);
    CREATE TABLE users (id bigint PRIMARY KEY, name text);
    CREATE TABLE posts (id char(16) PRIMARY KEY, author bigint REFERENCES users (id), reply_to bigint);
  `);
});
after(async () => {
  await pool?.end();
  await server?.stop();
});

const source = ids();
const many = pgTable("many", { id: pgId(orders, source)().primaryKey(), note: text() });
const users = pgTable("users", { id: pgId(twitter)().primaryKey(), name: text() });
const posts = pgTable("posts", {
  id: pgId(sno, sno)().primaryKey(),
  author: pgId(twitter)(),
  replyTo: pgId(discord)("reply_to"),
});
const schema = {
  users,
  posts,
  toPosts: relations(users, (with_) => ({ posts: with_.many(posts) })),
  toAuthor: relations(posts, ({ one }) => ({
    of: one(users, { fields: [posts.author], references: [users.id] }),
  })),
};

test("100,000 rows by default come back whole, and ranges count them", async () => {
  const db = overPg({ client: pool });
  await inChunks((rows) => db.insert(many).values(rows));
  const found = await db.select({ id: many.id }).from(many).orderBy(many.id);
  await agree(
    source.made,
    found.map(({ id }) => id),
    async (min, max) =>
      (
        await db
          .select({ n: count() })
          .from(many)
          .where(between(many.id, min, max))
      )[0]?.n as number,
  );
});

const CLIENTS = {
  pg: () => [overPg({ client: pool, schema }), async () => {}] as const,
  postgres: () => {
    const client = postgres({ ...server.options, max: 2, onnotice: () => {} });
    return [
      overPostgres({ client, schema }) as never as ReturnType<typeof overPg<typeof schema>>,
      () => client.end(),
    ] as const;
  },
};

for (const [name, open] of Object.entries(CLIENTS)) {
  describe(name, () => {
    test("insert, returning, where, join, update, delete", async () => {
      const [db, close] = open();
      await db.delete(posts);
      await db.delete(users);
      await db.insert(users).values([
        { id: ODD, name: "a" },
        { id: ODD + 1n, name: "b" },
      ]);
      const [post] = await db.insert(posts).values({ author: ODD, replyTo: ODD }).returning();
      assert.ok(sno.isValid(post?.id));
      assert.deepEqual([post?.author, post?.replyTo], [ODD, ODD]);
      assert.deepEqual(await db.select().from(users).where(eq(users.id, ODD)), [{ id: ODD, name: "a" }]);
      assert.equal(
        (
          await db
            .select()
            .from(users)
            .where(inArray(users.id, [ODD, ODD + 1n]))
        ).length,
        2,
      );
      const joined = await db
        .select({ user: users.id, post: posts.id })
        .from(posts)
        .innerJoin(users, and(eq(posts.author, users.id)));
      assert.deepEqual(joined, [{ user: ODD, post: post?.id }]);
      const changed = await db
        .update(posts)
        .set({ replyTo: ODD + 2n })
        .where(eq(posts.id, post?.id as string))
        .returning();
      assert.equal(changed[0]?.replyTo, ODD + 2n);
      const gone = await db
        .delete(posts)
        .where(eq(posts.replyTo, ODD + 2n))
        .returning({ id: posts.id });
      assert.deepEqual(gone, [{ id: post?.id }]);
      await close();
    });

    test("what is no ID is not written, and not asked for", async () => {
      const [db, close] = open();
      for (const [id, code] of [
        [-1n, "RANGE"],
        [1n << 63n, "OVERFLOW"],
        [5, "TYPE"],
        ["01", "NOT_CANONICAL"],
      ] as const) {
        await assert.rejects(async () => db.insert(users).values({ id: id as bigint }), isRefused(code));
        await assert.rejects(
          async () =>
            db
              .select()
              .from(users)
              .where(eq(users.id, id as bigint)),
          isRefused(code),
        );
      }
      await close();
    });
  });
}

test("a relational query gives rows as JSON: rounded IDs are refused, and parseJson keeps them whole", async () => {
  const rounded = overPg({ client: pool, schema });
  await rounded.delete(posts);
  await rounded.delete(users);
  await rounded.insert(users).values({ id: ODD, name: "a" });
  await rounded.insert(posts).values({ author: ODD });
  const question = { with: { posts: true } } as const;
  await assert.rejects(async () => rounded.query.users.findFirst(question), isRefused("TYPE"));
  // Drizzle's own column gives another ID.
  const plain = pgTable("posts", { id: text().primaryKey(), author: bigint({ mode: "bigint" }) });
  const withPlain = {
    users,
    plain,
    a: relations(users, (with_) => ({ plain: with_.many(plain) })),
    b: relations(plain, ({ one }) => ({
      of: one(users, { fields: [plain.author], references: [users.id] }),
    })),
  };
  const wrong = await overPg({ client: pool, schema: withPlain }).query.users.findFirst({
    with: { plain: true },
  });
  assert.notEqual(wrong?.plain[0]?.author, ODD);

  const types = {
    getTypeParser: (oid: number, format?: "text") =>
      oid === 114 || oid === 3802 ? parseJson : pg.types.getTypeParser(oid, format),
  };
  const whole = new pg.Pool({ ...server.options, max: 1, types: types as never });
  pg.types.setTypeParser(114, parseJson);
  pg.types.setTypeParser(3802, parseJson);
  const found = await overPg({ client: whole, schema }).query.users.findFirst(question);
  assert.deepEqual([found?.id, found?.posts[0]?.author], [ODD, ODD]);
  await whole.end();
});

test("the guide", async () => {
  const { host, port, user } = server.options;
  await pool.query("CREATE DATABASE guide");
  const env = { DATABASE_URL: `postgres://${user}@${host}:${port}/guide` };
  await runGuide("drizzle.md", "postgres", { env, lines: 3 });
});
