/** Drivers of SQLite, and the guide to it. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { createClient } from "@libsql/client";
import Database from "better-sqlite3";
// @ts-expect-error: no types
import { fetched } from "../../everywhere/lib/tools.mjs";
import { project, runGuide } from "../support/guide.ts";
import { pluck } from "../support/rows.ts";
import { agreeWithPage } from "./page.ts";

/** Node 24's database. The installed types are for an older Node. */
const { DatabaseSync } = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as {
  DatabaseSync: new (file: string) => Database.Database;
};

const directory = mkdtempSync(join(tmpdir(), "graupel-sqlite-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const TABLE = "CREATE TABLE ids (id INTEGER PRIMARY KEY)";

/** Opens a new database with the table. */
function emptied() {
  const database = new Database(":memory:");
  database.exec(TABLE);
  return database;
}

/** Runs a file of the user's project. Returns its output. */
async function runInBun(...argv: readonly string[]): Promise<string> {
  const bun = (await fetched("bun", "bin/bun")) as string;
  return (await promisify(execFile)(bun, ["run", ...argv], { cwd: project, maxBuffer: 1 << 24 })).stdout;
}

/** Prints the type and the digits of each ID. */
const IN_BUN = `
import { Database } from "bun:sqlite";
const { ids, line } = JSON.parse(process.argv[2]);
const database = new Database(":memory:");
database.exec(${JSON.stringify(TABLE)});
const insert = database.prepare("INSERT INTO ids VALUES (?)");
for (const id of ids) insert.run(BigInt(id));
const statement = database.prepare("SELECT id FROM ids ORDER BY id");
new Function("statement", line)(statement);
const found = statement.all();
console.log(JSON.stringify(found.map(({ id }) => [typeof id, String(id)])));
`;

agreeWithPage("SQLite", {
  "`better-sqlite3`": {
    async roundTrip(ids, { prepare }) {
      const database = emptied();
      const insert = database.prepare("INSERT INTO ids VALUES (?)");
      for (const id of ids) insert.run(id);
      const read = database.prepare("SELECT id FROM ids ORDER BY id").pluck();
      prepare?.(read);
      return read.all();
    },
  },
  "`node:sqlite`": {
    async roundTrip(ids, { prepare }) {
      const database = new DatabaseSync(":memory:");
      database.exec(TABLE);
      const insert = database.prepare("INSERT INTO ids VALUES (?)");
      for (const id of ids) insert.run(id);
      const read = database.prepare("SELECT id FROM ids ORDER BY id");
      prepare?.(read);
      return pluck(read.all() as object[]);
    },
  },
  "`bun:sqlite`": {
    async roundTrip(ids, { line = "" }) {
      const program = join(directory, "program.mjs");
      writeFileSync(program, IN_BUN);
      const printed = await runInBun(program, JSON.stringify({ ids: ids.map(String), line }));
      const found = JSON.parse(printed) as [string, string][];
      return found.map(([type, digits]) => (type === "bigint" ? BigInt(digits) : Number(digits)));
    },
  },
  "`@libsql/client` (Turso)": {
    error: /cannot be safely represented/,
    async roundTrip(ids, { line = "SELECT id" }) {
      const client = createClient({ url: ":memory:" });
      await client.execute(TABLE);
      for (const id of ids) await client.execute({ sql: "INSERT INTO ids VALUES (?)", args: [id] });
      return (await client.execute(`${line} FROM ids ORDER BY id`)).rows.map((row) => row[0]);
    },
  },
});

for (const [kind, lines, run] of [
  ["better-sqlite3", 5],
  ["node", 2],
  ["libsql", 2],
  ["bun", 2, runInBun],
] as const) {
  test(`the guide's program: ${kind}`, () =>
    runGuide("sqlite.md", kind, { env: {}, lines, ...(run && { run }) }));
}
