/** What the extension does in every database. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { sno, snowflakeSI, twitter } from "graupel";
import { idExtension } from "graupel/prisma";
import { agree, ids, inChunks, isRefused, ODD, orders } from "../support/rows.ts";
import { type Database, generateFor, type More, tablesFor } from "./generate.ts";

// biome-ignore lint/suspicious/noExplicitAny: clients are generated when the tests run; types.test.ts checks their types
export type Client = any;

const START = Date.UTC(2025, 5, 1);
let calls = 0;
/** Eight IDs for each millisecond: rounding changes them. */
export const people = twitter.generator({
  datacenterId: 3,
  workerId: 7,
  clock: () => START + Math.floor(calls++ / 8),
});
const invoices = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
const many = ids();
/** Throws at the next call, if there is a reason. */
let failure: Error | undefined;
const failing = {
  next() {
    if (failure !== undefined) throw failure;
    return people.next();
  },
};
const person = { format: twitter, generator: people };

const extension = idExtension({
  Many: { id: { format: orders, generator: many } },
  User: { id: person, invitedBy: twitter },
  Profile: { id: person, userId: twitter },
  Post: { id: { format: twitter, generator: failing }, authorId: twitter },
  Tag: { id: { format: sno, generator: sno } },
  Member: { userId: twitter, groupId: twitter },
  Invoice: { id: { format: invoices, generator: invoices.generator({ machineId: 3 }) } },
});

/** A database. */
export interface Subject {
  readonly database: Database;
  /** What its schema has beside the common one. */
  readonly more?: More;
  /** What connects Prisma with it. */
  adapter(): Promise<unknown>;
}

/** All IDs in rows, and the rows inside them. */
function idsIn(row: unknown): unknown[] {
  if (Array.isArray(row)) return row.flatMap(idsIn);
  return Object.entries((row as object | null) ?? {}).flatMap(([key, value]) =>
    typeof value === "object" ? idsIn(value) : key === "id" ? [value] : [],
  );
}

/** Each is an ID of a busy millisecond, and none is there twice. */
function areWhole(found: readonly unknown[], length: number): void {
  assert.equal(found.length, length);
  assert.equal(new Set(found).size, length);
  for (const id of found) {
    assert.ok(typeof id === "string" ? sno.isValid(id) : twitter.inspect(id as bigint).workerId === 7);
  }
}

export function testExtension({ database, more, adapter }: Subject): () => Client {
  let plain: Client;
  let prisma: Client;
  before(async () => {
    const { PrismaClient } = await import(join(await generateFor(database, more), "client.ts"));
    plain = new PrismaClient({ adapter: await adapter() });
    prisma = plain.$extends(extension);
    for (const text of tablesFor(database)) await plain.$executeRawUnsafe(text);
  });

  /** Rows of all tables but `many`. */
  const rows = async () =>
    (
      await Promise.all([plain.user, plain.profile, plain.post, plain.tag].map((model) => model.count()))
    ).join();

  const user = (data: object = {}) => prisma.user.create({ data: { name: "Ada", ...data } });

  test("100,000 rows by default come back whole, and ranges count them", async () => {
    await inChunks((data) => prisma.many.createMany({ data }));
    const found = await prisma.many.findMany({ select: { id: true }, orderBy: { id: "asc" } });
    await agree(
      many.made,
      found.map(({ id }: { id: bigint }) => id),
      (min, max) => prisma.many.count({ where: { id: { gte: min, lte: max } } }),
    );
  });

  describe("every kind of write gives rows their IDs", () => {
    const all = { profile: true, posts: { include: { tags: true } }, groups: true, guests: true, host: true };

    test("create, with every write into relations", async () => {
      const guest = await user();
      const made = await prisma.user.create({
        data: {
          name: "Ada",
          profile: { create: { bio: "…" } },
          host: { create: { name: "Host", profile: { create: { bio: "…" } } } },
          guests: { connect: { id: guest.id } },
          groups: { create: [{ groupId: ODD, role: "admin" }] },
          posts: {
            create: [
              { title: "a", tags: { create: { name: "t1" } } },
              {
                title: "b",
                tags: {
                  create: [{ name: "t2" }, { name: "t3" }],
                  connectOrCreate: [
                    { where: { name: "t1" }, create: { name: "no" } },
                    { where: { name: "t4" }, create: { name: "t4" } },
                  ],
                },
              },
            ],
            createMany: { data: [{ title: "c" }, { title: "d" }] },
          },
        },
        include: { ...all, host: { include: { profile: true } } },
      });
      // Ada, her profile, her host and the host's profile, her guest, four posts, and four tags, one of which two posts have.
      const found = idsIn(made);
      assert.equal(found.length, 14);
      areWhole([...new Set(found)], 13);
      assert.equal(made.posts[0].authorId, made.id);
      assert.equal(made.groups[0].groupId, ODD);
      assert.ok(made.id < made.posts[0].id, "what is inside is younger");
    });

    test("createMany and upsert", async () => {
      const before = await prisma.user.count();
      assert.deepEqual(await prisma.user.createMany({ data: [{ name: "b" }, { name: "b" }] }), { count: 2 });
      await prisma.user.createMany({ data: { name: "b" } });
      const made = await prisma.user.findMany({ where: { name: "b" } });
      areWhole(idsIn(made), 3);
      const where = { id: people.next() };
      const [create, update] = [{ name: "c" }, { name: "d", posts: { create: { title: "e" } } }];
      const upserted = await prisma.user.upsert({ where, create, update });
      const id = upserted.id;
      assert.notEqual(id, where.id);
      const again = await prisma.user.upsert({ where: { id }, create, update, include: { posts: true } });
      assert.equal(again.name, "d");
      areWhole(idsIn(again), 2);
      assert.equal(await prisma.user.count(), before + 4);
    });

    test("update, with every write into relations", async () => {
      const { id } = await user({ posts: { create: { title: "a" } } });
      const [post] = await prisma.post.findMany({ where: { authorId: id } });
      const made = await prisma.user.update({
        where: { id },
        data: {
          profile: { upsert: { create: { bio: "new" }, update: { bio: "no" } } },
          host: { create: { name: "Host" } },
          posts: {
            create: { title: "b" },
            createMany: { data: [{ title: "c" }] },
            connectOrCreate: { where: { id: people.next() }, create: { title: "d" } },
            update: { where: { id: post.id }, data: { title: "z", tags: { create: { name: "u1" } } } },
            updateMany: { where: { id: post.id }, data: { title: "a" } },
            upsert: [
              {
                where: { id: people.next() },
                create: { title: "e", tags: { create: { name: "u2" } } },
                update: {},
              },
              {
                where: { id: post.id },
                create: { title: "no" },
                update: { tags: { connectOrCreate: { where: { name: "u3" }, create: { name: "u3" } } } },
              },
            ],
          },
        },
        include: all,
      });
      // The user, its profile and its host, five posts, three tags.
      areWhole(idsIn(made), 11);
      // Data of a relation to one row stands there itself, or as `data`.
      let tag = 0;
      const posts = () => ({ create: { title: "deep", tags: { create: { name: `deep${tag++}` } } } });
      for (const [update, length] of [
        [{ posts: posts(), profile: { create: { bio: "…" } } }, 4],
        [{ data: { posts: posts() } }, 6],
        [{ where: { name: "Host" }, data: { posts: posts() } }, 8],
      ] as const) {
        const include = { host: { include: { profile: true, posts: { include: { tags: true } } } } };
        const { host } = await prisma.user.update({ where: { id }, data: { host: { update } }, include });
        areWhole(idsIn(host), length);
      }
      const emptied = await prisma.user.update({
        where: { id },
        data: {
          profile: { delete: true },
          host: { disconnect: true },
          posts: {
            delete: { id: post.id },
            deleteMany: [{ id: { lt: made.id } }],
            disconnect: [{ id: made.posts.at(-1).id }],
          },
        },
        include: all,
      });
      assert.deepEqual([emptied.profile, emptied.host, emptied.posts.length], [null, null, 3]);
      const set = { posts: { set: [{ id: emptied.posts[0].id }] } };
      const kept = await prisma.user.update({ where: { id }, data: set, include: { posts: true } });
      assert.equal(kept.posts.length, 1);
    });

    test("an ID that is given stays, undefined is none, and the user's object is not changed", async () => {
      const id = people.next();
      assert.equal((await user({ id })).id, id);
      const text = `${people.next()}`;
      assert.equal((await user({ id: text })).id, BigInt(text));
      class Dto {
        name = "Dto";
        id = undefined;
        posts = { create: Object.freeze([Object.freeze({ title: "a" })]) };
      }
      const data = Object.freeze(new Dto());
      areWhole(idsIn(await prisma.user.create({ data, include: { posts: true } })), 2);
      assert.deepEqual({ ...data }, { name: "Dto", id: undefined, posts: { create: [{ title: "a" }] } });
    });

    test("the relation to a parent may be written with connect", async () => {
      const { id } = await user();
      const post = await prisma.post.create({ data: { title: "a", author: { connect: { id } } } });
      assert.equal(post.authorId, id);
      areWhole([post.id], 1);
    });
  });

  test("IDs of Snowflake-SI are bigints in rows", async () => {
    const { id } = await prisma.invoice.create({ data: {} });
    assert.equal(invoices.inspect(Number(id)).machineId, 3);
    for (const one of [id, Number(id)]) {
      assert.deepEqual(await prisma.invoice.findUnique({ where: { id: one } }), { id, note: null });
    }
    const where = { id: 2 ** 53 };
    await assert.rejects(async () => prisma.invoice.findUnique({ where }), isRefused("RANGE"));
  });

  describe("refusals", () => {
    const ROUNDED = Number(ODD);

    test("without the extension, Prisma takes rounded numbers, and the database refuses rows without IDs", async () => {
      const before = await rows();
      const none = { code: "P2011" };
      await assert.rejects(plain.user.create({ data: { name: "a" } }), none);
      await assert.rejects(plain.user.createMany({ data: [{ name: "a" }] }), none);
      await assert.rejects(plain.tag.create({ data: { name: "none" } }), none);
      const data = { id: people.next(), name: "a", posts: { create: { title: "a" } } };
      await assert.rejects(plain.user.create({ data }), none);
      assert.equal(await rows(), before);
      await plain.user.create({ data: { id: ROUNDED, name: "rounded" } });
      assert.deepEqual(await plain.user.deleteMany({ where: { id: ROUNDED } }), { count: 1 });
    });

    test("what is no ID is not written", async () => {
      const { id } = await user({ profile: { create: { bio: "…" } } });
      const before = await rows();
      const name = "no";
      for (const [wrong, code] of [
        [ROUNDED, "TYPE"],
        [5, "TYPE"],
        [-1n, "RANGE"],
        [1n << 63n, "OVERFLOW"],
        ["01", "NOT_CANONICAL"],
        [new Date(0), "TYPE"],
        [{ increment: 1 }, "TYPE"],
      ] as const) {
        const post = { title: "no", id: wrong };
        const where = { id };
        for (const write of [
          () => prisma.user.create({ data: { id: wrong, name } }),
          () => prisma.user.create({ data: { invitedBy: wrong, name } }),
          () => prisma.user.createMany({ data: [{ name }, { id: wrong, name }] }),
          () => prisma.user.upsert({ where: { id: people.next() }, create: { id: wrong, name }, update: {} }),
          () => prisma.user.upsert({ where, create: { name }, update: { id: wrong } }),
          () => prisma.user.update({ where, data: { id: wrong } }),
          () => prisma.user.update({ where, data: { id: { set: wrong } } }),
          () => prisma.user.updateMany({ where, data: { invitedBy: wrong } }),
          () => user({ posts: { create: [{ title: "no" }, post] } }),
          () => user({ posts: { createMany: { data: post } } }),
          () => user({ posts: { connectOrCreate: { where: { id: ODD }, create: post } } }),
          () => prisma.user.update({ where, data: { profile: { update: { userId: wrong } } } }),
          () => prisma.user.update({ where, data: { profile: { update: { userId: wrong, data: "a" } } } }),
          () => prisma.user.update({ where, data: { profile: { update: { data: { id: wrong } } } } }),
          () =>
            prisma.user.update({ where, data: { profile: { update: { where: {}, data: { id: wrong } } } } }),
          () => prisma.user.update({ where, data: { posts: { updateMany: { where: {}, data: post } } } }),
          () =>
            prisma.user.update({
              where,
              data: { posts: { upsert: { where: { id: ODD }, create: post, update: {} } } },
            }),
        ]) {
          await assert.rejects(async () => write(), isRefused(code), `${write} ${String(wrong)}`);
        }
      }
      await assert.rejects(async () => prisma.tag.create({ data: { id: "x", name } }), isRefused("LENGTH"));
      assert.equal(await rows(), before);
      assert.deepEqual(await prisma.user.findMany({ where: { name } }), []);
    });

    test("the error says where, and what", async () => {
      const write = () => user({ posts: { create: { title: "a", id: 5 } } });
      await assert.rejects(async () => write(), {
        name: "GraupelError",
        field: "Post.id",
        value: 5,
        message: /^Post\.id: /,
      });
    });

    test("what is no ID is not asked for", async () => {
      const { id } = await user({ posts: { create: { title: "a" } } });
      for (const ask of [
        () => prisma.user.findUnique({ where: { id: ROUNDED } }),
        () => prisma.user.findFirst({ where: { id: { equals: ROUNDED } } }),
        () => prisma.user.findMany({ where: { id: { in: [id, ROUNDED] } } }),
        () => prisma.user.findMany({ where: { id: { not: { gt: ROUNDED } } } }),
        () => prisma.user.findMany({ where: { OR: [{ name: "a" }, { NOT: { invitedBy: ROUNDED } }] } }),
        () => prisma.user.findMany({ where: { posts: { some: { id: ROUNDED } } } }),
        () => prisma.post.findMany({ where: { author: { id: ROUNDED } } }),
        () => prisma.post.findMany({ where: { author: { is: { profile: { userId: ROUNDED } } } } }),
        () => prisma.member.findUnique({ where: { userId_groupId: { userId: id, groupId: ROUNDED } } }),
        () => prisma.user.findMany({ cursor: { id: ROUNDED }, take: 1 }),
        () => prisma.user.findMany({ include: { posts: { where: { id: ROUNDED } } } }),
        () =>
          prisma.user.findMany({
            select: { posts: { select: { author: { select: { posts: { cursor: { id: ROUNDED } } } } } } },
          }),
        () => prisma.user.findMany({ select: { _count: { select: { posts: { where: { id: ROUNDED } } } } } }),
        () => prisma.user.findUnique({ where: { id } }).posts({ where: { id: ROUNDED } }),
        () => prisma.user.count({ where: { id: ROUNDED } }),
        () => prisma.user.aggregate({ where: { id: ROUNDED }, _count: true }),
        () => prisma.user.groupBy({ by: ["name"], having: { id: { _max: { gt: ROUNDED } } } }),
        () => prisma.user.deleteMany({ where: { id: { lte: ROUNDED } } }),
        () => prisma.user.delete({ where: { id: ROUNDED } }),
        () => prisma.user.update({ where: { id: ROUNDED }, data: { name: "a" } }),
        () => user({ guests: { connect: [{ id: ROUNDED }] } }),
        () => prisma.user.update({ where: { id }, data: { posts: { deleteMany: { id: ROUNDED } } } }),
        () => prisma.user.update({ where: { id }, data: { posts: { set: [{ id: ROUNDED }] } } }),
      ]) {
        await assert.rejects(async () => ask(), isRefused("TYPE"), `${ask}`);
      }
    });

    test("conditions without IDs, and with columns, reach Prisma as they are", async () => {
      const { id } = await user({ name: "Condition" });
      await prisma.user.update({ where: { id }, data: { invitedBy: { set: id } } });
      const { fields } = prisma.user;
      for (const where of [
        { id: { equals: fields.invitedBy } },
        { id, invitedBy: { not: null }, name: { startsWith: "Cond" } },
        { id: undefined, name: "Condition", posts: { none: {} }, profile: null },
        { AND: [{ id: `${id}` }, { host: { isNot: { id: ODD } } }] },
      ]) {
        assert.deepEqual(await prisma.user.findMany({ where, select: { id: true } }), [{ id }]);
      }
      await prisma.user.update({ where: { id }, data: { invitedBy: null } });
      const tag = await prisma.tag.create({ data: { name: "starts" } });
      const where = { id: { startsWith: tag.id.slice(0, 15) }, name: "starts" };
      assert.deepEqual(await prisma.tag.findMany({ where }), [tag]);
    });
  });

  test("rows that another extension adds get IDs, if that one is applied first", async () => {
    const welcome = {
      query: {
        user: {
          create: ({ args, query }: { args: { data: object }; query(args: object): unknown }) =>
            query({ ...args, data: { ...args.data, posts: { create: { title: "Welcome" } } } }),
        },
      },
    };
    const create = { data: { name: "a" }, include: { posts: true } };
    areWhole(idsIn(await plain.$extends(welcome).$extends(extension).user.create(create)), 2);
    const late = plain.$extends(extension).$extends(welcome).user.create(create);
    await assert.rejects(late, { code: "P2011" });
  });

  describe("transactions", () => {
    test("batches and interactive ones keep the extension, and come back together", async () => {
      const batch = await prisma.$transaction([user(), user({ posts: { create: { title: "a" } } }), user()]);
      areWhole(idsIn(batch), 3);
      const [inner, nested] = await prisma.$transaction(async (tx: Client) => [
        await tx.user.create({ data: { name: "tx" } }),
        await tx.user.create({
          data: { name: "tx", posts: { create: { title: "a" } } },
          include: { posts: true },
        }),
      ]);
      areWhole(idsIn([inner, nested]), 3);
      const before = await rows();
      const undone = prisma.$transaction(async (tx: Client) => {
        await tx.user.create({ data: { name: "tx" } });
        await tx.user.create({ data: { name: "tx", id: 5 } });
      });
      await assert.rejects(undone, isRefused("TYPE"));
      await assert.rejects(prisma.$transaction([user(), user({ id: 5 }), user()]), isRefused("TYPE"));
      assert.equal(await rows(), before);
    });

    test("the error of a generator reaches the caller, and nothing is written", async () => {
      const before = await rows();
      failure = new Error("no number now");
      const writes = () => [user(), user({ posts: { create: { title: "a" } } })];
      await assert.rejects(async () => writes()[1], { message: "no number now" });
      await assert.rejects(prisma.post.createMany({ data: [{ title: "a" }] }), { message: "no number now" });
      await assert.rejects(prisma.$transaction(writes()), { message: "no number now" });
      await assert.rejects(
        prisma.$transaction(async (tx: Client) => {
          await tx.user.create({ data: { name: "tx" } });
          await tx.post.create({ data: { title: "tx" } });
        }),
        { message: "no number now" },
      );
      failure = undefined;
      assert.equal(await rows(), before);
    });
  });

  test("results are whole: relations, aggregates, groups and raw queries", async () => {
    const { id } = await user({ name: "whole", profile: { create: { bio: "…" } } });
    const { profile } = await prisma.user.findUnique({ where: { id }, include: { profile: true } });
    assert.equal(profile.userId, id);
    assert.equal((await prisma.user.findUnique({ where: { id } }).profile()).userId, id);
    const where = { name: "whole" };
    const { _min, _max } = await prisma.user.aggregate({ where, _min: { id: true }, _max: { id: true } });
    assert.deepEqual([_min.id, _max.id], [id, id]);
    assert.deepEqual(await prisma.user.groupBy({ by: ["id"], where }), [{ id }]);
    const raw =
      await prisma.$queryRaw`SELECT id, (SELECT max(id) FROM users WHERE id = ${id}) AS m FROM users WHERE id = ${id}`;
    assert.deepEqual(raw, [{ id, m: id }]);
  });

  return () => ({ plain, prisma });
}
