// A SQLite file, and its clients. No server, but a Node that has node:sqlite.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { fetched } from "../../everywhere/lib/tools.mjs";
import { temporary } from "../../support/places.mjs";
import { importBuilt, importTool } from "../lib/places.mjs";

export const name = "SQLite";
export const packages = [];
export const install = "nothing";

/** The paths of the programs: none is needed. */
export const find = () => [];

/** The Node that processes run in. */
export const program = () => fetched("node-24", "bin/node");

/** Stops a process between two writes. One that stops in the middle of a write keeps all others from writing (stories/sqlite.mjs). */
export const halt = (child) => child.send("halt");

async function nodeSqlite(file) {
  const { DatabaseSync } = await import("node:sqlite");
  return new DatabaseSync(file);
}

async function betterSqlite(file) {
  const { default: Database } = await importTool("better-sqlite3");
  return new Database(file, { timeout: 0 });
}

const CLIENTS = { "node:sqlite": nodeSqlite, "better-sqlite3": betterSqlite };
export const clients = Object.keys(CLIENTS);

/** A store with a connection of its own. `raw`: the connection. */
export async function open({ file, mode, client = "node:sqlite" }) {
  const [{ sqlite }, raw] = await Promise.all([importBuilt("lease/sqlite"), CLIENTS[client](file)]);
  // Others may be opening it, too.
  raw.exec("PRAGMA busy_timeout = 5000");
  raw.exec(`PRAGMA journal_mode = ${mode}`);
  raw.exec("PRAGMA synchronous = FULL");
  raw.exec("PRAGMA busy_timeout = 0");
  return { store: sqlite(raw, { reach: "alone" }), raw, close: async () => raw.close() };
}

/** A new file. `mode`: its journal. */
export async function start({ mode = "WAL" } = {}) {
  const file = join(temporary("sqlite"), "leases.db");
  return {
    connection: (options) => ({ file, mode, ...options }),
    connect: (options) => open({ file, mode, ...options }),
    /** Deletes it, with all that belongs to it. */
    remove() {
      for (const ending of ["", "-wal", "-shm", "-journal"]) rmSync(file + ending, { force: true });
    },
    stop: async () => {},
    kill: async () => {},
  };
}
