/** TypeORM's ID columns in PostgreSQL. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sno } from "graupel";
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

test("a text format: rows, and references from another format's rows, have its texts", async () => {
  interface Person {
    id: string;
    logs: Log[];
  }
  interface Log {
    id: string;
    author: Person;
  }
  const format = textFormat(orders, prefixed(orders, "usr_"));
  const People = new EntitySchema<Person>({
    name: "people",
    columns: { id: { primary: true, ...idColumn(format, format.generator({ worker: 5 })) } },
    relations: { logs: { type: "one-to-many", target: "logs", inverseSide: "author" } },
  });
  const Logs = new EntitySchema<Log>({
    name: "logs",
    columns: { id: { primary: true, ...idColumn(sno, sno) } },
    relations: { author: { type: "many-to-one", target: "people", joinColumn: { name: "author" } } },
  });
  const own = { ...(await options()), entities: [People, Logs], subscribers: [IdSubscriber] };
  await within({ ...own, synchronize: true }, async (source) => {
    const [people, logs] = [source.getRepository(People), source.getRepository(Logs)];
    const { id } = await people.save({});
    const log = await logs.save({ author: { id } });
    const stored = await source.query("SELECT author::text FROM logs");
    assert.deepEqual(stored, [{ author: `${format.toBigInt(id)}` }]);
    const { min, max } = format.range(Date.now() - 60_000);
    const where = { id: Between(min, max) };
    const found = await people.findOneOrFail({ where, relations: { logs: true } });
    assert.deepEqual([found.id, found.logs.map((one) => one.id)], [id, [log.id]]);
    const back = await logs.findOneOrFail({ where: { author: { id } }, relations: { author: true } });
    assert.equal(back.author.id, id);
    // The key identifies the row, so it is updated and not inserted again.
    await people.save(back.author);
    assert.equal(await people.count(), 1);
    await assert.rejects(() => people.findOneBy({ id: id.slice(4) }), isRefused("CHARACTER"));
  });
});

test("the guide's program", async () => {
  const { env } = await server.create("guide");
  await runGuide("typeorm.md", "postgres", { env, lines: 5 });
});
