/** The Prisma extension in SQLite, through `better-sqlite3`. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as adapters from "@prisma/adapter-better-sqlite3";
import { sno, snowflakeSI, twitter } from "graupel";
import { idExtension } from "graupel/prisma";
import { isRefused } from "../support/rows.ts";
import type { Client } from "./clients.ts";
import { testExtension } from "./common.ts";

/** Prisma 6 spells the name differently. */
const { PrismaBetterSqlite3 = (adapters as Client).PrismaBetterSQLite3 } = adapters;
const directory = mkdtempSync(join(tmpdir(), "graupel-prisma-"));

const clients = testExtension({
  database: "sqlite",
  adapter: async () => new PrismaBetterSqlite3({ url: `file:${join(directory, "test.db")}` }),
});
after(async () => {
  await clients.plain?.$disconnect();
  rmSync(directory, { recursive: true, force: true });
});

test("RETURNING returns whole IDs", async () => {
  const { prisma } = clients;
  const data = [{ name: "returned" }, { name: "returned" }];
  const made = await prisma.user.createManyAndReturn({ data });
  assert.ok(made.every(({ id }: Client) => twitter.inspect(id).workerId === 7));
  const where = { name: "returned" };
  assert.deepEqual(await prisma.user.updateManyAndReturn({ where, data: where }), made);
  const late = prisma.user.createManyAndReturn({ data: [...data, { name: "a", id: 5 }] });
  await assert.rejects(late, isRefused("TYPE"));
});

test("fields that cannot hold the IDs, or are not in the schema, are rejected before the first query", async () => {
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
  const ids = [source, null, { format: "twitter" }, { format: {}, generator: source }];
  const wrong = [...ids, { format: twitter, generator: {} }].map((id) => ({ User: { id } }));
  for (const [fields, code] of [
    ...[null, { User: undefined }, ...wrong].map((fields) => [fields, "TYPE"] as const),
    [{ User: { id: { format: twitter, generate: source } } }, "UNKNOWN_OPTION"] as const,
  ]) {
    assert.throws(() => idExtension(fields as never), isRefused(code));
  }
  for (const client of [undefined, null, {}, { $extends: () => {} }, { _runtimeDataModel: { models: {} } }]) {
    assert.throws(() => idExtension({})(client as object), isRefused("TYPE"));
  }
});

test("an ID of another format from a generator is rejected", async () => {
  const generator = { next: () => "brpk4q72xwf2m63l" };
  const prisma = clients.plain.$extends(idExtension({ User: { id: { format: twitter, generator } } }));
  await assert.rejects(prisma.user.create({ data: { name: "a" } }), isRefused("CHARACTER"));
});

test("versions whose joins round IDs are rejected if the preview is on", () => {
  const client = (version: string, activeProvider: string, more: object = {}) => ({
    _runtimeDataModel: { models: {} },
    _clientVersion: version,
    _engineConfig: { activeProvider, previewFeatures: ["relationJoins"], compilerWasm: {}, ...more },
    $extends: () => "extended",
  });
  const all = ["postgresql", "mysql", "cockroachdb"];
  for (const [version, rounding] of Object.entries<readonly string[]>({
    ...{ "6.8.2": [], "6.9.0": all, "6.19.3": all, "7.0.0": all, "7.2.0": all },
    ...{ "7.3.0": all.slice(1), "7.4.0": [], "7.10.0": [] },
  })) {
    for (const provider of ["postgresql", "mysql", "cockroachdb", "sqlite", "sqlserver"]) {
      const extend = (more?: object) => idExtension({})(client(version, provider, more));
      if (rounding.includes(provider)) assert.throws(() => extend(), isRefused("PEER"));
      else assert.equal(extend(), "extended", `${version} ${provider}`);
      // The Rust engine does not round, and neither do queries without joins.
      assert.equal(extend({ compilerWasm: undefined }), "extended");
      assert.equal(extend({ previewFeatures: [] }), "extended");
    }
  }
});

test("the text of a schema shows keys and references, in every form that Prisma accepts", async () => {
  const inlineSchema = `
model User {
  id    BigInt @id
  code  BigInt @unique
  posts Post[]
}
/// The key of User  @id
model   Post {
  id       BigInt  @id // views
  authorId BigInt  @map("author")
  author   User?   @relation(name: "a[b]", onDelete: Cascade, references: [id], fields: [authorId], map: "fk[id]")
  codeOf   BigInt
  byCode   User    @relation("x", fields: [codeOf], references: [code])
  views    BigInt

  @@index(fields: [views])
}
model Like {
  userId BigInt
  postId BigInt
  post   Post @relation(fields: [userId, postId], references: [authorId, id])
  at     BigInt
  on     BigInt
  // @@id([on])

  @@id(fields: [at, userId], name: "both")
}
`;
  const typed = (type: string, ...names: string[]) => names.map((name) => ({ name, type }));
  const keys = typed("BigInt", "id", "authorId", "codeOf", "views");
  const models = {
    User: { fields: typed("BigInt", "id", "code") },
    Post: { fields: [...keys, ...typed("User", "author", "byCode")] },
    Like: { fields: typed("BigInt", "userId", "postId", "at", "on") },
  };
  const extended = idExtension({ User: { id: twitter, code: twitter }, Post: { id: twitter } })({
    _runtimeDataModel: { models },
    _engineConfig: { inlineSchema },
    $extends: ({ query }: Client) => query.$allModels,
  } as never) as Client;
  const codeOf = async (model: string, key: string, value: unknown) => {
    const args = { data: { [key]: value } };
    const given = { model, operation: "create", args, query: (args: object) => args };
    return extended.$allOperations(given).then(
      () => undefined,
      (error: Client) => error.code,
    );
  };
  for (const [model, key, ofNegative, ofRounded] of [
    ["User", "code", "RANGE", "TYPE"],
    ["Post", "authorId", "RANGE", "TYPE"],
    ["Post", "codeOf", "RANGE", "TYPE"],
    ["Like", "userId", "RANGE", "TYPE"],
    ["Like", "postId", "RANGE", "TYPE"],
    ["Like", "at", undefined, "TYPE"],
    ["Like", "on", undefined, undefined],
    ["Post", "views", undefined, undefined],
  ] as const) {
    const codes = [await codeOf(model, key, -1n), await codeOf(model, key, 2 ** 60)];
    assert.deepEqual(codes, [ofNegative, ofRounded], `${model}.${key}`);
  }
});
