/** Tests of the Prisma extension for every database. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { sno, twitter } from "graupel";
import { holdsIds, isRefused, NO_IDS, ODD, pluck, refuses } from "../support/rows.ts";
import { type Client, Clients, extension, failing, invoices, many, people } from "./clients.ts";
import type { Database, More } from "./generate.ts";

/** All IDs in rows and in their nested rows. */
function idsIn(row: unknown): unknown[] {
  if (Array.isArray(row)) return row.flatMap(idsIn);
  return Object.entries((row as object | null) ?? {}).flatMap(([key, value]) =>
    typeof value === "object" ? idsIn(value) : key === "id" ? [value] : [],
  );
}

/** Checks that each value is an ID from a busy millisecond, and that none repeats. */
function areWhole(found: readonly unknown[], length: number): void {
  assert.equal(found.length, length);
  assert.equal(new Set(found).size, length);
  for (const id of found) {
    assert.ok(typeof id === "string" ? sno.isValid(id) : twitter.inspect(id as bigint).workerId === 7);
  }
}

/** A rounded ID. */
const ROUNDED = Number(ODD);

/** A database under test. */
export interface Subject {
  readonly database: Database;
  /** The database's additions to the common schema. */
  readonly more?: More;
  /** Creates Prisma's driver adapter for it. */
  adapter(): Promise<unknown>;
}

export function testExtension({ database, more, adapter }: Subject): Clients {
  const clients = new Clients();
  before(async () => clients.open(database, more, await adapter()));

  const user: Clients["user"] = (data) => clients.user(data);

  holdsIds(() => {
    const { many: table } = clients.prisma;
    const orderBy = { id: "asc" };
    return {
      source: many,
      insert: (data) => table.createMany({ data }),
      all: () => table.findMany({ orderBy }),
      find: (...ids) => table.findMany({ where: { id: ids.length === 1 ? ids[0] : { in: ids } }, orderBy }),
      count: (min, max) => table.count({ where: { id: { gte: min, lte: max } } }),
      rename: (id, note) => table.updateMany({ where: { id }, data: { note } }),
      remove: (...ids) => table.deleteMany({ where: { id: { in: ids } } }),
    };
  });

  describe("every kind of write generates IDs", () => {
    const all = { profile: true, posts: { include: { tags: true } }, groups: true, guests: true, host: true };

    test("create, with every write into relations", async () => {
      const { prisma } = clients;
      const guest = await user();
      const [t2, t3, t4] = ["t2", "t3", "t4"].map((name) => ({ name }));
      const [no, t1] = [{ name: "no" }, { name: "t1" }];
      const connectOrCreate = [
        { where: t1, create: no },
        { where: t4, create: t4 },
      ];
      const made = await prisma.user.create({
        data: {
          name: "Ada",
          profile: { create: { bio: "…" } },
          host: { create: { name: "Host", profile: { create: { bio: "…" } } } },
          guests: { connect: { id: guest.id } },
          groups: { create: [{ groupId: ODD, role: "admin" }] },
          posts: {
            create: [
              { title: "a", tags: { create: t1 } },
              { title: "b", tags: { create: [t2, t3], connectOrCreate } },
            ],
            createMany: { data: [{ title: "c" }, { title: "d" }] },
          },
        },
        include: { ...all, host: { include: { profile: true } } },
      });
      // Ada, her profile, her host and the host's profile, her guest, four posts, and four tags,
      // one of which is shared by two posts.
      const found = idsIn(made);
      assert.equal(found.length, 14);
      areWhole([...new Set(found)], 13);
      assert.equal(made.posts[0].authorId, made.id);
      assert.equal(made.groups[0].groupId, ODD);
      assert.ok(made.id < made.posts[0].id, "what is inside is younger");
    });

    test("createMany and upsert", async () => {
      const { prisma } = clients;
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
      const { prisma } = clients;
      const { id } = await user({ posts: { create: { title: "a" } } });
      const [post] = await prisma.post.findMany({ where: { authorId: id } });
      const [u1, u2, u3] = ["u1", "u2", "u3"].map((name) => ({ name }));
      const [where, other] = [{ id: post.id }, () => ({ id: people.next() })];
      const made = await prisma.user.update({
        where: { id },
        data: {
          profile: { upsert: { create: { bio: "new" }, update: { bio: "no" } } },
          host: { create: { name: "Host" } },
          posts: {
            create: { title: "b" },
            createMany: { data: [{ title: "c" }] },
            connectOrCreate: { where: other(), create: { title: "d" } },
            update: { where, data: { title: "z", tags: { create: u1 } } },
            updateMany: { where, data: { title: "a" } },
            upsert: [
              { where: other(), create: { title: "e", tags: { create: u2 } }, update: {} },
              {
                ...{ where, create: { title: "no" } },
                update: { tags: { connectOrCreate: { where: u3, create: u3 } } },
              },
            ],
          },
        },
        include: all,
      });
      // The user, the profile and the host, five posts, three tags.
      areWhole(idsIn(made), 11);
      // Data for a to-one relation are given directly or as `data`.
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
      const removed = { delete: where, deleteMany: [{ id: { lt: made.id } }] };
      const fewer = { ...removed, disconnect: [{ id: made.posts.at(-1).id }] };
      const gone = { profile: { delete: true }, host: { disconnect: true }, posts: fewer };
      const emptied = await prisma.user.update({ where: { id }, data: gone, include: all });
      assert.deepEqual([emptied.profile, emptied.host, emptied.posts.length], [null, null, 3]);
      const set = { posts: { set: [{ id: emptied.posts[0].id }] } };
      const kept = await prisma.user.update({ where: { id }, data: set, include: { posts: true } });
      assert.equal(kept.posts.length, 1);
    });

    test("Prisma rejects null, and the user's object is not changed", async () => {
      const { prisma } = clients;
      await assert.rejects(async () => user({ id: null }), { name: "PrismaClientValidationError" });
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
      const { prisma } = clients;
      const { id } = await user();
      const post = await prisma.post.create({ data: { title: "a", author: { connect: { id } } } });
      assert.equal(post.authorId, id);
      areWhole([post.id], 1);
    });
  });

  test("IDs of Snowflake-SI are bigints in rows", async () => {
    const { prisma } = clients;
    const { id } = await prisma.invoice.create({ data: {} });
    assert.equal(invoices.inspect(Number(id)).machineId, 3);
    for (const one of [id, Number(id)]) {
      assert.deepEqual(await prisma.invoice.findUnique({ where: { id: one } }), { id, note: null });
    }
    await refuses("RANGE", () => prisma.invoice.findUnique({ where: { id: 2 ** 53 } }));
  });

  test("invalid IDs are not written", async () => {
    const { prisma } = clients;
    const { id } = await user({ profile: { create: { bio: "…" } } });
    const before = await clients.rows();
    const name = "no";
    for (const [wrong, code] of [...NO_IDS, [new Date(0), "TYPE"], [{ increment: 1 }, "TYPE"]] as const) {
      const post = { title: "no", id: wrong };
      const where = { id };
      const create = (data: object) => () => prisma.user.create({ data: { name, ...data } });
      const update = (data: object) => () => prisma.user.update({ where, data });
      const profile = (change: object) => update({ profile: { update: change } });
      const upsert = { where: { id: ODD }, create: post, update: {} };
      await refuses(
        code,
        create({ id: wrong }),
        create({ invitedBy: wrong }),
        create({ posts: { create: [{ title: "no" }, post] } }),
        create({ posts: { createMany: { data: post } } }),
        create({ posts: { connectOrCreate: { where: { id: ODD }, create: post } } }),
        () => prisma.user.upsert({ where: { id: people.next() }, create: { id: wrong, name }, update: {} }),
        () => prisma.user.upsert({ where, create: { name }, update: { id: wrong } }),
        () => prisma.user.updateMany({ where, data: { invitedBy: wrong } }),
        update({ id: wrong }),
        update({ id: { set: wrong } }),
        profile({ userId: wrong }),
        profile({ userId: wrong, data: "a" }),
        profile({ data: { id: wrong } }),
        profile({ where: {}, data: { id: wrong } }),
        update({ posts: { updateMany: { where: {}, data: post } } }),
        update({ posts: { upsert } }),
      );
    }
    await refuses("LENGTH", () => prisma.tag.create({ data: { id: "x", name } }));
    assert.equal(await clients.rows(), before);
    assert.deepEqual(await prisma.user.findMany({ where: { name } }), []);
  });

  test("rounded numbers are rejected for a key without a format", async () => {
    const { prisma, plain } = clients;
    await plain.message.create({ data: { id: BigInt(ROUNDED) } });
    await refuses(
      "TYPE",
      () => prisma.message.findUnique({ where: { id: ROUNDED } }),
      () => prisma.message.create({ data: { id: ROUNDED } }),
      () => prisma.message.updateMany({ where: { id: { in: [5n, ROUNDED] } }, data: {} }),
      () => prisma.member.deleteMany({ where: { groupId: { gt: ROUNDED } } }),
      () => user({ groups: { create: { groupId: ROUNDED, role: "no" } } }),
    );
    for (const id of [5, 6n, "7"]) await prisma.message.create({ data: { id } });
    await prisma.message.updateMany({ where: { id: 7 }, data: { id: { increment: 1 } } });
    const where = { id: { lt: 100 } };
    const found = await prisma.message.findMany({ where, orderBy: { id: "asc" } });
    assert.deepEqual(pluck(found), [5n, 6n, 8n]);
    await prisma.message.deleteMany();
  });

  test("the error has the field and the value", async () => {
    const write = () => user({ posts: { create: { title: "a", id: 5 } } });
    const said = { name: "GraupelError", field: "Post.id", value: 5, message: /^Post\.id: / };
    await assert.rejects(async () => write(), said);
  });

  test("invalid IDs are rejected in queries", async () => {
    const { prisma } = clients;
    const { id } = await user({ posts: { create: { title: "a" } } });
    const deep = { posts: { select: { author: { select: { posts: { cursor: { id: ROUNDED } } } } } } };
    const users = (where: object) => () => prisma.user.findMany({ where });
    const posts = (change: object) => () => prisma.user.update({ where: { id }, data: { posts: change } });
    await refuses(
      "TYPE",
      users({ id: { in: [id, ROUNDED] } }),
      users({ id: { not: { gt: ROUNDED } } }),
      users({ OR: [{ name: "a" }, { NOT: { invitedBy: ROUNDED } }] }),
      users({ posts: { some: { id: ROUNDED } } }),
      () => prisma.user.findUnique({ where: { id: ROUNDED } }),
      () => prisma.user.findFirst({ where: { id: { equals: ROUNDED } } }),
      () => prisma.post.findMany({ where: { author: { id: ROUNDED } } }),
      () => prisma.post.findMany({ where: { author: { is: { profile: { userId: ROUNDED } } } } }),
      () => prisma.member.findUnique({ where: { userId_groupId: { userId: id, groupId: ROUNDED } } }),
      () => prisma.user.findMany({ cursor: { id: ROUNDED }, take: 1 }),
      () => prisma.user.findMany({ include: { posts: { where: { id: ROUNDED } } } }),
      () => prisma.user.findMany({ select: deep }),
      () => prisma.user.findMany({ select: { _count: { select: { posts: { where: { id: ROUNDED } } } } } }),
      () => prisma.user.findUnique({ where: { id } }).posts({ where: { id: ROUNDED } }),
      () => prisma.user.aggregate({ where: { id: ROUNDED }, _count: true }),
      () => prisma.user.groupBy({ by: ["name"], having: { id: { _max: { gt: ROUNDED } } } }),
      () => prisma.user.delete({ where: { id: ROUNDED } }),
      () => prisma.user.update({ where: { id: ROUNDED }, data: { name: "a" } }),
      () => user({ guests: { connect: [{ id: ROUNDED }] } }),
      posts({ deleteMany: { id: ROUNDED } }),
      posts({ set: [{ id: ROUNDED }] }),
    );
  });

  test("conditions without IDs, and with columns, reach Prisma unchanged", async () => {
    const { prisma } = clients;
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

  test("rows that another extension adds get IDs if it is applied first", async () => {
    const { plain } = clients;
    type Given = { args: { data: object }; query(args: object): unknown };
    const posts = { create: { title: "Welcome" } };
    const withPosts = ({ args, query }: Given) => query({ ...args, data: { ...args.data, posts } });
    const welcome = { query: { user: { create: withPosts } } };
    const create = { data: { name: "a" }, include: { posts: true } };
    areWhole(idsIn(await plain.$extends(welcome).$extends(extension).user.create(create)), 2);
    const late = plain.$extends(extension).$extends(welcome).user.create(create);
    await assert.rejects(late, { code: "P2011" });
  });

  describe("transactions", () => {
    test("batches and interactive transactions use the extension, and roll back as a whole", async () => {
      const { prisma } = clients;
      const batch = await prisma.$transaction([user(), user({ posts: { create: { title: "a" } } }), user()]);
      areWhole(idsIn(batch), 3);
      const data = { name: "tx", posts: { create: { title: "a" } } };
      const [inner, nested] = await prisma.$transaction(async (tx: Client) => [
        await tx.user.create({ data: { name: "tx" } }),
        await tx.user.create({ data, include: { posts: true } }),
      ]);
      areWhole(idsIn([inner, nested]), 3);
      const before = await clients.rows();
      const undone = prisma.$transaction(async (tx: Client) => {
        await tx.user.create({ data: { name: "tx" } });
        await tx.user.create({ data: { name: "tx", id: 5 } });
      });
      await assert.rejects(undone, isRefused("TYPE"));
      await assert.rejects(prisma.$transaction([user(), user({ id: 5 }), user()]), isRefused("TYPE"));
      assert.equal(await clients.rows(), before);
    });

    test("a generator's error reaches the caller, and nothing is written", async () => {
      const { prisma } = clients;
      const before = await clients.rows();
      const none = { message: "no number now" };
      failing.error = new Error(none.message);
      const writes = () => [user(), user({ posts: { create: { title: "a" } } })];
      await assert.rejects(async () => writes()[1], none);
      await assert.rejects(prisma.post.createMany({ data: [{ title: "a" }] }), none);
      await assert.rejects(prisma.$transaction(writes()), none);
      const interactive = prisma.$transaction(async (tx: Client) => {
        await tx.user.create({ data: { name: "tx" } });
        await tx.post.create({ data: { title: "tx" } });
      });
      await assert.rejects(interactive, none);
      delete failing.error;
      assert.equal(await clients.rows(), before);
    });
  });

  return clients;
}
