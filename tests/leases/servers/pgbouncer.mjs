// PgBouncer in front of a PostgreSQL: each transaction may run on another connection.

import { writeFileSync } from "node:fs";
import { connect as connectTo } from "node:net";
import { join } from "node:path";
import { freePort, temporary } from "../../support/places.mjs";
import { started } from "../lib/program.mjs";
import { firstOf, userOf } from "../lib/user.mjs";
import * as postgres from "./postgres.mjs";

export const name = "PgBouncer";
export const packages = ["pgbouncer", ...postgres.packages];
export const install = "apt-get install pgbouncer postgresql";

/** The paths of the programs. */
export function find() {
  const pooler = firstOf("/usr/sbin/pgbouncer");
  const server = postgres.find();
  return pooler && server && [pooler, ...server];
}

export const { clients, open } = postgres;

/** Starts both. Stopping the server behind is the caller's: `behind`. */
export async function start({ durable = false } = {}) {
  const behind = await postgres.start({ durable });
  const [directory, port] = [temporary("pgbouncer"), await freePort()];
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
  const isReady = () =>
    new Promise((done) => {
      const socket = connectTo(port, "127.0.0.1", () => done(true));
      socket.once("connect", () => socket.destroy()).once("error", () => done(false));
    });
  const command = [...userOf("postgres", directory), find()[0], "pgbouncer.ini"];
  const running = await started({
    ...{ command, directory, port, isReady },
    connect: (options) => open({ port, durable, ...options }),
    connection: (options) => ({ port, durable, ...options }),
  });
  return { ...running, behind };
}
