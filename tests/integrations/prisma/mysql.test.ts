/** The Prisma extension in MariaDB, through `mariadb`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { discord } from "graupel";
import { idExtension } from "graupel/prisma";
import { pluck } from "../support/rows.ts";
import { useMariadb } from "../support/servers.ts";
import { testExtension } from "./common.ts";
import { isBefore7 } from "./generate.ts";

const server = useMariadb(() => clients.plain?.$disconnect());
const clients = testExtension({
  database: "mysql",
  async adapter() {
    await server.started;
    return new PrismaMariaDb(server.options);
  },
});

test("IDs above 2^63 in an unsigned column", async () => {
  const prisma = clients.plain.$extends(idExtension({ Message: { id: discord } }));
  const ids = [discord.range(Date.UTC(2100, 0, 1)).min + 5n, discord.range().max];
  const write = () => prisma.message.createMany({ data: ids.map((id) => ({ id })) });
  if (isBefore7) return assert.rejects(write, /Could not convert argument value/);
  await write();
  const found = await prisma.message.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } });
  assert.deepEqual(pluck(found), ids);
});
