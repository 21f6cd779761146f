// MariaDB, and the client of both MySQL and MariaDB. Debian has no MySQL.

import { freePort, temporary } from "../../support/places.mjs";
import { output } from "../../support/run.mjs";
import { importBuilt, importTool } from "../lib/places.mjs";
import { started } from "../lib/program.mjs";
import { firstOf, userOf } from "../lib/user.mjs";

export const name = "MariaDB";
export const packages = ["mariadb-server"];
export const install = "apt-get install mariadb-server";

/** The paths of the programs. */
export function find() {
  const server = firstOf("/usr/sbin/mariadbd");
  return server && [server, "/usr/bin/mariadb-install-db"];
}

/** Connections of a process. */
const MOST = 2;

const optionsOf = (port) => ({
  host: "127.0.0.1",
  port,
  user: "root",
  database: "mysql",
  connectionLimit: MOST,
});

async function pool(port) {
  const { createPool } = await importTool("mysql2/promise");
  const made = createPool(optionsOf(port));
  return [made, () => made.end()];
}

async function connection(port) {
  const { createConnection } = await importTool("mysql2/promise");
  const { connectionLimit: _, ...options } = optionsOf(port);
  const made = await createConnection(options);
  made.on("error", () => {});
  return [made, () => made.end()];
}

async function withCallbacks(port) {
  const { default: mysql } = await importTool("mysql2");
  const made = mysql.createPool(optionsOf(port));
  return [made, () => made.promise().end()];
}

const CLIENTS = {
  "mysql2, a pool": pool,
  "mysql2, one connection": connection,
  "mysql2 with callbacks": withCallbacks,
};
export const clients = Object.keys(CLIENTS);

/** A store with a client of its own. `raw`: the client. */
export async function open({ port, client = "mysql2, a pool", ...options }) {
  const [{ mysql }, [raw, close]] = await Promise.all([importBuilt("lease/mysql"), CLIENTS[client](port)]);
  return { store: mysql(raw, options), raw, close };
}

/** `settings`: of its configuration. The store's table is there. */
export async function start({ durable = false, settings = {} } = {}) {
  const [directory, port] = [temporary("mysql"), await freePort()];
  const user = userOf("mysql", directory);
  const [server, prepare] = find();
  const data = ["--no-defaults", `--datadir=${directory}/data`];
  const [file, ...before] = [...user, prepare];
  const how = ["--auth-root-authentication-method=normal", "--skip-test-db"];
  await output(file, [...before, ...data, ...how], { cwd: directory });
  const all = {
    port,
    "bind-address": "127.0.0.1",
    socket: `${directory}/socket`,
    max_connections: 300,
    ...settings,
  };
  const given = Object.entries(all).map(([key, value]) => `--${key}=${value}`);
  const self = {
    connect: (options) => open({ port, durable, ...options }),
    connection: (options) => ({ port, durable, ...options }),
  };
  const isReady = async () => {
    const [, close] = (await connection(port).catch(() => undefined)) ?? [];
    await close?.();
    return close !== undefined;
  };
  const running = await started({
    command: [...user, server, ...data, ...given],
    directory,
    port,
    isReady,
    ...self,
  });
  const { store, close } = await running.connect();
  await store.createTable();
  await close();
  return running;
}
