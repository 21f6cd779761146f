// Leases in a SQLite file, by the SQLite that each host brings.

import { tool } from "../lib/places.mjs";
import { folder, print, resultIn, versionOf } from "../lib/project.mjs";
import { output } from "../lib/run.mjs";
import { fetched, pinned } from "../lib/tools.mjs";
import { nodeOf } from "./node.mjs";

const PROGRAM = (module, name) => `import { ${name} } from "${module}";
import * as graupel from "graupel";
import * as leases from "graupel/lease";
import { sqlite } from "graupel/lease/sqlite";
import { leaseFrom } from "./leases.mjs";
const result = { core: "WebAssembly", passed: 0, failed: [] };
const store = sqlite(new ${name}("leases.db"), { reach: "alone" });
try {
  // A file is slow on a busy machine.
  await leaseFrom(graupel, leases, store, { ttlMs: 5000, quarantineMs: 5000 });
  result.passed++;
  const held = (await store.list("everywhere")).filter((record) => record.held);
  if (held.length > 0) throw new Error("a number was not given back");
  result.passed++;
} catch (error) {
  result.failed.push({ name: "a lease", message: String(error && error.stack) });
}
${print("console.log")}
`;

const MANIFEST = JSON.stringify({
  name: "row",
  private: true,
  type: "module",
  dependencies: { graupel: "*" },
});

const NODE = ["node:sqlite", "DatabaseSync"];

const HOSTS = {
  "Node 22": { by: NODE, load: () => node("22"), args: ["--no-warnings"] },
  "Node 24": { by: NODE, load: () => node("24"), args: ["--no-warnings"] },
  Bun: { by: ["bun:sqlite", "Database"], load: bun, args: ["run"] },
  Deno: {
    by: NODE,
    load: deno,
    // What a program with a file and a label needs.
    args: [
      "run",
      "--node-modules-dir=manual",
      "--cached-only",
      "--no-prompt",
      "--allow-read",
      "--allow-write",
    ],
  },
};

async function node(line) {
  const { version, node: program } = await nodeOf(line);
  return { version, command: [program] };
}

async function bun() {
  return { version: pinned("bun"), command: [await fetched("bun", "bin/bun")] };
}

async function deno() {
  return { version: versionOf("deno"), command: [process.execPath, tool("deno", "bin.cjs")] };
}

function rowOf([host, { by, load, args }]) {
  const run = async () => {
    const { version, command } = await load();
    const at = folder(`sqlite ${host}`.replace(/\W+/g, "-"), {
      "package.json": MANIFEST,
      "main.mjs": PROGRAM(...by),
    });
    const [file, ...first] = command;
    const env = { DENO_DIR: at("cache"), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
    const printed = await output(file, [...first, ...args, "main.mjs"], { cwd: at(), env });
    return { version, ...resultIn(printed) };
  };
  return { host, how: `leases in ${by[0]}`, core: "WebAssembly", quick: host === "Node 24", run };
}

export const rows = Object.entries(HOSTS).map(rowOf);
