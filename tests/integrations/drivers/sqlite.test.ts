/** Drivers and libraries on SQLite. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createClient } from "@libsql/client";
import { BigIntType, EntitySchema as MikroSchema } from "@mikro-orm/core";
import { MikroORM } from "@mikro-orm/sqlite";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaLibSql } from "@prisma/adapter-libsql";
import Database from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import knex from "knex";
import { SqliteDialect } from "kysely";
import { generate, roundTrip } from "../prisma/generate.ts";
import { runInBun } from "../support/bun.ts";
import { exactIntegers, project } from "../support/guide.ts";
import { DatabaseSync } from "../support/node-sqlite.ts";
import { pluck } from "../support/rows.ts";
import {
  closing,
  type Entities,
  throughKnex,
  throughKysely,
  throughMikroOrm,
  throughObjection,
  throughTypeorm,
} from "./orms.ts";
import { agreeWithPage } from "./page.ts";

const directory = mkdtempSync(join(tmpdir(), "graupel-sqlite-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const TABLE = "CREATE TABLE ids (id INTEGER PRIMARY KEY)";
let files = 0;
/** The path of a new file. */
const file = () => join(directory, `${files++}.db`);

/** Opens a new database with the table. */
function emptied(place = ":memory:") {
  const database = new Database(place);
  database.exec(TABLE);
  return database;
}

/** Knex, on a file with the table. */
function knexWith(options: object) {
  const filename = file();
  emptied(filename).close();
  return knex({ client: "better-sqlite3", connection: { filename }, useNullAsDefault: true, ...options });
}

const scope = { exactIntegers };

/** Prints the type and the digits of each ID. */
const IN_BUN = `
import { Database } from "bun:sqlite";
const { ids, line } = JSON.parse(process.argv[2]);
const database = new Database(":memory:");
database.exec(${JSON.stringify(TABLE)});
const insert = database.prepare("INSERT INTO ids VALUES (?)");
for (const id of ids) insert.run(BigInt(id));
const statement = database.prepare("SELECT id FROM ids ORDER BY id");
new Function("statement", line)(statement);
const found = statement.all();
console.log(JSON.stringify(found.map(({ id }) => [typeof id, String(id)])));
`;

agreeWithPage("SQLite", {
  "`better-sqlite3`": {
    async roundTrip(ids, { prepare }) {
      const database = emptied();
      const insert = database.prepare("INSERT INTO ids VALUES (?)");
      for (const id of ids) insert.run(id);
      const read = database.prepare("SELECT id FROM ids ORDER BY id").pluck();
      prepare?.(read);
      return read.all();
    },
  },
  "`node:sqlite`": {
    async roundTrip(ids, { prepare }) {
      const database = new DatabaseSync(":memory:");
      database.exec(TABLE);
      const insert = database.prepare("INSERT INTO ids VALUES (?)");
      for (const id of ids) insert.run(id);
      const read = database.prepare("SELECT id FROM ids ORDER BY id");
      prepare?.(read);
      return pluck(read.all());
    },
  },
  "`bun:sqlite`": {
    async roundTrip(ids, { line = "" }) {
      const program = join(directory, "program.mjs");
      writeFileSync(program, IN_BUN);
      const printed = await runInBun(program, JSON.stringify({ ids: ids.map(String), line }));
      const found = JSON.parse(printed) as [string, string][];
      return found.map(([type, digits]) => (type === "bigint" ? BigInt(digits) : Number(digits)));
    },
  },
  "`@libsql/client` (Turso)": {
    error: /cannot be safely represented/,
    async roundTrip(ids, { line = "SELECT id" }) {
      const client = createClient({ url: ":memory:" });
      await client.execute(TABLE);
      for (const id of ids) await client.execute({ sql: "INSERT INTO ids VALUES (?)", args: [id] });
      return (await client.execute(`${line} FROM ids ORDER BY id`)).rows.map((row) => row[0]);
    },
  },
  Kysely: {
    scope,
    async roundTrip(ids, { prepare }) {
      const database = emptied();
      prepare?.(database);
      return await throughKysely(new SqliteDialect({ database }), ids);
    },
  },
  Drizzle: {
    scope,
    async roundTrip(ids, { prepare }) {
      const client = emptied();
      prepare?.(client);
      const rows = sqliteTable("ids", { id: integer().primaryKey() });
      const db = drizzle({ client });
      const values = ids.map((id) => ({ id: id as unknown as number }));
      db.insert(rows).values(values).run();
      return pluck(db.select().from(rows).orderBy(rows.id).all());
    },
  },
  Knex: { scope, roundTrip: (ids, options) => throughKnex(knexWith(options), ids) },
  TypeORM: {
    scope,
    roundTrip(ids, options) {
      const database = { type: "better-sqlite3", database: file(), ...options } as const;
      return throughTypeorm(database, ids, { type: "integer" }, TABLE);
    },
  },
  Prisma: {
    roundTrip: (ids) => roundTrip("sqlite", new PrismaBetterSqlite3({ url: ":memory:" }), ids),
  },
  "Prisma, libSQL": {
    error: /cannot be safely represented/,
    roundTrip: (ids, options) =>
      roundTrip("sqlite", new PrismaLibSql({ url: `file:${file()}`, ...options }), ids),
  },
  MikroORM: {
    scope: { BigIntType },
    async roundTrip(ids, options) {
      const dbName = file();
      emptied(dbName).close();
      const open = (entities: Entities) => new MikroORM({ dbName, entities });
      return await throughMikroOrm(open, ids, { type: "bigint", ...options });
    },
  },
  Objection: { scope, roundTrip: (ids, options) => throughObjection(knexWith(options), ids) },
});

test("what the page says of MikroORM with defaultSafeIntegers()", async () => {
  const properties = { id: { primary: true, type: "bigint" } } as const;
  const rows = new MikroSchema<{ id: bigint }>({ name: "Row", properties });
  const opened = new MikroORM({ dbName: file(), entities: [rows] });
  await using orm = closing(opened, (orm) => orm.close());
  await orm.schema.create();
  assert.equal(await orm.em.fork().count(rows), 0);
  (await orm.em.getConnection().getNativeClient()).defaultSafeIntegers();
  await assert.rejects(orm.em.fork().count(rows), /BigInt/);
});

test("what the guide to Prisma says of other columns in libSQL", async () => {
  const options = 'provider = "prisma-client"\n output = "./client"\n importFileExtension = "ts"';
  const columns = "id BigInt @id\n at DateTime\n likes Int\n ratio Float\n isNew Boolean";
  await generate(
    "prisma-libsql",
    `generator client {\n ${options}\n}\n datasource db {\n provider = "sqlite"\n}\n model Dated {\n ${columns}\n}`,
  );
  const { PrismaClient } = await import(join(project, "prisma-libsql", "client", "client.ts"));
  const adapter = new PrismaLibSql({ url: `file:${file()}`, intMode: "bigint" });
  // biome-ignore lint/suspicious/noExplicitAny: the client is generated here
  await using prisma = closing<any>(new PrismaClient({ adapter }), (prisma) => prisma.$disconnect());
  await prisma.$executeRaw`CREATE TABLE Dated (id bigint NOT NULL PRIMARY KEY, at datetime, likes integer, ratio real, isNew boolean)`;
  const row = { id: 187354526518067201n, at: new Date(1e12), likes: 5, ratio: 2, isNew: true };
  assert.deepEqual({ ...(await prisma.dated.create({ data: row })) }, row);
  assert.equal(await prisma.dated.count(), 1);
  const { _sum: sum } = await prisma.dated.aggregate({ _sum: { likes: true, ratio: true } });
  assert.deepEqual({ ...sum }, { likes: 5, ratio: 2 });
});
