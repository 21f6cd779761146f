/** Columns of Drizzle in MariaDB, through `mysql2`. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { between, count, eq, sql } from "drizzle-orm";
import { mysqlTable, text, varchar } from "drizzle-orm/mysql-core";
import { drizzle } from "drizzle-orm/mysql2";
import { discord, sno } from "graupel";
import { mysqlId } from "graupel/drizzle";
import mysql from "mysql2/promise";
import { agree, ids, inChunks, isRefused, ODD, orders } from "../support/rows.ts";
import { startMariadb } from "../support/servers.ts";
import { EVENTS, isFirst, testGaps } from "./common.ts";

let server: Awaited<ReturnType<typeof startMariadb>>;
let pool: mysql.Pool;
before(async () => {
  server = await startMariadb();
  pool = mysql.createPool({ ...server.options, connectionLimit: 3, supportBigNumbers: true });
  await pool.query("CREATE TABLE many (id bigint PRIMARY KEY, note text)");
  await pool.query(EVENTS);
  await pool.query("CREATE TABLE messages (id bigint unsigned PRIMARY KEY, log char(16))");
});
after(async () => {
  await pool?.end();
  await server?.stop();
});

const source = ids();
const many = mysqlTable("many", { id: mysqlId(orders, source)().primaryKey(), note: text() });
const messages = mysqlTable("messages", { id: mysqlId(discord)().primaryKey(), log: mysqlId(sno, sno)() });

test("100,000 rows by default come back whole, and ranges count them", async () => {
  const db = drizzle({ client: pool });
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

test("insert, where, update, and IDs above 2^63", async () => {
  const db = drizzle({ client: pool });
  const late = discord.range(Date.UTC(2100, 0, 1)).min + 5n;
  await db.insert(messages).values([{ id: ODD }, { id: late }, { id: discord.range().max }]);
  const found = await db.select().from(messages).orderBy(messages.id);
  assert.deepEqual(
    found.map(({ id }) => id),
    [ODD, late, discord.range().max],
  );
  assert.ok(found.every(({ log }) => sno.isValid(log)));
  await db.update(messages).set({ log: "brpk4q72xwf2m63l" }).where(eq(messages.id, late));
  assert.deepEqual(await db.select().from(messages).where(eq(messages.log, "brpk4q72xwf2m63l")), [
    { id: late, log: "brpk4q72xwf2m63l" },
  ]);
  await assert.rejects(async () => db.insert(messages).values({ id: -1n }), isRefused("RANGE"));
});

test("without the setting, what mysql2 rounds is refused, or comes as text", async () => {
  const rounding = mysql.createPool({ ...server.options, connectionLimit: 1 });
  const found = async () => drizzle({ client: rounding }).select().from(messages);
  if (isFirst) assert.equal((await found()).length, 3);
  else await assert.rejects(found, isRefused("TYPE"));
  await rounding.end();
});

test("not checked: `$returningId()` of an insert that finds a row", async () => {
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
