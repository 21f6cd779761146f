// A SQLite file and its clients. It needs no server, but a Node with node:sqlite.

import { join } from "node:path";
import { fetched } from "../../everywhere/lib/tools.mjs";
import { temporary } from "../../support/places.mjs";
import { importBuilt, importTool } from "../lib/places.mjs";

export const install = "nothing";
export const find = () => [];

/** The Node that runs the processes. */
export const program = () => fetched("node-24", "bin/node");

/**
 * Stops a process between two writes. A process that stops during a write blocks all other writers
 * (stories/sqlite.mjs).
 */
export const halt = (child) => child.send("halt");

const CLIENTS = {
  "node:sqlite": async (file) => new (await import("node:sqlite")).DatabaseSync(file),
  "better-sqlite3": async (file) => (await importTool("better-sqlite3")).default(file, { timeout: 0 }),
};
export const clients = Object.keys(CLIENTS);

export async function open({ file, mode, client = "node:sqlite" }) {
  const [{ sqlite }, raw] = await Promise.all([importBuilt("lease/sqlite"), CLIENTS[client](file)]);
  // Other processes may be opening the file, too.
  for (const pragma of [
    "busy_timeout = 5000",
    `journal_mode = ${mode}`,
    "synchronous = FULL",
    "busy_timeout = 0",
  ])
    raw.exec(`PRAGMA ${pragma}`);
  return { store: sqlite(raw, { reach: "alone" }), raw, close: async () => raw.close() };
}

/** Makes a new file. `mode`: its journal mode. */
export async function start({ mode = "WAL" } = {}) {
  const file = join(temporary("sqlite"), "leases.db");
  return {
    connection: (options) => ({ file, mode, ...options }),
    kill: async () => {},
  };
}
