// PgBouncer in front of PostgreSQL: each transaction may run on a different connection.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { installed, listens, started, userOf } from "../lib/program.mjs";
import * as postgres from "./postgres.mjs";

export const install = "apt-get install pgbouncer postgresql";
const PROGRAM = "/usr/sbin/pgbouncer";
export const find = () => installed(PROGRAM)() && postgres.find();
export const { open } = postgres;
/** The other clients of PostgreSQL run the same code of `pg`. */
export const clients = ["pg, a pool", "postgres"];

/** Starts PgBouncer and PostgreSQL. */
export async function start({ durable = false } = {}) {
  const behind = await postgres.start({ durable });
  return started({
    command(port, directory) {
      const lines = [
        "[databases]",
        `postgres = host=127.0.0.1 port=${behind.port} user=postgres`,
        "[pgbouncer]",
        "listen_addr = 127.0.0.1",
        `listen_port = ${port}`,
        "unix_socket_dir =",
        "auth_type = any",
        "pool_mode = transaction",
        "default_pool_size = 5",
        "ignore_startup_parameters = extra_float_digits",
      ];
      writeFileSync(join(directory, "pgbouncer.ini"), `${lines.join("\n")}\n`);
      return [...userOf("postgres", directory), PROGRAM, "pgbouncer.ini"];
    },
    isReady: (port) => listens(port),
    open,
    kind: { durable },
  });
}
