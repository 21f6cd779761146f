/** TypeORM's ID columns in PostgreSQL. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { IdSubscriber, idColumn } from "graupel/typeorm";
import { Any, EntitySchema } from "typeorm";
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

test("the guide's program", async () => {
  const { env } = await server.create("guide");
  await runGuide("typeorm.md", "postgres", { env, lines: 5 });
});
