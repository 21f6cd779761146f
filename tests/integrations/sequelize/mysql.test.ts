/** Sequelize's ID attributes in MariaDB, through `mysql2`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Sequelize } from "sequelize";
import { isRefused, orders } from "../support/rows.ts";
import { useMariadb } from "../support/servers.ts";
import { behaves, key, table } from "./common.ts";

const server = useMariadb(() => db()?.close());
const options = async () => {
  await server.started;
  return { dialect: "mysql", ...server.orm } as const;
};
const db = behaves(options, false);

test("without the setting, an ID that mysql2 has rounded is rejected", async () => {
  const dialectOptions = { supportBigNumbers: false };
  const rounding = new Sequelize({ ...(await options()), dialectOptions, logging: false });
  try {
    const row = await table(rounding, "user", { id: key(orders) }).findOne();
    assert.ok(row);
    assert.throws(() => row.get("id"), isRefused("TYPE"));
  } finally {
    await rounding.close();
  }
});
