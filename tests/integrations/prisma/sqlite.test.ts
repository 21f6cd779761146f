/** The extension of Prisma in SQLite, through `better-sqlite3`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { testExtension } from "./common.ts";

const directory = mkdtempSync(join(tmpdir(), "graupel-prisma-"));

const clients = testExtension({
  database: "sqlite",
  adapter: async () => new PrismaBetterSqlite3({ url: `file:${join(directory, "test.db")}` }),
});
after(async () => {
  await clients().plain?.$disconnect();
  rmSync(directory, { recursive: true, force: true });
});
