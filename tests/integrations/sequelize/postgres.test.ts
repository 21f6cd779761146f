/** Attributes of Sequelize in PostgreSQL. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { DataTypes } from "sequelize";
import { runGuide } from "../support/guide.ts";
import { ODD } from "../support/rows.ts";
import { startPostgres } from "../support/servers.ts";
import { behaves, table } from "./common.ts";
import { unchecked } from "./unchecked.ts";

let server: Awaited<ReturnType<typeof startPostgres>>;
const db = behaves(async () => {
  server = await startPostgres();
  const { user, ...place } = server.options;
  return { dialect: "postgres", ...place, username: user } as const;
}, true);
after(() => server?.stop());

describe("what is not checked, and what is", () => unchecked(db));

test("without the attribute, a row has its ID as text once it is made", async () => {
  const alone = table(db(), "alone", { id: { type: DataTypes.BIGINT, primaryKey: true } });
  await alone.sync();
  assert.equal((await alone.create({ id: ODD })).get("id"), `${ODD}`);
});

test("the guide's program", async () => {
  const { host, port, user, database } = server.options;
  const url = `postgres://${user}@${host}:${port}/${database}`;
  await runGuide("sequelize.md", "postgres", { env: { DATABASE_URL: url }, lines: 4 });
});
