/** The Kysely plugin in MariaDB, through `mysql2`. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { discord } from "graupel";
import { idPlugin } from "graupel/kysely";
import { type Generated, Kysely, MysqlDialect, sql } from "kysely";
import { jsonBuildObject, jsonObjectFrom } from "kysely/helpers/mysql";
import { createPool } from "mysql2";
import { gives, isRefused, ODD, pluck, refuses } from "../support/rows.ts";
import { useMariadb } from "../support/servers.ts";
import { nested, nests, readsByPosition, streams } from "./capabilities.ts";
import { behavesAsEverywhere, type Database, insertOne, plugin, users } from "./common.ts";

const server = useMariadb(() => db?.destroy());
let db: Kysely<Database>;

/** The dialect with options for `mysql2`. */
const dialect = (options: object) =>
  new MysqlDialect({ pool: createPool({ ...server.options, ...options, connectionLimit: 3 }) });

before(async () => {
  await server.started;
  db = new Kysely<Database>({ dialect: dialect({ supportBigNumbers: true }), plugins: [plugin()] });
  for (const table of [
    "many (id bigint PRIMARY KEY, note text)",
    "users (id bigint PRIMARY KEY, name text, invited_by bigint)",
    "posts (id char(16) PRIMARY KEY, author bigint, title text)",
    "messages (id bigint unsigned PRIMARY KEY, text text)",
  ]) {
    await sql`create table ${sql.raw(table)}`.execute(db);
  }
});

behavesAsEverywhere(() => db);
readsByPosition(() => db);
streams(() => db);

const helpers = { jsonObjectFrom, jsonBuildObject };
nests(() => db, helpers);

test("nested rows that mysql2 returns as texts are whole", async () => {
  await insertOne(db);
  const texts = new Kysely<Database>({ dialect: dialect({ jsonStrings: true }), plugins: [plugin()] });
  assert.deepEqual(await nested(texts, helpers), await nested(db, helpers));
  await texts.destroy();
});

test("without the setting, an ID that mysql2 has rounded is rejected", async () => {
  const rounding = new Kysely<Database>({ dialect: dialect({}), plugins: [plugin()] });
  await users(rounding, { id: ODD }).execute();
  await assert.rejects(rounding.selectFrom("users").selectAll().execute(), isRefused("TYPE"));
  await assert.rejects(nested(rounding, helpers), isRefused("TYPE"));
  await rounding.destroy();
});

test("replace, on duplicate key, insert ignore", async () => {
  await db.replaceInto("users").values({ name: "new", invited_by: null }).execute();
  const { id } = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
  const again = (invited_by: bigint) => users(db, { id, name: "again" }).onDuplicateKeyUpdate({ invited_by });
  await again(ODD).execute();
  await users(db, { id, name: "not" }).ignore().execute();
  await gives(db.selectFrom("users").selectAll(), [{ id, name: "new", invited_by: ODD }]);
  await refuses("RANGE", again(-1n));
});

test("the server reports no `insertId` for a generated ID", async () =>
  assert.equal((await users(db, {}).executeTakeFirstOrThrow()).insertId, undefined));

test("IDs above 2^63", async () => {
  interface Messages {
    messages: { id: Generated<bigint>; text: string };
  }
  const messages = new Kysely<Messages>({
    dialect: dialect({ supportBigNumbers: true }),
    plugins: [idPlugin<Messages>({ messages: { id: discord } })],
  });
  const made = [ODD, discord.range(Date.UTC(2100, 0, 1)).min + 5n, discord.range().max];
  const rows = made.map((id) => ({ id, text: "" }));
  await messages.insertInto("messages").values(rows).execute();
  const query = messages.selectFrom("messages").select("id").where("id", ">", 5n).orderBy("id");
  assert.deepEqual(pluck(await query.execute()), made);
  await messages.destroy();
});
