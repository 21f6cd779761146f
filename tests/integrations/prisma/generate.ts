/** Clients of Prisma, generated into the user's project. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { project } from "../support/guide.ts";

/** What differs between the databases: types of columns that they do not have, and the kind of quotes. */
const DATABASES = {
  postgresql: { lacks: /@db\.Unsigned\w+/g, quote: '"' },
  mysql: { lacks: /$^/g, quote: "`" },
  sqlite: { lacks: /@db\.\w+(\(\d+\))?/g, quote: '"' },
};

export type Database = keyof typeof DATABASES;

/** Generates the client of a schema; gives its directory. */
export async function generate(name: string, schema: string): Promise<string> {
  const directory = join(project, `prisma-${name}`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory);
  writeFileSync(join(directory, "schema.prisma"), schema);
  const program = join(project, "node_modules", "prisma", "build", "index.js");
  // Generating needs no schema engine, which Prisma would download.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true", CHECKPOINT_DISABLE: "1" };
  await promisify(execFile)(process.execPath, [program, "generate"], { cwd: directory, env });
  return join(directory, "client");
}

/** The client of these tests' schema. */
export function generateFor(database: Database, generator = "prisma-client"): Promise<string> {
  const schema = readFileSync(join(import.meta.dirname, "schema.prisma"), "utf8")
    .replace("DATABASE", database)
    .replace("GENERATOR", generator)
    // So that Node runs the client as it is.
    .replace("OPTION", generator === "prisma-client" ? 'importFileExtension = "ts"' : "")
    .replaceAll(DATABASES[database].lacks, "");
  return generate(`${database}-${generator}`, schema);
}

/** The tables of the schema. No column has a default. */
export const tablesFor = (database: Database): string[] =>
  [
    "CREATE TABLE many (id bigint NOT NULL PRIMARY KEY, note varchar(20))",
    "CREATE TABLE users (id bigint NOT NULL PRIMARY KEY, name varchar(50) NOT NULL, invited_by bigint REFERENCES users (id))",
    "CREATE TABLE profiles (id bigint NOT NULL PRIMARY KEY, bio varchar(50) NOT NULL, user_id bigint NOT NULL UNIQUE REFERENCES users (id))",
    "CREATE TABLE posts (id bigint NOT NULL PRIMARY KEY, title varchar(50) NOT NULL, author_id bigint REFERENCES users (id))",
    "CREATE TABLE tags (id char(16) NOT NULL PRIMARY KEY, name varchar(50) NOT NULL UNIQUE)",
    'CREATE TABLE "_PostToTag" ("A" bigint NOT NULL, "B" char(16) NOT NULL, UNIQUE ("A", "B"))',
    "CREATE TABLE members (user_id bigint NOT NULL, group_id bigint NOT NULL, role varchar(50) NOT NULL, PRIMARY KEY (user_id, group_id))",
    "CREATE TABLE invoices (id bigint NOT NULL PRIMARY KEY, note varchar(20))",
    `CREATE TABLE messages (id bigint ${database === "mysql" ? "unsigned" : ""} NOT NULL PRIMARY KEY)`,
  ].map((text) => text.replaceAll('"', DATABASES[database].quote));
