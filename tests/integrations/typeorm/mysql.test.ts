/** Columns of TypeORM in MariaDB, through `mysql2`. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { discord } from "graupel";
import { idColumn } from "graupel/typeorm";
import mysql from "mysql2/promise";
import { Between, EntitySchema } from "typeorm";
import { isRefused, ODD } from "../support/rows.ts";
import { startMariadb } from "../support/servers.ts";
import { behaves, behavesOnServers, within } from "./common.ts";
import { relates } from "./relations.ts";

let server: Awaited<ReturnType<typeof startMariadb>>;

const Messages = new EntitySchema<{ id: bigint }>({
  name: "messages",
  columns: { id: { primary: true, ...idColumn(discord) } },
});

const options = () => {
  const { host, port, user } = server.options;
  return { type: "mariadb", host, port, username: user, database: "rows_of_typeorm" } as const;
};
const db = behaves(async () => {
  server = await startMariadb();
  const own = await mysql.createConnection(server.options);
  await own.query("CREATE DATABASE rows_of_typeorm");
  await own.end();
  return options();
}, [Messages as never]);
after(() => server?.stop());
behavesOnServers(db);
relates(async () => options());

test("IDs above 2^63", async () => {
  const messages = db().getRepository(Messages);
  const { min, max } = discord.range(Date.UTC(2100, 0, 1));
  await messages.insert([{ id: ODD }, { id: min + 5n }, { id: max }]);
  const found = await messages.find({ where: { id: Between(min, max) }, order: { id: "ASC" } });
  assert.deepEqual(found, [{ id: min + 5n }, { id: max }]);
});

test("without the setting, what mysql2 rounds is refused", () =>
  within(
    { ...options(), entities: [Messages], supportBigNumbers: false, bigNumberStrings: false },
    (rounding) => assert.rejects(rounding.getRepository(Messages).find(), isRefused("TYPE")),
  ));
