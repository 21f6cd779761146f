/** The extension of Prisma in PostgreSQL, through `pg`. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { PrismaPg } from "@prisma/adapter-pg";
import { startPostgres } from "../support/servers.ts";
import { testExtension } from "./common.ts";

let server: Awaited<ReturnType<typeof startPostgres>>;
const clients = testExtension({
  database: "postgresql",
  async adapter() {
    server = await startPostgres();
    return new PrismaPg(server.options);
  },
});
after(async () => {
  await clients().plain?.$disconnect();
  await server?.stop();
});

test("raw JSON rounds", async () => {
  const { prisma } = clients();
  const { id } = await prisma.user.create({ data: { name: "raw" } });
  const [row] = await prisma.$queryRaw`
    SELECT array[id] AS ids, json_build_object('id', id) AS json, json_build_object('id', id::text) AS text
    FROM users WHERE id = ${id}`;
  assert.deepEqual([row.ids, row.text], [[id], { id: `${id}` }]);
  assert.notEqual(BigInt(row.json.id), id);
});
