/** TypeORM's ID columns in MariaDB, through `mysql2`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { discord } from "graupel";
import { idColumn } from "graupel/typeorm";
import { Between, EntitySchema } from "typeorm";
import { isRefused, ODD } from "../support/rows.ts";
import { useMariadb } from "../support/servers.ts";
import { behaves, behavesOnServers, within } from "./common.ts";
import { relates } from "./relations.ts";

const Messages = new EntitySchema<{ id: bigint }>({
  name: "messages",
  columns: { id: { primary: true, ...idColumn(discord) } },
});

const server = useMariadb(() => db()?.destroy());
const options = async () => {
  await server.started;
  return { type: "mariadb", ...server.orm } as const;
};
const db = behaves(options, [Messages as never]);
behavesOnServers(db);
relates(options);

test("IDs above 2^63", async () => {
  const messages = db().getRepository(Messages);
  const { min, max } = discord.range(Date.UTC(2100, 0, 1));
  await messages.insert([{ id: ODD }, { id: min + 5n }, { id: max }]);
  const found = await messages.find({ where: { id: Between(min, max) }, order: { id: "ASC" } });
  assert.deepEqual(found, [{ id: min + 5n }, { id: max }]);
});

test("without the setting, an ID that mysql2 has rounded is rejected", async () =>
  within(
    { ...(await options()), entities: [Messages], supportBigNumbers: false, bigNumberStrings: false },
    (rounding) => assert.rejects(rounding.getRepository(Messages).find(), isRefused("TYPE")),
  ));
