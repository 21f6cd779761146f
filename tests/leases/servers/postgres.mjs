// PostgreSQL, its clients, and a standby that follows it asynchronously.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { freePort, temporary } from "../../support/places.mjs";
import { output } from "../../support/run.mjs";
import { importBuilt, importTool } from "../lib/places.mjs";
import { started } from "../lib/program.mjs";
import { firstOf, userOf } from "../lib/user.mjs";

export const name = "PostgreSQL";
export const packages = ["postgresql"];
export const install = "apt-get install postgresql";

/** Debian has a folder for each version. */
const DEBIAN = "/usr/lib/postgresql";

/** The paths of the programs. */
export function find() {
  const versions = firstOf(DEBIAN) === undefined ? [] : readdirSync(DEBIAN).sort((a, b) => b - a);
  const server = firstOf(...versions.map((version) => join(DEBIAN, version, "bin", "postgres")));
  return server && [server];
}

const program = (name) => join(find()[0], "..", name);

const urlOf = (port) => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** Connections of a process. */
const MOST = 2;

async function pgPool(port) {
  const { default: pg } = await importTool("pg");
  const pool = new pg.Pool({ connectionString: urlOf(port), max: MOST });
  pool.on("error", () => {});
  return [pool, () => pool.end()];
}

async function pgClient(port) {
  const { default: pg } = await importTool("pg");
  const client = new pg.Client(urlOf(port));
  client.on("error", () => {});
  await client.connect();
  return [client, () => client.end()];
}

async function postgresJs(port) {
  const { default: postgres } = await importTool("postgres");
  const sql = postgres(urlOf(port), { max: MOST, onnotice: () => {} });
  return [sql, () => sql.end({ timeout: 1 })];
}

async function asFunction(port) {
  const [pool, close] = await pgPool(port);
  return [async (text, values) => (await pool.query(text, values)).rows, close];
}

const CLIENTS = {
  "pg, a pool": pgPool,
  "pg, one client": pgClient,
  postgres: postgresJs,
  "a function": asFunction,
};
export const clients = Object.keys(CLIENTS);

/** A store with a client of its own. `raw`: the client. */
export async function open({ port, client = "pg, a pool", ...options }) {
  const [{ postgres }, [raw, close]] = await Promise.all([
    importBuilt("lease/postgres"),
    CLIENTS[client](port),
  ]);
  return { store: postgres(raw, options), raw, close };
}

/** A server of a folder with data. */
async function serverOf({ directory, durable, settings }) {
  const port = await freePort();
  const user = userOf("postgres", directory);
  const all = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 300,
    ...settings,
  };
  const given = Object.entries(all).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  // It listens before it answers.
  const isReady = () =>
    output(program("pg_isready"), ["-h", "127.0.0.1", "-p", `${port}`]).then(
      () => true,
      () => false,
    );
  return started({
    ...{ command: [...user, program("postgres"), "-D", "data", ...given], directory, port, isReady },
    // SIGTERM would wait for the clients to leave, and SIGKILL leaves memory that the next start finds in use.
    signals: { stop: "SIGINT", kill: "SIGQUIT" },
    connect: (options) => open({ port, durable, ...options }),
    connection: (options) => ({ port, durable, ...options }),
    /** Runs one statement. Gives its rows. */
    async query(text) {
      const [client, close] = await pgClient(port);
      try {
        return (await client.query(text)).rows;
      } finally {
        await close();
      }
    },
  });
}

/** Runs a program of PostgreSQL in a folder, as a user that it accepts. */
function run(directory, name, args) {
  const [file, ...before] = [...userOf("postgres", directory), program(name)];
  return output(file, [...before, ...args], { cwd: directory });
}

/** `settings`: of its configuration. The store's table is there. */
export async function start({ durable = false, settings = {} } = {}) {
  const directory = temporary("postgres");
  await run(directory, "initdb", ["-D", "data", "-A", "trust", "-U", "postgres", "-E", "UTF8"]);
  const server = await serverOf({ directory, durable, settings });
  const { store, close } = await server.connect();
  await store.createTable();
  await close();
  return server;
}

/** One that follows another one, asynchronously, until it takes its place. */
export async function replicaOf(port) {
  const directory = temporary("postgres");
  const from = ["-h", "127.0.0.1", "-p", `${port}`, "-U", "postgres"];
  await run(directory, "pg_basebackup", [...from, "-D", "data", "-R", "-c", "fast"]);
  const replica = await serverOf({ directory, durable: false, settings: {} });
  return {
    ...replica,
    follows: async () =>
      (await replica.query("SELECT status FROM pg_stat_wal_receiver"))[0]?.status === "streaming",
    takeOver: () => run(directory, "pg_ctl", ["promote", "-w", "-D", "data"]),
  };
}
