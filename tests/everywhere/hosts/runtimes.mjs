// Node, Bun and Deno: as an ES module, with require, through loaders, in threads, with permissions,
// without WebAssembly and as a single file; also with the peers, and with leases in each runtime's
// built-in SQLite.

import { copyFileSync, rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { tool as ownTool } from "../../../xtask/lib/process.mjs";
import { output } from "../../support/run.mjs";
import { everywhere, tool } from "../lib/places.mjs";
import {
  asCommonJs,
  bundled,
  ENTRIES,
  eightWorkers,
  MANIFEST,
  print,
  program,
  resultIn,
  versionOf,
} from "../lib/project.mjs";
import { fetched, pinned } from "../lib/tools.mjs";

/**
 * The Node program of a major version. It is the running one if that has the same major version.
 */
export async function nodeOf(line) {
  const here = process.versions.node;
  if (here.split(".")[0] === line) return { version: here, program: process.execPath };
  return { version: pinned(`node-${line}`), program: await fetched(`node-${line}`, "bin/node") };
}

const bun = async () => ({ version: pinned("bun"), program: await fetched("bun", "bin/bun") });

const deno = () => ({ version: versionOf("deno"), program: process.execPath });
const DENO = [tool("deno", "bin.cjs"), "run", "--node-modules-dir=manual", "--cached-only", "--no-prompt"];

/** A TypeScript file that tsx loads as CommonJS. */
const TSX = pathToFileURL(ownTool("tsx/dist/loader.mjs")).href;

/** A loader, as in Node's documentation, that passes the source of each CommonJS file to Node. */
const LOADER = `import { readFile } from "node:fs/promises";
import { register } from "node:module";
export async function load(url, context, next) {
  const loaded = await next(url, context);
  return loaded.format === "commonjs" ? { ...loaded, source: await readFile(new URL(url)) } : loaded;
}
if (!import.meta.url.endsWith("?hooks")) register("./loader.mjs?hooks", import.meta.url);
`;

const THREAD = `import { Worker } from "node:worker_threads";
const worker = new Worker(new URL("./main.mjs", import.meta.url));
await new Promise((done, fail) => worker.on("exit", done).on("error", fail));
`;

/** The worker closes itself, because Deno would otherwise wait for it. */
const WORKER = `const worker = new Worker(new URL("./main.mjs", import.meta.url), { type: "module" });
worker.onerror = (event) => { throw new Error(event.message); };
`;

const SQLITE = (module, name) => `import { ${name} } from "${module}";
import * as graupel from "graupel";
import * as leases from "graupel/lease";
import { sqlite } from "graupel/lease/sqlite";
import { same, tally } from "./entries.mjs";
import { leaseFrom } from "./leases.mjs";
const result = { core: "WebAssembly", passed: 0, failed: [] };
const store = sqlite(new ${name}("leases.db"), { reach: "alone" });
// A file is slow.
const times = { ttlMs: 5000, quarantineMs: 5000 };
await tally(result, "a lease", () => leaseFrom(graupel, leases, store, times));
await tally(result, "numbers are given back", async () =>
  same((await store.list("everywhere")).filter((record) => record.held).length, 0, "held numbers"));
${print()}
`;
const sqlite = (module, name) => ({
  how: `leases in ${module}`,
  files: { "main.mjs": SQLITE(module, name) },
});

const PEERS = { has: ["peers"] };
const PURE = { entry: "graupel/pure", core: "JavaScript" };
const required = (way) => ({ ...way, start: "main.cjs" });

/** The marker that Node looks for in a single executable application. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Builds a single executable application: the bundled program inside a copy of Node. */
async function executable(run, at, node) {
  await bundled(at("main.mjs"), at("bundle.cjs"), { platform: "node", format: "cjs" });
  await run("--experimental-sea-config", "sea.json");
  copyFileSync(node, at("program"));
  const inject = [tool("postject", "dist", "cli.js"), "program", "NODE_SEA_BLOB", "blob"];
  await output(process.execPath, [...inject, "--sentinel-fuse", FUSE], { cwd: at() });
  const printed = await output(at("program"), [], { cwd: everywhere });
  rmSync(at("program"));
  return printed;
}
const SEA = JSON.stringify({ main: "bundle.cjs", output: "blob", disableExperimentalSEAWarning: true });

/**
 * How the package is loaded. `start`: the file to run; `flags`: its flags; `files`: replaces the
 * program, which loads `entry` and the entries in `more`; `go`: replaces the single command and
 * gets a function that runs one.
 */
const nodeWays = (line) => [
  { how: "import" },
  required({ how: "require" }),
  { how: "worker thread", start: "worker.mjs", more: { "worker.mjs": THREAD } },
  { how: "tsx, .cts", start: "main.cts", flags: () => ["--import", TSX] },
  required({
    how: "loader with CommonJS source",
    more: { "loader.mjs": LOADER },
    flags: (at) => ["--import", pathToFileURL(at("loader.mjs")).href],
  }),
  {
    how: "--permission",
    flags: (at) => [
      Number(line) >= 24 ? "--permission" : "--experimental-permission",
      `--allow-fs-read=${at("..")}/*`,
    ],
  },
  { how: "--jitless, graupel/pure", ...PURE, flags: () => ["--jitless"] },
  { how: "graupel/pure", ...PURE },
  required({ how: "require, graupel/pure", ...PURE }),
  { how: "eight threads together", files: eightWorkers({ threads: true }) },
  { how: "with peers, import", loads: PEERS },
  required({ how: "with peers, require", loads: PEERS }),
  { how: "single executable", go: executable, more: { "sea.json": SEA } },
  ...(["22", "24"].includes(line) ? [sqlite("node:sqlite", "DatabaseSync")] : []),
];

/** A way of loading with each entry. */
const each = (way) => ENTRIES.map((one) => ({ ...way, ...one, how: `${way.how}, ${one.entry}` }));

const BUN = [
  { how: "run" },
  {
    how: "build",
    async go(run) {
      await run("build", "main.mjs", "--target=bun", "--outfile=out/out.mjs");
      return run("run", "out/out.mjs");
    },
  },
  {
    how: "build --compile",
    async go(run, at) {
      await run("build", "main.mjs", "--compile", "--outfile=out/program");
      return output(at("out", "program"), [], { cwd: at() });
    },
  },
  required({ how: "run, require" }),
];

const READ = (at) => [`--allow-read=${at("..")}`];
const ALL = () => ["--allow-env", "--allow-read", "--allow-write"];
const DENO_WAYS = [
  { how: "run, no permission" },
  // Deno needs this permission to read a worker's file.
  {
    how: "worker, may read",
    start: "worker.mjs",
    more: { "worker.mjs": WORKER },
    flags: READ,
    tell: `${print()} close();`,
  },
  {
    how: "bundle",
    async go(run) {
      const [deno, , manual] = DENO;
      await run(deno, "bundle", manual, "--output=out/out.mjs", "main.mjs");
      return run(deno, "run", "--no-prompt", "out/out.mjs");
    },
  },
];

const RUNTIMES = [
  ...["20", "22", "24", "26"].map((line) => ({
    host: `Node ${line}`,
    load: () => nodeOf(line),
    first: ["--no-warnings"],
    quick: ["20", "24"].includes(line),
    ways: nodeWays(line),
  })),
  {
    host: "Bun",
    load: bun,
    first: ["run"],
    ways: [
      ...BUN.flatMap(each),
      { how: "eight workers together", files: eightWorkers() },
      { how: "with peers, run", loads: PEERS },
      required({ how: "with peers, run, require", loads: PEERS }),
      sqlite("bun:sqlite", "Database"),
    ],
  },
  {
    host: "Deno",
    load: deno,
    first: DENO,
    ways: [
      ...DENO_WAYS.flatMap(each),
      { how: "eight workers together, may read", files: eightWorkers(), flags: READ },
      // TypeORM reads the environment and files next to the program.
      { how: "with peers, run", loads: PEERS, flags: ALL },
      { ...sqlite("node:sqlite", "DatabaseSync"), flags: ALL },
    ],
  },
];

function rowOf({ host, load, first, quick = false }, way) {
  const { how, start = "main.mjs", core = "WebAssembly", entry, loads, tell, more, go } = way;
  const own = way.files ?? program({ core, entry, tell, ...loads });
  async function run(at) {
    const { version, program: file } = await load();
    if (start.startsWith("main.c")) await asCommonJs(at("main.mjs"), at(start));
    const env = { DENO_DIR: at("cache"), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" };
    const command = (...args) => output(file, args, { cwd: at(), env });
    const printed = go
      ? await go(command, at, file)
      : await command(...first, ...(way.flags?.(at) ?? []), start);
    return { version, ...resultIn(printed) };
  }
  // --quick does not install the tool that makes an executable.
  return {
    ...{ host, how, core, run },
    quick: quick && !go,
    files: () => ({ "package.json": MANIFEST, ...own, ...more }),
  };
}

export const rows = RUNTIMES.flatMap((runtime) => runtime.ways.map((way) => rowOf(runtime, way)));
