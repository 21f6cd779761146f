/** Sequelize's ID attributes in PostgreSQL. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DataTypes } from "sequelize";
import { runGuide } from "../support/guide.ts";
import { ODD } from "../support/rows.ts";
import { usePostgres } from "../support/servers.ts";
import { behaves, table } from "./common.ts";
import { unchecked } from "./unchecked.ts";

const server = usePostgres(() => db()?.close());
const db = behaves(async () => {
  await server.started;
  return { dialect: "postgres", ...server.orm } as const;
}, true);

describe("what is not checked, and what is", () => unchecked(db));

test("without the attribute, a row has its ID as text once it is made", async () => {
  const alone = table(db(), "alone", { id: { type: DataTypes.BIGINT, primaryKey: true } });
  await alone.sync();
  assert.equal((await alone.create({ id: ODD })).get("id"), `${ODD}`);
});

test("the guide's program", async () => {
  const { env } = await server.create("guide");
  await runGuide("sequelize.md", "postgres", { env, lines: 4 });
});
