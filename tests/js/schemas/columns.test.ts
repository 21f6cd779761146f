/**
 * The values that each adapter passes to a driver: IDs in the format's type, so that drivers
 * without BigInt get safe numbers.
 */
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
import { prefixed } from "graupel/prefixed";
import { type IdFields, idExtension } from "graupel/prisma";
import { idAttribute } from "graupel/sequelize";
import { textFormat } from "graupel/text-format";
import { idColumn } from "graupel/typeorm";
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { MADE_UP } from "../support/made-up.ts";

const tickets = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
const users = textFormat(twitter, prefixed(twitter, "usr_"));
const logs = textFormat(sno, prefixed(sno, "log_"));
const NAMED: Readonly<Record<string, AnyFormat>> = {
  tickets,
  "tickets.text": tickets.text,
  "a narrow layout": snowflakeSI({ epoch: Date.UTC(2024, 0, 1), machineBits: 1 }),
  twitter,
  "twitter.text": twitter.text,
  discord,
  sno,
  ulidFlake,
  "usr_, as .text": users,
  "log_, as .text": logs,
  ...MADE_UP,
};

const isText = (format: AnyFormat) => format.columnType === "string";

/** The value that the driver gets for an ID, by adapter. */
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
      for (const integer of [5_000_000_001n, format.toBigInt(format.range().max as never)]) {
        // MongoDB has no larger integers.
        if (adapter === "mongoose" && integer >= 2n ** 63n) continue;
        const id = format.fromBigInt(integer);
        const whole = format.name === "snowflake-si" ? Number(integer) : integer;
        // Prisma's integer fields are always BigInt; PostgreSQL drivers take text.
        const others = { prisma: integer, "drizzle, PostgreSQL": `${integer}` } as Record<string, unknown>;
        const expected = isText(format) ? id : (others[adapter] ?? whole);
        assert.deepEqual(await sent(format, id), expected);
        assert.deepEqual(await sent(format, format.format(id as never)), expected);
      }
    });
  }
}

test("columns have the types of the IDs, also of fictional formats and of text formats", () => {
  const types: Record<string, (format: AnyFormat) => string> = {
    postgres: (format) => pgTable("t", { id: pgId(format)() }).id.getSQLType(),
    mysql: (format) => mysqlTable("t", { id: mysqlId(format)() }).id.getSQLType(),
    sqlite: (format) => sqliteTable("t", { id: sqliteId(format)() }).id.getSQLType(),
    typeorm(format) {
      const { type, length, unsigned } = idColumn(format);
      return `${type}${length ? `(${length})` : ""}${unsigned ? " unsigned" : ""}`;
    },
  };
  const found = Object.entries(types).map(([name, typeOf]) => [
    name,
    [...Object.values(MADE_UP), logs, users].map((format) => typeOf(format as never)),
  ]);
  assert.deepEqual(Object.fromEntries(found), {
    postgres: ["char(13)", "bigint", "bigint", "bigint", "char(20)", "bigint"],
    mysql: ["char(13)", "bigint unsigned", "bigint", "bigint", "char(20)", "bigint"],
    sqlite: ["text", "integer", "integer", "integer", "text", "integer"],
    typeorm: ["varchar(13)", "bigint unsigned", "bigint", "bigint", "varchar(20)", "bigint"],
  });
  const { "hexadecimal digits": hexed, "all 64 bits": loud, "a text form": tide } = MADE_UP;
  assert.throws(() => idColumn(hexed.text as never), /hexed, not its text/);
  for (const format of [loud, tide]) idColumn(format.text as never);
  assert.equal(pgTable("t", { id: pgId(users)() }).id.mapFromDriverValue("5" as never), "usr_5");
});

test("values that cannot become text are rejected", async () => {
  const throwing = { toString: () => assert.fail("asked for its text") };
  for (const format of [tickets, twitter, sno] as readonly AnyFormat[]) {
    for (const value of [Symbol("x"), throwing, Object.create(null), [5n]]) {
      for (const [adapter, sent] of Object.entries(SENT)) {
        // For several IDs, Kysely and TypeORM accept a list. Prisma accepts an object of operators,
        // and Mongoose passes objects on.
        if (/kysely|prisma|mongoose/.test(adapter) && typeof value === "object") continue;
        if (adapter === "typeorm" && Array.isArray(value)) continue;
        await assert.rejects(async () => sent(format, value), { name: "GraupelError" }, adapter);
      }
      const { id } = pgTable("t", { id: pgId(format)() });
      assert.throws(() => id.mapFromDriverValue(value as never), { name: "GraupelError", code: "TYPE" });
    }
  }
});

test("SQLite's error for a rounded number names the formats that work without BigInt", () => {
  assert.throws(
    () => sqliteTable("t", { id: sqliteId(twitter)() }).id.mapFromDriverValue(2 ** 60),
    /the driver has rounded it .* in D1 and Durable Objects, use Snowflake-SI or sno.*\[TYPE\]$/,
  );
});

test("drizzle-zod has the types of the IDs", () => {
  const pg = { id: pgId(twitter)().primaryKey(), log: pgId(sno, sno)().notNull(), si: pgId(tickets)() };
  const mysql = {
    id: mysqlId(twitter)().primaryKey(),
    log: mysqlId(sno, sno)().notNull(),
    si: mysqlId(tickets)(),
  };
  const sqlite = {
    ...{ id: sqliteId(twitter)().primaryKey(), log: sqliteId(sno, sno)().notNull() },
    si: sqliteId(tickets)(),
  };
  const tables = [pgTable("t", pg), mysqlTable("t", mysql), sqliteTable("t", sqlite)];
  for (const table of tables as unknown as [ReturnType<typeof pgTable<"t", typeof pg>>]) {
    const insert = createInsertSchema(table);
    assert.deepEqual(insert.parse({ id: 5n, si: null }), { id: 5n, si: null });
    const row = { id: 5n, log: sno.next(), si: 5 };
    assert.deepEqual(createSelectSchema(table).parse(row), row);
    for (const wrong of [{ id: 5 }, { id: null }, { log: 5n }, { si: "5" }]) {
      assert.equal(insert.safeParse({ ...row, ...wrong }).success, false);
    }
  }
  const lists = createInsertSchema(pgTable("t", { ids: pgId(twitter)().array().notNull() }));
  const isTaken = (ids: unknown) => lists.safeParse({ ids }).success;
  assert.deepEqual([isTaken([5n]), isTaken([5])], [true, false]);
});
