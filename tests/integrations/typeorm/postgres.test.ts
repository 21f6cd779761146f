/** TypeORM's ID columns in PostgreSQL. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { prefixed } from "graupel/prefixed";
import { textFormat } from "graupel/text-format";
import { IdSubscriber, idColumn } from "graupel/typeorm";
import { Any, Between, EntitySchema } from "typeorm";
import { runGuide } from "../support/guide.ts";
import { isRefused, ODD, orders } from "../support/rows.ts";
import { usePostgres } from "../support/servers.ts";
import { behaves, behavesOnServers, within } from "./common.ts";
import { relates } from "./relations.ts";

const Lists = new EntitySchema<{ id: bigint; of: bigint[] }>({
  name: "lists",
  columns: { id: { primary: true, ...idColumn(orders) }, of: { ...idColumn(orders), array: true } },
});

const server = usePostgres(() => db()?.destroy());
const options = async () => {
  await server.started;
  return { type: "postgres", ...server.orm } as const;
};
const db = behaves(options, [Lists as never]);
behavesOnServers(db);
relates(options);

test("arrays of IDs, and Any", async () => {
  const lists = db().getRepository(Lists);
  const row = { id: ODD, of: [ODD, ODD + 1n] };
  await lists.save(row);
  assert.deepEqual(await lists.findBy({ id: Any([ODD, ODD + 1n]) as never }), [row]);
  await assert.rejects(lists.save({ id: ODD + 2n, of: [5 as never] }), isRefused("TYPE"));
});

test("a generator that throws leaves no row", async () => {
  const next = () => {
    throw new Error("no worker ID");
  };
  const failing = new EntitySchema<{ id: bigint }>({
    name: "failing",
    columns: { id: { primary: true, ...idColumn(orders, { next }) } },
  });
  const own = { ...(await options()), entities: [failing], subscribers: [IdSubscriber], synchronize: true };
  await within(own, async (source) => {
    const rows = source.getRepository(failing);
    for (const write of [() => rows.save({}), () => rows.insert({})]) {
      await assert.rejects(write, /no worker ID/);
    }
    assert.equal(await rows.count(), 0);
  });
});

test("a text format: rows and their relations have its texts, and the database has integers", async () => {
  interface Person {
    id: string;
    friends: Person[];
    friend: Person;
  }
  const format = textFormat(orders, prefixed(orders, "usr_"));
  const ids = format.generator({ worker: 5 });
  const People = new EntitySchema<Person>({
    name: "people",
    columns: { id: { primary: true, ...idColumn(format, ids) } },
    relations: {
      friends: { type: "one-to-many", target: "people", inverseSide: "friend" },
      friend: { type: "many-to-one", target: "people", joinColumn: { name: "friend" } },
    },
  });
  const own = { ...(await options()), entities: [People], subscribers: [IdSubscriber], synchronize: true };
  await within(own, async (source) => {
    const people = source.getRepository(People);
    const { id } = await people.save({});
    const { id: other } = await people.save({ friend: { id } });
    const stored = await source.query("SELECT friend::text FROM people WHERE friend IS NOT NULL");
    assert.deepEqual(stored, [{ friend: `${format.toBigInt(id)}` }]);
    const { min, max } = format.range(Date.now() - 60_000);
    assert.equal(await people.countBy({ id: Between(min, max) }), 2);
    const found = await people.findOneOrFail({ where: { id }, relations: { friends: true } });
    assert.deepEqual([found.id, found.friends.map((one) => one.id)], [id, [other]]);
    const back = await people.findOneOrFail({ where: { friend: { id } }, relations: { friend: true } });
    assert.equal(back.friend.id, id);
    // The key identifies the row, so it is updated and not inserted again.
    await people.save(back);
    assert.equal(await people.count(), 2);
    await assert.rejects(() => people.findOneBy({ id: id.slice(4) }), isRefused("CHARACTER"));
  });
});

test("the guide's program", async () => {
  const { env } = await server.create("guide");
  await runGuide("typeorm.md", "postgres", { env, lines: 5 });
});
