/**
 * Columns of public text IDs with each library: the program uses `usr_…`, and PostgreSQL stores the
 * integer.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { between, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { pgTable, text } from "drizzle-orm/pg-core";
import { sno, twitter } from "graupel";
import { pgId } from "graupel/drizzle";
import { type IdTables, idPlugin } from "graupel/kysely";
import { prefixed } from "graupel/prefixed";
import { sealed } from "graupel/sealed";
import { idAttribute } from "graupel/sequelize";
import { textFormat } from "graupel/text-format";
import { IdSubscriber, idColumn } from "graupel/typeorm";
import { Kysely, PostgresDialect } from "kysely";
import { DataTypes, Op, Sequelize } from "sequelize";
import { Between, DataSource, EntitySchema } from "typeorm";
import { isRefused } from "../support/rows.ts";
import { usePool } from "../support/servers.ts";

const users = textFormat(twitter, prefixed(twitter, "usr_"));
const codes = textFormat(twitter, sealed(twitter, { k1_: new Uint8Array(16).fill(7) }));
const logs = textFormat(sno, prefixed(sno, "log_"));
const userIds = users.generator({ datacenterId: 1, workerId: 5 });
const codeIds = codes.generator({ datacenterId: 1, workerId: 6 });
const logIds = logs.generator();

const server = usePool(3);
before(async () => {
  await server.started;
  await server.pool.query(
    `CREATE TABLE users (id bigint PRIMARY KEY, code bigint NOT NULL, name text NOT NULL);
     CREATE TABLE logs (id char(20) PRIMARY KEY, author bigint REFERENCES users)`,
  );
});

/** The values of a row that PostgreSQL has stored. */
async function stored(name: string): Promise<readonly unknown[]> {
  const { rows } = await server.pool.query(
    "SELECT users.id::text, code::text, logs.id AS log FROM users LEFT JOIN logs ON author = users.id WHERE name = $1",
    [name],
  );
  assert.equal(rows.length, 1);
  return [rows[0].id, rows[0].code, rows[0].log];
}

/** The expected values: integers, or texts for formats whose IDs are texts. */
const asStored = (id: string, code: string, log: string | null) => [
  String(users.toBigInt(id)),
  String(codes.toBigInt(code)),
  log,
];

test("drizzle", async () => {
  const db = drizzle({ client: server.pool });
  const usersTable = pgTable("users", {
    id: pgId(users, userIds)().primaryKey(),
    code: pgId(codes, codeIds)().notNull(),
    name: text().notNull(),
  });
  const logsTable = pgTable("logs", { id: pgId(logs, logIds)().primaryKey(), author: pgId(users)() });
  const [ada] = await db.insert(usersTable).values({ name: "drizzle" }).returning();
  assert.ok(ada);
  assert.match(ada.id, /^usr_\d+$/);
  assert.match(ada.code, /^k1_/);
  const [log] = await db.insert(logsTable).values({ author: ada.id }).returning();
  assert.match(log?.id ?? "", /^log_/);
  assert.deepEqual(await stored("drizzle"), asStored(ada.id, ada.code, log?.id ?? ""));
  const { min, max } = users.range(Date.now() - 60_000);
  for (const condition of [
    eq(usersTable.id, ada.id),
    eq(usersTable.code, ada.code),
    between(usersTable.id, min, max),
  ])
    assert.deepEqual(await db.select().from(usersTable).where(condition), [ada]);
  const bare = ada.id.slice(4);
  for (const bad of [bare, `ord_${bare}`, ada.code]) {
    assert.throws(() => db.select().from(usersTable).where(eq(usersTable.id, bad)).toSQL(), {
      name: "GraupelError",
    });
  }
  await db.delete(logsTable);
  await db.delete(usersTable);
});

test("kysely", async () => {
  interface Database {
    users: { id: string; code: string; name: string };
    logs: { id: string; author: string | null };
  }
  const tables: IdTables<Database> = {
    users: { id: { format: users, generator: userIds }, code: { format: codes, generator: codeIds } },
    logs: { id: { format: logs, generator: logIds }, author: users },
  };
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: server.pool }),
    plugins: [idPlugin(tables)],
  });
  const ada = await db
    .insertInto("users")
    .values({ name: "kysely" } as never)
    .returningAll()
    .executeTakeFirstOrThrow();
  assert.match(ada.id, /^usr_\d+$/);
  const log = await db
    .insertInto("logs")
    .values({ author: ada.id } as never)
    .returningAll()
    .executeTakeFirstOrThrow();
  assert.deepEqual(await stored("kysely"), asStored(ada.id, ada.code, log.id));
  const joined = await db
    .selectFrom("users")
    .innerJoin("logs", "author", "users.id")
    .select(["users.id", "code", "logs.id as log", "author"])
    .where("users.id", "in", [ada.id])
    .execute();
  assert.deepEqual(joined, [{ id: ada.id, code: ada.code, log: log.id, author: ada.id }]);
  await assert.rejects(
    async () => db.selectFrom("users").selectAll().where("id", "=", ada.id.slice(4)).execute(),
    { name: "GraupelError" },
  );
  await db.deleteFrom("logs").execute();
  await db.deleteFrom("users").execute();
});

test("sequelize", async () => {
  const db = new Sequelize({ dialect: "postgres", logging: false, ...server.orm });
  const without = { timestamps: false };
  const User = db.define(
    "users",
    {
      id: { ...idAttribute(users, userIds), primaryKey: true },
      code: { ...idAttribute(codes, codeIds) },
      name: DataTypes.TEXT,
    } as never,
    without,
  );
  const Log = db.define(
    "logs",
    { id: { ...idAttribute(logs, logIds), primaryKey: true }, author: idAttribute(users) } as never,
    without,
  );
  User.hasMany(Log, { foreignKey: { ...idAttribute(users), name: "author" } as never });
  const ada = await User.create({ name: "sequelize" });
  const [id, code] = [ada.get("id"), ada.get("code")] as string[] as [string, string];
  assert.match(id, /^usr_\d+$/);
  const log = await Log.create({ author: id });
  assert.deepEqual(await stored("sequelize"), asStored(id, code, log.get("id") as string));
  const { min, max } = users.range(Date.now() - 60_000);
  for (const where of [{ id }, { code }, { id: { [Op.between]: [min, max] } }]) {
    const [found] = await User.findAll({ where, include: Log });
    assert.deepEqual([found?.get("id"), found?.get("code")], [id, code]);
    const inside = found?.get("logs") as { get(name: string): unknown }[] | undefined;
    assert.deepEqual(
      inside?.map((one) => one.get("author")),
      [id],
    );
  }
  await ada.update({ name: "sequelize" });
  await assert.rejects(() => User.findAll({ where: { id: `ord_${id.slice(4)}` } }), { name: "GraupelError" });
  await Log.destroy({ where: {} });
  await User.destroy({ where: {} });
  await db.close();
});

test("typeorm, with relations", async () => {
  interface User {
    id: string;
    code: string;
    name: string;
    logs: Log[];
  }
  interface Log {
    id: string;
    author: User;
  }
  const Users = new EntitySchema<User>({
    name: "users",
    columns: {
      id: { primary: true, ...idColumn(users, userIds) },
      code: idColumn(codes, codeIds),
      name: { type: "text" },
    },
    relations: { logs: { type: "one-to-many", target: "logs", inverseSide: "author" } },
  });
  const Logs = new EntitySchema<Log>({
    name: "logs",
    columns: { id: { primary: true, ...idColumn(logs, logIds) } },
    relations: { author: { type: "many-to-one", target: "users", joinColumn: { name: "author" } } },
  });
  const source = await new DataSource({
    type: "postgres",
    ...server.orm,
    entities: [Users, Logs],
    subscribers: [IdSubscriber],
  }).initialize();
  const [u, l] = [source.getRepository(Users), source.getRepository(Logs)];
  const ada = await u.save({ name: "typeorm" });
  const id = (ada as User).id;
  assert.match(id, /^usr_\d+$/);
  const log = await l.save({ author: { id } as User });
  assert.deepEqual(await stored("typeorm"), asStored(id, (ada as User).code, log.id));
  const { min, max } = users.range(Date.now() - 60_000);
  for (const where of [{ id }, { code: (ada as User).code }, { id: Between(min, max) }]) {
    const found = await u.findOneOrFail({ where, relations: { logs: true } });
    assert.equal(found.id, id);
    assert.deepEqual(
      found.logs.map((one) => one.id),
      [log.id],
    );
  }
  const back = await l.findOneOrFail({ where: { author: { id } }, relations: { author: true } });
  assert.equal(back.author.id, id);
  // The key identifies the row, so it is updated and not inserted again.
  await u.save({ ...back.author, name: "typeorm" });
  assert.equal(await u.count(), 1);
  await assert.rejects(() => u.findOneBy({ id: id.slice(4) }), isRefused("CHARACTER"));
  await l.remove(back);
  await u.remove(await u.find());
  await source.destroy();
});
