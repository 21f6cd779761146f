// PostgreSQL, its clients, and an asynchronous standby.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { temporary } from "../../support/places.mjs";
import { output } from "../../support/run.mjs";
import { importTool } from "../lib/places.mjs";
import { started, storesOf, userOf, withTable } from "../lib/program.mjs";

export const install = "apt-get install postgresql";

/** Debian installs each version in its own folder. */
const DEBIAN = "/usr/lib/postgresql";

/** The paths of the programs. */
export function find() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => b - a) : [];
  const servers = versions.map((version) => join(DEBIAN, version, "bin", "postgres")).filter(existsSync);
  return servers.length > 0 ? servers.slice(0, 1) : undefined;
}

const program = (name) => join(find()[0], "..", name);

const urlOf = (port) => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** The number of connections of a process. */
const max = 2;

async function pool(port) {
  const { default: pg } = await importTool("pg");
  const made = new pg.Pool({ connectionString: urlOf(port), max });
  made.on("error", () => {});
  return [made, () => made.end()];
}

/** With `binary`, it reads wrong integers (https://github.com/brianc/node-postgres/issues/3495). */
async function oneClient(port) {
  const { default: pg } = await importTool("pg");
  const made = new pg.Client({ connectionString: urlOf(port), binary: true });
  made.on("error", () => {});
  await made.connect();
  return [made, () => made.end()];
}

export const { clients, open } = storesOf("postgres", {
  "pg, a pool": pool,
  "pg, one client": oneClient,
  async postgres(port) {
    const { default: postgres } = await importTool("postgres");
    const sql = postgres(urlOf(port), { max, onnotice: () => {} });
    return [sql, () => sql.end({ timeout: 1 })];
  },
  async "a function"(port) {
    const [made, close] = await pool(port);
    return [async (text, values) => (await made.query(text, values)).rows, close];
  },
});

/** Runs a PostgreSQL program in a folder, as a user that PostgreSQL accepts. */
function run(directory, name, ...args) {
  const [file, ...before] = [...userOf("postgres", directory), program(name)];
  return output(file, [...before, ...args], { cwd: directory });
}

/** Starts a server on a data folder. */
const serverOf = (directory, durable, settings) =>
  started({
    directory,
    command(port) {
      const own = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: 300 };
      const given = Object.entries({ ...own, ...settings }).map(([key, value]) => `--${key}=${value}`);
      return [...userOf("postgres", directory), program("postgres"), "-D", "data", ...given];
    },
    // The server listens before it answers.
    isReady: (port) =>
      output(program("pg_isready"), ["-h", "127.0.0.1", "-p", `${port}`]).then(
        () => true,
        () => false,
      ),
    // SIGTERM would wait for the clients to disconnect, and SIGKILL leaves shared memory that the
    // next start finds in use.
    signals: { stop: "SIGINT", kill: "SIGQUIT" },
    open,
    kind: { durable },
  });

/** Starts PostgreSQL and creates the store's table. `settings`: its configuration. */
export async function start({ durable = false, settings = {} } = {}) {
  const directory = temporary("postgres");
  await run(directory, "initdb", "-D", "data", "-A", "trust", "-U", "postgres", "-E", "UTF8");
  return withTable(await serverOf(directory, durable, settings));
}

/** Starts a standby that follows the server asynchronously until it is promoted. */
export async function replicaOf(port) {
  const directory = temporary("postgres");
  const from = ["-h", "127.0.0.1", "-p", `${port}`, "-U", "postgres"];
  await run(directory, "pg_basebackup", ...from, "-D", "data", "-R", "-c", "fast");
  const replica = await serverOf(directory, false, {});
  return {
    ...replica,
    async follows() {
      const [client, close] = await oneClient(replica.port);
      const { rows } = await client.query("SELECT status FROM pg_stat_wal_receiver").finally(close);
      return rows[0]?.status === "streaming";
    },
    takeOver: () => run(directory, "pg_ctl", "promote", "-w", "-D", "data"),
  };
}
