/** The extension of Prisma in SQLite, through `better-sqlite3`. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { sno, snowflakeSI, twitter } from "graupel";
import { idExtension } from "graupel/prisma";
import { isRefused } from "../support/rows.ts";
import type { Client } from "./clients.ts";
import { testExtension } from "./common.ts";

const directory = mkdtempSync(join(tmpdir(), "graupel-prisma-"));

const clients = testExtension({
  database: "sqlite",
  adapter: async () => new PrismaBetterSqlite3({ url: `file:${join(directory, "test.db")}` }),
});
after(async () => {
  await clients.plain?.$disconnect();
  rmSync(directory, { recursive: true, force: true });
});

test("RETURNING gives whole IDs", async () => {
  const { prisma } = clients;
  const data = [{ name: "returned" }, { name: "returned" }];
  const made = await prisma.user.createManyAndReturn({ data });
  assert.ok(made.every(({ id }: Client) => twitter.inspect(id).workerId === 7));
  const where = { name: "returned" };
  assert.deepEqual(await prisma.user.updateManyAndReturn({ where, data: where }), made);
  const late = prisma.user.createManyAndReturn({ data: [...data, { name: "a", id: 5 }] });
  await assert.rejects(late, isRefused("TYPE"));
});

test("fields that cannot hold the IDs, and what the schema does not have, are refused before the first query", async () => {
  const { plain } = clients;
  const si = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
  for (const [fields, code, field] of [
    [{ Uzer: { id: twitter } }, "UNKNOWN_OPTION", "Uzer"],
    [{ constructor: { id: twitter } }, "UNKNOWN_OPTION", "constructor"],
    [{ User: { ident: twitter } }, "UNKNOWN_FIELD", "User.ident"],
    [{ User: { name: twitter } }, "TYPE", "User.name"],
    [{ User: { posts: twitter } }, "TYPE", "User.posts"],
    [{ User: { id: sno } }, "TYPE", "User.id"],
    [{ Tag: { id: si } }, "TYPE", "Tag.id"],
  ] as const) {
    const extended = idExtension(fields as object as Parameters<typeof idExtension>[0]);
    assert.throws(
      () => plain.$extends(extended),
      (error: Client) => isRefused(code)(error) && error.field === field,
    );
  }
  const source = twitter.generator({ datacenterId: 0, workerId: 1 });
  for (const [fields, code] of [
    [null, "TYPE"],
    [{ User: undefined }, "TYPE"],
    [{ User: { id: source } }, "TYPE"],
    [{ User: { id: null } }, "TYPE"],
    [{ User: { id: { format: "twitter" } } }, "TYPE"],
    [{ User: { id: { format: {}, generator: source } } }, "TYPE"],
    [{ User: { id: { format: twitter, generator: {} } } }, "TYPE"],
    [{ User: { id: { format: twitter, generate: source } } }, "UNKNOWN_OPTION"],
  ] as const) {
    assert.throws(() => idExtension(fields as never), isRefused(code));
  }
  for (const client of [undefined, null, {}, { $extends: () => {} }, { _runtimeDataModel: { models: {} } }]) {
    assert.throws(() => idExtension({})(client as object), isRefused("TYPE"));
  }
});

test("what a generator of another format makes is refused", async () => {
  const generator = { next: () => "brpk4q72xwf2m63l" };
  const prisma = clients.plain.$extends(idExtension({ User: { id: { format: twitter, generator } } }));
  await assert.rejects(prisma.user.create({ data: { name: "a" } }), isRefused("CHARACTER"));
});

test("a column INTEGER PRIMARY KEY makes numbers of its own", async () => {
  const { plain } = clients;
  await plain.$executeRawUnsafe("DROP TABLE invoices");
  await plain.$executeRawUnsafe("CREATE TABLE invoices (id INTEGER PRIMARY KEY, note text)");
  assert.deepEqual(await plain.invoice.create({ data: {} }), { id: 1n, note: null });
});
