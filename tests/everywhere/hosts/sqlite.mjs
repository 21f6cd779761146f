// Leases in a SQLite file, by the SQLite that each host brings.

import { output } from "../../support/run.mjs";
import { folder, print, resultIn } from "../lib/project.mjs";
import { nodeOf } from "./node.mjs";
import { bun, deno, MANIFEST, MANUAL } from "./runtimes.mjs";

const PROGRAM = (module, name) => `import { ${name} } from "${module}";
import * as graupel from "graupel";
import * as leases from "graupel/lease";
import { sqlite } from "graupel/lease/sqlite";
import { same, tally } from "./entries.mjs";
import { leaseFrom } from "./leases.mjs";
const result = { core: "WebAssembly", passed: 0, failed: [] };
const store = sqlite(new ${name}("leases.db"), { reach: "alone" });
// A file is slow on a busy machine.
const times = { ttlMs: 5000, quarantineMs: 5000 };
await tally(result, "a lease", () => leaseFrom(graupel, leases, store, times));
await tally(result, "numbers are given back", async () =>
  same((await store.list("everywhere")).filter((record) => record.held).length, 0, "held numbers"));
${print("console.log")}
`;

const NODE = ["node:sqlite", "DatabaseSync"];
const node = (line) => async () => {
  const { version, node } = await nodeOf(line);
  return { version, start: (at, ...args) => output(node, args, { cwd: at() }) };
};

const HOSTS = {
  "Node 22": { by: NODE, load: node("22"), args: ["--no-warnings"] },
  "Node 24": { by: NODE, load: node("24"), args: ["--no-warnings"] },
  Bun: { by: ["bun:sqlite", "Database"], load: bun, args: ["run"] },
  // What a program with a file and a label needs.
  Deno: { by: NODE, load: deno, args: ["run", ...MANUAL, "--no-prompt", "--allow-read", "--allow-write"] },
};

function rowOf([host, { by, load, args }]) {
  const run = async () => {
    const { version, start } = await load();
    const at = folder(`sqlite ${host}`.replace(/\W+/g, "-"), {
      "package.json": MANIFEST,
      "main.mjs": PROGRAM(...by),
    });
    return { version, ...resultIn(await start(at, ...args, "main.mjs")) };
  };
  return { host, how: `leases in ${by[0]}`, core: "WebAssembly", quick: host === "Node 24", run };
}

export const rows = Object.entries(HOSTS).map(rowOf);
