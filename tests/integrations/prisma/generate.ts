/** Generates Prisma clients in the user's project. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { project } from "../support/guide.ts";
import type { Database } from "../support/servers.ts";

/** Prisma's names of the databases, the column types that they lack, and their quote characters. */
const DATABASES = {
  postgres: { provider: "postgresql", lacks: /@db\.Unsigned\w+/g, quote: '"' },
  mysql: { provider: "mysql", lacks: /$^/g, quote: "`" },
  sqlite: { provider: "sqlite", lacks: /@db\.\w+(\(\d+\))?/g, quote: '"' },
};

/** Prisma 6 requires a URL in the schema; Prisma 7 rejects it. */
export const isBefore7 = /^[0-6]\./.test(
  JSON.parse(readFileSync(join(project, "node_modules", "prisma", "package.json"), "utf8")).version,
);

/** Writes a schema to a directory of the project and generates its client. */
export async function generate(directory: string, schema: string): Promise<void> {
  const place = join(project, directory);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  writeFileSync(join(place, "schema.prisma"), schema);
  const program = join(project, "node_modules", "prisma", "build", "index.js");
  // Generating needs no engines, which Prisma would otherwise download.
  const engines = { PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true", PRISMA_QUERY_ENGINE_LIBRARY: "/bin/true" };
  const env = { ...process.env, ...engines, CHECKPOINT_DISABLE: "1" };
  await promisify(execFile)(process.execPath, [program, "generate"], { cwd: place, env });
}

/** Additions to the schema. */
export interface More {
  readonly generator?: "prisma-client" | "prisma-client-js";
  readonly features?: readonly string[];
  readonly models?: string;
}

/** Generates the client of the tests' schema. Returns its directory. */
export async function generateFor(
  database: Database,
  { generator = "prisma-client", features = [], models = "" }: More = {},
): Promise<string> {
  const options = [
    `previewFeatures = ${JSON.stringify(features)}`,
    'engineType = "client"',
    // Lets Node run the client without a build.
    ...(generator === "prisma-client" ? ['importFileExtension = "ts"'] : []),
  ];
  const schema = readFileSync(join(import.meta.dirname, "schema.prisma"), "utf8")
    .replace("DATABASE", DATABASES[database].provider)
    .replace("URL", isBefore7 ? 'url = "not used: clients have adapters"' : "")
    .replace("GENERATOR", generator)
    .replace("OPTIONS", options.join("\n"))
    .replaceAll(DATABASES[database].lacks, "");
  const directory = `prisma-${database}-${generator}`;
  await generate(directory, `${schema}\n${models}`);
  return join(project, directory, "client");
}

/** The statements that create the schema's tables. No column has a default. */
export const tablesFor = (database: Database): string[] =>
  [
    "CREATE TABLE many (id bigint NOT NULL PRIMARY KEY, note varchar(20))",
    "CREATE TABLE users (id bigint NOT NULL PRIMARY KEY, name varchar(50) NOT NULL, invited_by bigint REFERENCES users (id))",
    "CREATE TABLE profiles (id bigint NOT NULL PRIMARY KEY, bio varchar(50) NOT NULL, data varchar(50), user_id bigint NOT NULL UNIQUE REFERENCES users (id))",
    "CREATE TABLE posts (id bigint NOT NULL PRIMARY KEY, title varchar(50) NOT NULL, author_id bigint REFERENCES users (id))",
    "CREATE TABLE tags (id char(16) NOT NULL PRIMARY KEY, name varchar(50) NOT NULL UNIQUE)",
    'CREATE TABLE "_PostToTag" ("A" bigint NOT NULL, "B" char(16) NOT NULL, UNIQUE ("A", "B"))',
    "CREATE TABLE members (user_id bigint NOT NULL, group_id bigint NOT NULL, role varchar(50) NOT NULL, PRIMARY KEY (user_id, group_id))",
    "CREATE TABLE invoices (id bigint NOT NULL PRIMARY KEY, note varchar(20))",
    `CREATE TABLE messages (id bigint ${database === "mysql" ? "unsigned" : ""} NOT NULL PRIMARY KEY)`,
  ].map((text) => text.replaceAll('"', DATABASES[database].quote));
