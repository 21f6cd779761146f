/** What each adapter hands to a driver: IDs as the format has them, so that safe numbers reach drivers that take no BigInt. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mysqlTable } from "drizzle-orm/mysql-core";
import { pgTable } from "drizzle-orm/pg-core";
import { sqliteTable } from "drizzle-orm/sqlite-core";
import { createInsertSchema, createSelectSchema } from "drizzle-zod";
import { type AnyFormat, discord, sno, snowflakeSI, twitter, ulidFlake } from "graupel";
import { mysqlId, pgId, sqliteId } from "graupel/drizzle";
import { idPlugin } from "graupel/kysely";
import { idPath } from "graupel/mongoose";
import { type IdFields, idExtension } from "graupel/prisma";
import { idAttribute } from "graupel/sequelize";
import { idColumn } from "graupel/typeorm";
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { MADE_UP } from "../support/made-up.ts";

const tickets = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
const NAMED: Readonly<Record<string, AnyFormat>> = {
  tickets,
  "tickets.text": tickets.text,
  "a narrow layout": snowflakeSI({ epoch: Date.UTC(2024, 0, 1), machineBits: 1 }),
  twitter,
  "twitter.text": twitter.text,
  discord,
  sno,
  ulidFlake,
  ...MADE_UP,
};

const isText = (format: AnyFormat) => format === sno || format === ulidFlake || format.name === "tide";

/** What the driver gets for an ID, by adapter. */
const SENT: Readonly<Record<string, (format: AnyFormat, id: unknown) => unknown>> = {
  "drizzle, PostgreSQL": (format, id) =>
    pgTable("t", { id: pgId(format)() }).id.mapToDriverValue(id as never),
  "drizzle, MySQL": (format, id) =>
    mysqlTable("t", { id: mysqlId(format)() }).id.mapToDriverValue(id as never),
  "drizzle, SQLite": (format, id) =>
    sqliteTable("t", { id: sqliteId(format)() }).id.mapToDriverValue(id as never),
  kysely(format, id) {
    const dialect = {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    };
    const db = new Kysely<{ t: { id: unknown } }>({ dialect, plugins: [idPlugin({ t: { id: format } })] });
    return db.selectFrom("t").selectAll().where("id", "=", id).compile().parameters[0];
  },
  mongoose: (format, id) => idPath(format).set(id),
  async prisma(format, id) {
    type Operation = (given: object) => Promise<{ readonly where: { readonly id: unknown } }>;
    const type = isText(format) ? "String" : "BigInt";
    const client = {
      _runtimeDataModel: { models: { T: { fields: [{ name: "id", type }] } } },
      $extends: ({ query }: { query: { $allModels: { $allOperations: Operation } } }) => query.$allModels,
    };
    const fields: IdFields = { T: { id: format } };
    const { $allOperations } = idExtension(fields)(client) as unknown as { $allOperations: Operation };
    const query = (args: unknown) => args;
    const asked = { model: "T", operation: "findUnique", args: { where: { id } }, query };
    return (await $allOperations(asked)).where.id;
  },
  sequelize(format, id) {
    const sent: unknown[] = [];
    idAttribute(format).type.bindParam(id, { bindParam: (value) => `$${sent.push(value)}` });
    return sent[0];
  },
  typeorm: (format, id) => idColumn(format).transformer.to(id),
};

for (const [adapter, sent] of Object.entries(SENT)) {
  for (const [name, format] of Object.entries(NAMED)) {
    // Mongoose has no path for decimal texts.
    if (adapter === "mongoose" && name.endsWith(".text")) continue;
    test(`${adapter}: ${name}`, async () => {
      const integer = 5_000_000_001n;
      const id = format.fromBigInt(integer);
      const whole = format.name === "snowflake-si" ? Number(integer) : integer;
      // Prisma's fields of integers are BigInt alone; drivers of PostgreSQL take text.
      const expected = isText(format)
        ? id
        : adapter === "prisma"
          ? integer
          : adapter === "drizzle, PostgreSQL"
            ? `${integer}`
            : whole;
      assert.deepEqual(await sent(format, id), expected);
      assert.deepEqual(await sent(format, format.format(id)), expected);
    });
  }
}

test("what is no format is refused before anything is asked of it", () => {
  const columns: readonly unknown[] = [mysqlId, pgId, sqliteId, idPath, idAttribute, idColumn];
  for (const column of columns as readonly ((format: unknown) => unknown)[])
    for (const wrong of [0, {}, undefined])
      assert.throws(() => column(wrong), { name: "GraupelError", code: "TYPE" });
});

test("what cannot become text is refused like anything else that is no ID", async () => {
  const throwing = { toString: () => assert.fail("asked for its text") };
  for (const format of [tickets, twitter, sno] as readonly AnyFormat[]) {
    for (const value of [Symbol("x"), throwing, Object.create(null), [5n]]) {
      for (const [adapter, sent] of Object.entries(SENT)) {
        // Kysely and TypeORM take a list for several IDs, Prisma an object for operators, and Mongoose hands objects on.
        if (/kysely|prisma|mongoose/.test(adapter) && typeof value === "object") continue;
        if (adapter === "typeorm" && Array.isArray(value)) continue;
        await assert.rejects(async () => sent(format, value), { name: "GraupelError" }, adapter);
      }
      const { id } = pgTable("t", { id: pgId(format)() });
      assert.throws(() => id.mapFromDriverValue(value as never), { name: "GraupelError", code: "TYPE" });
    }
  }
});

test("a rounded number: what is said of SQLite names what works without BigInt", () => {
  assert.throws(
    () => sqliteTable("t", { id: sqliteId(twitter)() }).id.mapFromDriverValue(2 ** 60),
    /the driver has rounded it .* in D1 and Durable Objects, use Snowflake-SI or sno.*\[TYPE\]$/,
  );
});

test("drizzle-zod makes schemas of the IDs' own types", () => {
  const tables = [
    pgTable("t", { id: pgId(twitter)().primaryKey(), log: pgId(sno, sno)().notNull(), si: pgId(tickets)() }),
    mysqlTable("t", {
      id: mysqlId(twitter)().primaryKey(),
      log: mysqlId(sno, sno)().notNull(),
      si: mysqlId(tickets)(),
    }),
    sqliteTable("t", {
      id: sqliteId(twitter)().primaryKey(),
      log: sqliteId(sno, sno)().notNull(),
      si: sqliteId(tickets)(),
    }),
  ];
  for (const table of tables) {
    const insert = createInsertSchema(table);
    assert.deepEqual(insert.parse({ id: 5n, si: null }), { id: 5n, si: null });
    const row = { id: 5n, log: sno.next(), si: 5 };
    assert.deepEqual(createSelectSchema(table).parse(row), row);
    for (const wrong of [{ id: 5 }, { id: null }, { log: 5n }, { si: "5" }]) {
      assert.equal(insert.safeParse({ ...row, ...wrong }).success, false);
    }
  }
  const lists = pgTable("t", { ids: pgId(twitter)().array().notNull() });
  assert.deepEqual(
    [[5n], [5]].map((ids) => createInsertSchema(lists).safeParse({ ids }).success),
    [true, false],
  );
});
