/** Writes through the Prisma extension: every kind generates IDs, and rejects invalid ones. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { holdsIds, isRefused, NO_IDS, ODD, pluck, refuses } from "../support/rows.ts";
import {
  type Client,
  extension,
  failing,
  generates,
  idsOfAll,
  invoices,
  many,
  people,
  plain,
  prisma,
  user,
} from "./clients.ts";

/** A rounded ID. */
const ROUNDED = Number(ODD);

holdsIds(() => {
  const { many: table } = prisma;
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

let tags = 0;
/** A new tag. */
const tag = () => ({ name: `tag ${tags++}` });
/** A condition that no row fulfils. */
const other = () => ({ id: people.next() });
const bio = "…";

/** Writes into the relations of a new or an existing user, and the number of IDs that they need. */
const RELATIONS: Record<string, () => [data: object, ids: number]> = {
  "one to one": () => [{ profile: { create: { bio } } }, 1],
  "many to one, and one inside": () => [{ host: { create: { name: "b", profile: { create: { bio } } } } }, 2],
  "a key of two IDs": () => [{ groups: { create: [{ groupId: ODD, role: "admin" }] } }, 0],
  "one to many": () => [{ posts: { create: [{ title: "a" }, { title: "b" }] } }, 2],
  "many to many": () => [{ posts: { create: { title: "a", tags: { create: [tag(), tag()] } } } }, 3],
  createMany: () => [{ posts: { createMany: { data: [{ title: "a" }, { title: "b" }] } } }, 2],
  "connectOrCreate, one row": () => [
    { posts: { connectOrCreate: { where: other(), create: { title: "a" } } } },
    1,
  ],
  "connectOrCreate, a list with a row that is there": () => {
    const [old, new_] = [tag(), tag()];
    const connectOrCreate = [old, new_].map((where) => ({ where, create: where }));
    const tagged = {
      create: [
        { title: "a", tags: { create: old } },
        { title: "b", tags: { connectOrCreate } },
      ],
    };
    return [{ posts: tagged }, 4];
  },
};

/** Updates of a user who has a host, a profile and a post. `where`: finds the post. */
const UPDATES: Record<string, (where: object) => [data: object, ids: number]> = {
  update: (where) => [{ posts: { update: { where, data: { tags: { create: tag() } } } } }, 1],
  updateMany: (where) => [{ posts: { updateMany: { where, data: { title: "b" } } } }, 0],
  "upsert, one to one": () => [{ profile: { upsert: { create: { bio }, update: { bio: "b" } } } }, 0],
  "upsert, one row": () => {
    const create = { title: "b", tags: { create: tag() } };
    return [{ posts: { upsert: { where: other(), create, update: {} } } }, 2];
  },
  "upsert, a list": (where) => {
    const [create, name] = [{ title: "b" }, tag()];
    const update = { tags: { connectOrCreate: { where: name, create: name } } };
    return [
      {
        posts: {
          upsert: [
            { where: other(), create, update: {} },
            { where, create, update },
          ],
        },
      },
      2,
    ];
  },
  // Data for a to-one relation are given directly or as `data`.
  "one row": () => [
    { host: { update: { profile: { create: { bio } }, posts: { create: { title: "b" } } } } },
    2,
  ],
  "one row, as data": () => [{ host: { update: { data: { posts: { create: { title: "b" } } } } } }, 1],
  "one row, with a condition": () => {
    const data = { posts: { create: { title: "b", tags: { create: tag() } } } };
    return [{ host: { update: { where: { name: "b" }, data } } }, 2];
  },
  delete: (where) => [{ posts: { delete: where }, profile: { delete: true }, host: { disconnect: true } }, 0],
  deleteMany: () => [{ posts: { deleteMany: [{ id: { lt: people.next() } }] } }, 0],
  disconnect: (where) => [{ posts: { disconnect: [where] } }, 0],
  set: () => [{ posts: { set: [] } }, 0],
};

describe("every kind of write generates IDs", () => {
  for (const [name, write] of Object.entries(RELATIONS)) {
    test(`a new row and an update: ${name}`, async () => {
      const [data, count] = write();
      const { id } = await generates(count + 1, () => user(data));
      const [more, ids] = write();
      if ("groups" in more) await prisma.member.deleteMany({ where: { userId: id } });
      if ("profile" in more) await prisma.profile.deleteMany({ where: { userId: id } });
      await generates(ids, () => prisma.user.update({ where: { id }, data: more }));
    });
  }
  for (const [name, write] of Object.entries(UPDATES)) {
    test(`an update: ${name}`, async () => {
      const host = { create: { name: "b" } };
      const made = { host, profile: { create: { bio } }, posts: { create: { title: "a" } } };
      const { id, posts } = await prisma.user.create({
        data: { name: "a", ...made },
        include: { posts: true },
      });
      const [data, count] = write({ id: posts[0].id });
      await generates(count, () => prisma.user.update({ where: { id }, data }));
    });
  }

  test("rows refer to each other, and what is inside is younger", async () => {
    const guest = await user();
    const inside = {
      guests: { connect: { id: guest.id } },
      posts: { create: { title: "a" } },
      groups: { create: { groupId: ODD, role: "admin" } },
    };
    const include = { guests: true, posts: true, groups: true };
    const made = await prisma.user.create({ data: { name: "a", ...inside }, include });
    assert.deepEqual(pluck(made.guests), [guest.id]);
    assert.deepEqual([made.posts[0].authorId, made.groups[0].groupId], [made.id, ODD]);
    assert.ok(made.id < made.posts[0].id);
    const author = { connect: { id: made.id } };
    assert.equal((await prisma.post.create({ data: { title: "b", author } })).authorId, made.id);
  });

  test("createMany and upsert", async () => {
    const [b, where] = [{ name: "b" }, other()];
    const many = { data: [b, b] };
    assert.deepEqual(await generates(2, () => prisma.user.createMany(many)), { count: 2 });
    await generates(1, () => prisma.user.createMany({ data: b }));
    const update = { name: "c", posts: { create: { title: "a" } } };
    const { id } = await generates(1, () => prisma.user.upsert({ where, create: b, update }));
    assert.notEqual(id, where.id);
    const again = await generates(1, () => prisma.user.upsert({ where: { id }, create: b, update }));
    assert.deepEqual([again.id, again.name], [id, "c"]);
  });

  test("Prisma rejects null, and the user's object is not changed", async () => {
    await assert.rejects(async () => user({ id: null }), { name: "PrismaClientValidationError" });
    const text = `${people.next()}`;
    assert.equal((await user({ id: text })).id, BigInt(text));
    class Dto {
      name = "Dto";
      id = undefined;
      posts = { create: Object.freeze([Object.freeze({ title: "a" })]) };
    }
    const data = Object.freeze(new Dto());
    await generates(2, () => prisma.user.create({ data }));
    assert.deepEqual({ ...data }, { name: "Dto", id: undefined, posts: { create: [{ title: "a" }] } });
  });

  test("rows that another extension adds get IDs if it is applied first", async () => {
    type Given = { args: { data: object }; query(args: object): unknown };
    const posts = { create: { title: "Welcome" } };
    const withPosts = ({ args, query }: Given) => query({ ...args, data: { ...args.data, posts } });
    const welcome = { query: { user: { create: withPosts } } };
    const create = { data: { name: "a" } };
    await generates(2, () => plain.$extends(welcome).$extends(extension).user.create(create));
    const late = plain.$extends(extension).$extends(welcome).user.create(create);
    await assert.rejects(late, { code: "P2011" });
  });
});

test("IDs of Snowflake-SI are numbers in rows; data and conditions also accept bigints", async () => {
  const { id } = await prisma.invoice.create({ data: {} });
  assert.equal(invoices.inspect(id).machineId, 3);
  for (const one of [id, BigInt(id)]) {
    assert.deepEqual(await prisma.invoice.findUnique({ where: { id: one } }), { id, note: null });
  }
  await refuses("RANGE", () => prisma.invoice.findUnique({ where: { id: 2 ** 53 } }));
});

test("invalid IDs are not written", async () => {
  const { id } = await user({ profile: { create: { bio } } });
  const before = await idsOfAll();
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
      () => prisma.user.upsert({ where: other(), create: { id: wrong, name }, update: {} }),
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
  assert.deepEqual(await idsOfAll(), before);
  const said = { name: "GraupelError", field: "Post.id", value: 5, message: /^Post\.id: / };
  await assert.rejects(async () => user({ posts: { create: { title: "a", id: 5 } } }), said);
});

test("rounded numbers are rejected for a key without a format", async () => {
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

test("invalid IDs are rejected in queries", async () => {
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

test("batches and interactive transactions use the extension, and roll back as a whole", async () => {
  const posts = { create: { title: "a" } };
  await generates(4, () => prisma.$transaction([user(), user({ posts }), user()]));
  const two = async (tx: Client) => {
    await tx.user.create({ data: { name: "tx" } });
    await tx.user.create({ data: { name: "tx", posts } });
  };
  await generates(3, () => prisma.$transaction(two));
  const undone = async (tx: Client) => {
    await two(tx);
    await tx.user.create({ data: { name: "tx", id: 5 } });
  };
  const before = await idsOfAll();
  await assert.rejects(prisma.$transaction(undone), isRefused("TYPE"));
  await assert.rejects(prisma.$transaction([user(), user({ id: 5 }), user()]), isRefused("TYPE"));
  // A generator's error reaches the caller, and nothing is written.
  const none = { message: "no number now" };
  failing.error = new Error(none.message);
  await assert.rejects(async () => user({ posts }), none);
  await assert.rejects(prisma.post.createMany({ data: [{ title: "a" }] }), none);
  await assert.rejects(prisma.$transaction([user(), user({ posts })]), none);
  await assert.rejects(prisma.$transaction(two), none);
  delete failing.error;
  assert.deepEqual(await idsOfAll(), before);
});
