/** Values that are not IDs are rejected in writes and in queries, and so are rows without an ID. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_IDS, ODD, pluck, refuses } from "../support/rows.ts";
import { type Clients, people } from "./clients.ts";

export function testRefusals(clients: Clients): void {
  const user: Clients["user"] = (data) => clients.user(data);
  const ROUNDED = Number(ODD);

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
}
