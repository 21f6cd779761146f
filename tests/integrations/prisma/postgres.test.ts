/** The Prisma extension in PostgreSQL, through `pg`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PrismaPg } from "@prisma/adapter-pg";
import { twitter } from "graupel";
import { idExtension } from "graupel/prisma";
import { root } from "../../js/support/places.ts";
import { runGuide } from "../support/guide.ts";
import { isRefused, ODD, refuses } from "../support/rows.ts";
import { usePostgres } from "../support/servers.ts";
import { people } from "./clients.ts";
import { testExtension } from "./common.ts";
import { generate, generateFor, isBefore7 } from "./generate.ts";

const WATCH = "model Watch {\n id BigInt @id @default(dbgenerated())\n users BigInt[]\n}";

const server = usePostgres(() => clients.plain?.$disconnect());
const clients = testExtension({
  database: "postgresql",
  more: {
    features: isBefore7 ? [] : ["relationJoins"],
    models: WATCH,
  },
  async adapter() {
    await server.started;
    return new PrismaPg(server.options);
  },
});

test("joins of relations return whole IDs, or are rejected", async () => {
  const { prisma } = clients;
  if (isBefore7) {
    const more = { generator: "prisma-client-js", features: ["relationJoins"], models: WATCH } as const;
    const { PrismaClient } = await import(join(await generateFor("postgresql", more), "index.js"));
    const rounding = new PrismaClient({ adapter: new PrismaPg(server.options) });
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

test("lists of IDs", async () => {
  await clients.plain.$executeRawUnsafe(`CREATE TABLE "Watch" (id bigint PRIMARY KEY, users bigint[])`);
  const fields = { Watch: { id: { format: twitter, generator: people }, users: twitter } };
  const prisma = clients.plain.$extends(idExtension(fields));
  const { id } = await prisma.watch.create({ data: { users: [ODD] } });
  await prisma.watch.create({ data: { users: { set: [ODD, ODD + 1n] } } });
  const { users } = await prisma.watch.update({ where: { id }, data: { users: { push: [ODD + 2n] } } });
  assert.deepEqual(users, [ODD, ODD + 2n]);
  assert.equal(await prisma.watch.count({ where: { users: { has: ODD } } }), 2);
  assert.equal(await prisma.watch.count({ where: { users: { hasEvery: [ODD, ODD + 2n] } } }), 1);
  const create = (users: unknown) => () => prisma.watch.create({ data: { users } });
  const count = (users: unknown) => () => prisma.watch.count({ where: { users } });
  const push = () => prisma.watch.update({ where: { id }, data: { users: { push: 5 } } });
  const conditions = [{ has: 5 }, { hasSome: [ODD, 5] }, { equals: [5] }].map(count);
  await refuses("TYPE", create([ODD, 5]), create({ set: [5] }), push, ...conditions);
});

test("the guide", async () => {
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
