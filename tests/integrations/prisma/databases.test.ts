/** The Prisma extension: the tests of every database, and those that only some have. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { discord, sno, snowflakeSI, twitter } from "graupel";
import { idExtension } from "graupel/prisma";
import { root } from "../../js/support/places.ts";
import { runGuide } from "../support/guide.ts";
import { isRefused, ODD, pluck, refuses } from "../support/rows.ts";
import { testIn } from "../support/servers.ts";
import { adapter, type Client, LISTS, people, plain, prisma, server } from "./clients.ts";
import { generate, generateFor, isBefore7 } from "./generate.ts";
import "./writes.ts";

testIn("mysql")("IDs above 2^63 in an unsigned column", async () => {
  const prisma = plain.$extends(idExtension({ Message: { id: discord } }));
  const ids = [discord.range(Date.UTC(2100, 0, 1)).min + 5n, discord.range().max];
  const write = () => prisma.message.createMany({ data: ids.map((id) => ({ id })) });
  if (isBefore7) return assert.rejects(write, /Could not convert argument value/);
  await write();
  const found = await prisma.message.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } });
  assert.deepEqual(pluck(found), ids);
});

testIn("postgres")("joins of relations return whole IDs, or are rejected", async () => {
  if (isBefore7) {
    const more = { generator: "prisma-client-js", features: ["relationJoins"], models: LISTS } as const;
    const { PrismaClient } = await import(join(await generateFor("postgres", more), "index.js"));
    const rounding = new PrismaClient({ adapter: adapter() });
    assert.throws(() => rounding.$extends(idExtension({})), isRefused("PEER"));
    const { id } = await prisma.user.create({ data: { name: "joined", posts: { create: { title: "a" } } } });
    const { posts } = await rounding.user.findUnique({ where: { id }, include: { posts: true } });
    assert.notEqual(posts[0].authorId, id);
    return rounding.$disconnect();
  }
  const posts = { create: [{ title: "a" }, { title: "b", tags: { create: { name: "joined" } } }] };
  const include = { posts: { include: { tags: true, author: true } }, profile: true };
  const data = { name: "joined", posts, profile: { create: { bio: "…" } } };
  const made = await prisma.user.create({ data, include });
  for (const relationLoadStrategy of ["join", "query"]) {
    const found = await prisma.user.findUnique({ where: { id: made.id }, include, relationLoadStrategy });
    assert.deepEqual(found, made);
    assert.equal(found.posts[1].author.id, made.id);
  }
});

testIn("postgres")("lists of IDs", async () => {
  await plain.$executeRawUnsafe(`CREATE TABLE "Watch" (id bigint PRIMARY KEY, users bigint[])`);
  const fields = { Watch: { id: { format: twitter, generator: people }, users: twitter } };
  const watching = plain.$extends(idExtension(fields));
  const { id } = await watching.watch.create({ data: { users: [ODD] } });
  await watching.watch.create({ data: { users: { set: [ODD, ODD + 1n] } } });
  const { users } = await watching.watch.update({ where: { id }, data: { users: { push: [ODD + 2n] } } });
  assert.deepEqual(users, [ODD, ODD + 2n]);
  assert.equal(await watching.watch.count({ where: { users: { has: ODD } } }), 2);
  assert.equal(await watching.watch.count({ where: { users: { hasEvery: [ODD, ODD + 2n] } } }), 1);
  const create = (users: unknown) => () => watching.watch.create({ data: { users } });
  const count = (users: unknown) => () => watching.watch.count({ where: { users } });
  const push = () => watching.watch.update({ where: { id }, data: { users: { push: 5 } } });
  const conditions = [{ has: 5 }, { hasSome: [ODD, 5] }, { equals: [5] }].map(count);
  await refuses("TYPE", create([ODD, 5]), create({ set: [5] }), push, ...conditions);
});

testIn("postgres")("the guide", async () => {
  const page = readFileSync(join(root, "www", "docs", "prisma.md"), "utf8");
  const block = (kind: string) =>
    new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1] ?? assert.fail(kind);
  const schema = block("prisma");
  // Prisma 6 requires a URL, and the client without its Rust engine.
  await generate(
    "prisma",
    isBefore7
      ? schema
          .replace('provider = "postgresql"', 'provider = "postgresql"\n  url = "not used"')
          .replace("importFileExtension", 'engineType = "client"\n  importFileExtension')
      : schema,
  );
  const { env } = await server.create("guide", block("sql"));
  await runGuide("prisma.md", "postgres", { env, lines: 4 });
});

testIn("sqlite")("RETURNING returns whole IDs", async () => {
  const data = [{ name: "returned" }, { name: "returned" }];
  const made = await prisma.user.createManyAndReturn({ data });
  assert.ok(made.every(({ id }: Client) => twitter.inspect(id).workerId === 7));
  const where = { name: "returned" };
  assert.deepEqual(await prisma.user.updateManyAndReturn({ where, data: where }), made);
  const late = prisma.user.createManyAndReturn({ data: [...data, { name: "a", id: 5 }] });
  await assert.rejects(late, isRefused("TYPE"));
});

testIn("sqlite")(
  "fields that cannot hold the IDs, or are not in the schema, are rejected before the first query",
  async () => {
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
    for (const client of [
      undefined,
      null,
      {},
      { $extends: () => {} },
      { _runtimeDataModel: { models: {} } },
    ]) {
      assert.throws(() => idExtension({})(client as object), isRefused("TYPE"));
    }
  },
);

testIn("sqlite")("an ID of another format from a generator is rejected", async () => {
  const generator = { next: () => "brpk4q72xwf2m63l" };
  const wrong = plain.$extends(idExtension({ User: { id: { format: twitter, generator } } }));
  await assert.rejects(wrong.user.create({ data: { name: "a" } }), isRefused("CHARACTER"));
});

testIn("sqlite")("versions whose joins round IDs are rejected if the preview is on", () => {
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

testIn("sqlite")(
  "the text of a schema shows keys and references, in every form that Prisma accepts",
  async () => {
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
  },
);
