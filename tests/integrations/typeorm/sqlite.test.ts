/** Columns of TypeORM in SQLite, through `better-sqlite3`. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DataSource } from "typeorm";
import { isRefused } from "../support/rows.ts";
import { behaves, Many } from "./common.ts";

const directory = mkdtempSync(join(tmpdir(), "graupel-typeorm-"));
const file = { type: "better-sqlite3", database: join(directory, "rows.db") } as const;

const db = behaves(async () => ({ ...file, prepareDatabase: (database) => database.defaultSafeIntegers() }));
after(() => rmSync(directory, { recursive: true, force: true }));

test("without the setting, what better-sqlite3 rounds is refused", async () => {
  const rounding = await new DataSource({ ...file, entities: [Many] }).initialize();
  try {
    await assert.rejects(rounding.getRepository(Many).find(), isRefused("TYPE"));
    // With the setting, TypeORM does not understand what SQLite says of columns, so tables are made and changed without it.
    assert.deepEqual((await rounding.driver.createSchemaBuilder().log()).upQueries, []);
    assert.notDeepEqual((await db().driver.createSchemaBuilder().log()).upQueries, []);
  } finally {
    await rounding.destroy();
  }
});
