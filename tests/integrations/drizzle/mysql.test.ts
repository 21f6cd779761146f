/** Drizzle columns in MariaDB, through `mysql2`. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { mysqlTable, text } from "drizzle-orm/mysql-core";
import { drizzle } from "drizzle-orm/mysql2";
import { discord } from "graupel";
import { mysqlId } from "graupel/drizzle";
import mysql from "mysql2/promise";
import { isRefused, ODD, pluck } from "../support/rows.ts";
import { useMariadb } from "../support/servers.ts";
import { isFirst, TABLES, testStories } from "./common.ts";

const server = useMariadb(() => pool?.end());
let pool: mysql.Pool;
before(async () => {
  await server.started;
  pool = mysql.createPool({ ...server.options, connectionLimit: 3, supportBigNumbers: true });
  for (const text of TABLES) await pool.query(text);
  await pool.query("CREATE TABLE messages (id bigint unsigned PRIMARY KEY)");
});

const messages = mysqlTable("messages", { id: mysqlId(discord)().primaryKey() });

testStories(mysqlTable, mysqlId, text, () => drizzle({ client: pool }));

test("IDs above 2^63", async () => {
  const db = drizzle({ client: pool });
  const made = [ODD, discord.range(Date.UTC(2100, 0, 1)).min + 5n, discord.range().max];
  await db.insert(messages).values(made.map((id) => ({ id })));
  assert.deepEqual(pluck(await db.select().from(messages).orderBy(messages.id)), made);
});

test("without the setting, a rounded ID is rejected, or Drizzle 1 returns the whole ID", async () => {
  const rounding = mysql.createPool({ ...server.options, connectionLimit: 1 });
  const found = async () => drizzle({ client: rounding }).select().from(messages);
  if (isFirst) assert.equal((await found()).length, 3);
  else await assert.rejects(found, isRefused("TYPE"));
  await rounding.end();
});
