/** The plugin for Kysely in MariaDB, through `mysql2`. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { discord } from "graupel";
import { idPlugin } from "graupel/kysely";
import { type Generated, Kysely, MysqlDialect } from "kysely";
import { jsonBuildObject, jsonObjectFrom } from "kysely/helpers/mysql";
import { createPool } from "mysql2";
import { isRefused, ODD } from "../support/rows.ts";
import { startMariadb } from "../support/servers.ts";
import { behavesAsEverywhere, type Database, plugin } from "./common.ts";
import { expressions, streams } from "./expressions.ts";

let server: Awaited<ReturnType<typeof startMariadb>>;
let db: Kysely<Database>;

/** The dialect, with options of `mysql2`. */
const dialect = (options: object) =>
  new MysqlDialect({ pool: createPool({ ...server.options, ...options, connectionLimit: 3 }) });

before(async () => {
  server = await startMariadb();
  db = new Kysely<Database>({ dialect: dialect({ supportBigNumbers: true }), plugins: [plugin()] });
  const { schema } = db;
  await schema
    .createTable("many")
    .addColumn("id", "bigint", (id) => id.primaryKey())
    .addColumn("note", "text")
    .execute();
  await schema
    .createTable("users")
    .addColumn("id", "bigint", (id) => id.primaryKey())
    .addColumn("name", "text")
    .addColumn("invited_by", "bigint")
    .execute();
  await schema
    .createTable("posts")
    .addColumn("id", "char(16)", (id) => id.primaryKey())
    .addColumn("author", "bigint")
    .addColumn("title", "text")
    .execute();
});
after(async () => {
  await db?.destroy();
  await server?.stop();
});

behavesAsEverywhere(() => db);
describe("expressions", () => expressions(() => db));
streams(() => db);

const nested = (on: Kysely<Database>) =>
  on
    .selectFrom("users")
    .select((eb) => [
      // Not jsonArrayFrom: its cast to JSON is no SQL of MariaDB.
      jsonObjectFrom(eb.selectFrom("users as u").select(["u.id", "u.invited_by as by"])).as("user"),
      jsonBuildObject({ id: eb.ref("users.id"), name: eb.ref("users.name") }).as("self"),
    ])
    .execute();

test("rows inside of rows", async () => {
  await db
    .insertInto("users")
    .values({ id: ODD, name: "a", invited_by: ODD + 1n })
    .execute();
  const whole = [{ user: { id: ODD, by: ODD + 1n }, self: { id: ODD, name: "a" } }];
  assert.deepEqual(await nested(db), whole);
  const texts = new Kysely<Database>({ dialect: dialect({ jsonStrings: true }), plugins: [plugin()] });
  assert.deepEqual(await nested(texts), whole);
  await texts.destroy();
});

test("without the setting, what mysql2 rounds is refused", async () => {
  const rounding = new Kysely<Database>({ dialect: dialect({}), plugins: [plugin()] });
  await rounding.insertInto("users").values({ id: ODD, name: "a", invited_by: null }).execute();
  await assert.rejects(rounding.selectFrom("users").selectAll().execute(), isRefused("TYPE"));
  await assert.rejects(nested(rounding), isRefused("TYPE"));
  await rounding.destroy();
});

test("replace, on duplicate key, insert ignore", async () => {
  await db.replaceInto("users").values({ name: "new", invited_by: null }).execute();
  const { id } = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
  await db
    .insertInto("users")
    .values({ id, name: "again", invited_by: null })
    .onDuplicateKeyUpdate({ invited_by: ODD })
    .execute();
  await db.insertInto("users").ignore().values({ id, name: "not", invited_by: null }).execute();
  assert.deepEqual(await db.selectFrom("users").selectAll().execute(), [
    { id, name: "new", invited_by: ODD },
  ]);
  await assert.rejects(
    async () =>
      db
        .insertInto("users")
        .values({ id, name: "again", invited_by: null })
        .onDuplicateKeyUpdate({ invited_by: -1n })
        .execute(),
    isRefused("RANGE"),
  );
});

test("the server says nothing of an ID that it has not made", async () => {
  const inserted = await db
    .insertInto("users")
    .values({ name: "a", invited_by: null })
    .executeTakeFirstOrThrow();
  assert.equal(inserted.insertId, undefined);
});

test("IDs above 2^63", async () => {
  interface Messages {
    messages: { id: Generated<bigint>; text: string };
  }
  const messages = new Kysely<Messages>({
    dialect: dialect({ supportBigNumbers: true }),
    plugins: [idPlugin<Messages>({ messages: { id: discord } })],
  });
  await messages.schema
    .createTable("messages")
    .addColumn("id", "bigint", (id) => id.unsigned().primaryKey())
    .addColumn("text", "text")
    .execute();
  const made = [ODD, discord.range(Date.UTC(2100, 0, 1)).min + 5n, discord.range().max];
  await messages
    .insertInto("messages")
    .values(made.map((id) => ({ id, text: "" })))
    .execute();
  const found = await messages
    .selectFrom("messages")
    .select("id")
    .where("id", ">", 5n)
    .orderBy("id")
    .execute();
  assert.deepEqual(
    found.map(({ id }) => id),
    made,
  );
  await messages.destroy();
});
