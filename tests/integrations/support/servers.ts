/** Databases and servers that a test file starts for itself. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import mysql from "mysql2/promise";
import pg from "pg";
// @ts-expect-error: no types
import { start as mariadb } from "../../leases/servers/mysql.mjs";
// @ts-expect-error: no types
import { start as postgres } from "../../leases/servers/postgres.mjs";
// @ts-expect-error: no types
import { start as redis } from "../../leases/servers/redis.mjs";

interface Running {
  readonly port: number;
  stop(): Promise<void>;
}

/** The options of an empty database, in the words of drivers and of ORMs, and as a URL. */
function addressOf(port: number, scheme: string, user: string, database: string) {
  const options = { host: "127.0.0.1", port, user, database };
  const env = { DATABASE_URL: `${scheme}://${user}@127.0.0.1:${port}/${database}` };
  return { options, orm: { ...options, username: user }, env };
}

async function startPostgres() {
  const { port, stop } = (await postgres()) as Running;
  const at = (database: string) => addressOf(port, "postgres", "postgres", database);
  /** Creates another database, which is empty except for what a statement creates. */
  async function create(database: string, statement = "") {
    for (const [where, text] of [
      ["postgres", `CREATE DATABASE ${database}`],
      [database, statement],
    ] as const) {
      const client = new pg.Client(at(where).options);
      await client.connect();
      await client.query(text);
      await client.end();
    }
    return at(database);
  }
  return { ...at("postgres"), create, stop };
}

/** MariaDB with an empty database. */
async function startMariadb() {
  const { port, stop } = (await mariadb()) as Running;
  const at = (database: string) => addressOf(port, "mysql", "root", database);
  const own = await mysql.createConnection(at("mysql").options);
  await own.query("CREATE DATABASE app CHARACTER SET utf8mb4");
  await own.end();
  return { ...at("app"), stop };
}

/** A folder for files of SQLite. */
async function startSqlite() {
  const directory = mkdtempSync(join(tmpdir(), "graupel-sqlite-"));
  return { directory, stop: async () => rmSync(directory, { recursive: true, force: true }) };
}

async function startRedis() {
  const { port, stop } = (await redis()) as Running;
  return { options: { host: "127.0.0.1", port }, stop };
}

/**
 * Starts a server for the tests of a file. The file's own hooks wait for `started`, because a
 * file's hooks run concurrently. `close`: runs before the server stops.
 */
export function serverOf<T extends { stop(): Promise<unknown> }>(
  start: () => Promise<T>,
  close?: () => unknown,
) {
  const server = {} as T & { readonly started: Promise<void> };
  const started = start().then((running) => void Object.assign(server, running));
  before(() => started);
  after(async () => {
    await close?.();
    await server.stop?.();
  });
  return Object.assign(server, { started });
}

/** PostgreSQL with a connection pool. */
export const usePool = (max: number) =>
  serverOf(async () => {
    const running = await startPostgres();
    const pool = new pg.Pool({ ...running.options, max });
    // `end` does not wait for the connections, so the server may stop while one is still open.
    pool.on("error", () => {});
    const stop = async () => {
      await pool.end();
      await running.stop();
    };
    return { ...running, pool, stop };
  });

type Close = () => unknown;
export const usePostgres = (close?: Close) => serverOf(startPostgres, close);
export const useMariadb = (close?: Close) => serverOf(startMariadb, close);
export const useRedis = (close?: Close) => serverOf(startRedis, close);

const STARTS = { postgres: startPostgres, mysql: startMariadb, sqlite: startSqlite };
export type Database = keyof typeof STARTS;

/** The database of this run, for files that run once in each. */
export const database = process.env.DATABASE as Database;

type Anywhere = Awaited<ReturnType<typeof startPostgres>> & Awaited<ReturnType<typeof startSqlite>>;
/** The database of this run: a server, or with SQLite the folder alone. */
export const useDatabase = (close?: Close) =>
  serverOf(STARTS[database] as unknown as () => Promise<Anywhere>, close);

/** Defines a test that only some databases have. */
export const testIn = (...databases: readonly Database[]): typeof test =>
  databases.includes(database) ? test : ((() => {}) as never);
