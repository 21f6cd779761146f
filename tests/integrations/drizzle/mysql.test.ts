/** Drizzle columns in MariaDB, through `mysql2`. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { eq, sql } from "drizzle-orm";
import { mysqlTable, text, varchar } from "drizzle-orm/mysql-core";
import { drizzle } from "drizzle-orm/mysql2";
import { discord } from "graupel";
import { mysqlId } from "graupel/drizzle";
import mysql from "mysql2/promise";
import { isRefused, ODD, orders, pluck } from "../support/rows.ts";
import { useMariadb } from "../support/servers.ts";
import { EVENTS, isFirst, source, TABLES, testGaps, testStories } from "./common.ts";

const server = useMariadb(() => pool?.end());
let pool: mysql.Pool;
before(async () => {
  await server.started;
  pool = mysql.createPool({ ...server.options, connectionLimit: 3, supportBigNumbers: true });
  for (const text of [...TABLES, EVENTS]) await pool.query(text);
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

test("without the setting, what mysql2 rounds is refused, or comes as text", async () => {
  const rounding = mysql.createPool({ ...server.options, connectionLimit: 1 });
  const found = async () => drizzle({ client: rounding }).select().from(messages);
  if (isFirst) assert.equal((await found()).length, 3);
  else await assert.rejects(found, isRefused("TYPE"));
  await rounding.end();
});

test("not checked: `$returningId()` of an insert whose row already exists", async () => {
  const db = drizzle({ client: pool });
  await pool.query("CREATE TABLE people (id bigint PRIMARY KEY, email varchar(50) UNIQUE)");
  const email = varchar({ length: 50 });
  const people = mysqlTable("people", { id: mysqlId(orders, source)().primaryKey(), email: email.unique() });
  const row = { email: "old" };
  const read = () => db.select({ id: people.id }).from(people).where(eq(people.email, "old"));
  const [made] = await db.insert(people).values(row).$returningId();
  const found = await read();
  assert.deepEqual([made], found);
  assert.notDeepEqual(await db.insert(people).ignore().values(row).$returningId(), found);
  const updated = db.insert(people).values(row);
  await assert.rejects(async () => updated.onDuplicateKeyUpdate({ set: { email: "new" } }).$returningId());
  assert.deepEqual(await db.select().from(people), [{ ...found[0], email: "new" }]);
  await db.update(people).set(row);
  assert.deepEqual(await read(), found);
});

test("not checked: rows of SQL, which mysql2 rounds without the setting", async () => {
  const rounding = mysql.createPool({ ...server.options, connectionLimit: 1 });
  const db = drizzle({ client: rounding });
  await pool.query("CREATE TABLE large (id bigint)");
  await pool.query(`INSERT INTO large VALUES (${ODD})`);
  const large = mysqlTable("large", { id: mysqlId(orders)() });
  const read = async (client: mysql.Pool) => {
    const [rows] = await drizzle({ client }).execute(sql`SELECT id FROM large`);
    return orders.fromBigInt(BigInt((rows as unknown as { id: string }[])[0]?.id as string));
  };
  assert.equal(await read(rounding), BigInt(Number(ODD)));
  assert.equal(await read(pool), ODD);
  const [largest] = await db.select({ id: sql`max(${large.id})` }).from(large);
  assert.equal(largest?.id, Number(ODD));
  await rounding.end();
});

testGaps(mysqlTable, mysqlId, { note: text() }, () => {
  const db = drizzle({ client: pool });
  return { db, rows: async (statement) => (await db.execute(statement))[0] };
});
