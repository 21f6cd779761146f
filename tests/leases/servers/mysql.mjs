// MariaDB, with the clients for MySQL and MariaDB. Debian has no MySQL.

import { output } from "../../support/run.mjs";
import { importTool } from "../lib/places.mjs";
import { installed, started, storesOf, userOf, withTable } from "../lib/program.mjs";

export const install = "apt-get install mariadb-server";
export const find = installed("/usr/sbin/mariadbd", "/usr/bin/mariadb-install-db");

const addressOf = (port) => ({ host: "127.0.0.1", port, user: "root", database: "mysql" });
/** Each process has two connections. */
const poolOf = (port) => ({ ...addressOf(port), connectionLimit: 2 });

/** With this option, `execute` of mysql2 fails. */
const typeCast = false;
async function connection(port) {
  const { createConnection } = await importTool("mysql2/promise");
  const made = await createConnection({ ...addressOf(port), typeCast });
  made.on("error", () => {});
  return [made, () => made.end()];
}

export const { clients, open } = storesOf("mysql", {
  async "mysql2, a pool"(port) {
    const made = (await importTool("mysql2/promise")).createPool(poolOf(port));
    return [made, () => made.end()];
  },
  "mysql2, one connection": connection,
  async "mysql2 with callbacks"(port) {
    const made = (await importTool("mysql2")).default.createPool(poolOf(port));
    return [made, () => made.promise().end()];
  },
});

/** Starts MariaDB and creates the store's table. `settings`: its configuration. */
export async function start({ durable = false, settings = {} } = {}) {
  const running = await started({
    async command(port, directory) {
      const user = userOf("mysql", directory);
      const [server, prepare] = find();
      const data = ["--no-defaults", `--datadir=${directory}/data`];
      const how = ["--auth-root-authentication-method=normal", "--skip-test-db"];
      const [file, ...before] = [...user, prepare];
      await output(file, [...before, ...data, ...how], { cwd: directory });
      const socket = `${directory}/socket`;
      const all = { port, socket, "bind-address": "127.0.0.1", max_connections: 300, ...settings };
      return [...user, server, ...data, ...Object.entries(all).map(([key, value]) => `--${key}=${value}`)];
    },
    async isReady(port) {
      const [, close] = (await connection(port).catch(() => undefined)) ?? [];
      await close?.();
      return close !== undefined;
    },
    open,
    kind: { durable },
  });
  return withTable(running);
}
