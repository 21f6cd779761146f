// Node: as a module, by require, through loaders, in a worker thread, with permissions, and without WebAssembly.

import { copyFileSync, rmSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { tool as ownTool } from "../../../xtask/lib/process.mjs";
import { output } from "../../support/run.mjs";
import { bundled } from "../lib/bundle.mjs";
import { everywhere, tool } from "../lib/places.mjs";
import {
  bothCores,
  eightWorkers,
  folder,
  LEASES_REQUIRED,
  LOADED_REQUIRED,
  print,
  program,
  resultIn,
} from "../lib/project.mjs";
import { fetched, pinned } from "../lib/tools.mjs";

/** The major versions, and whether --quick runs them. */
const LINES = [
  { line: "20", quick: true },
  { line: "22", quick: false },
  { line: "24", quick: true },
  { line: "26", quick: false },
];

/** The program of a major version: the one that runs this, if it is of that version. */
export async function nodeOf(line) {
  const here = process.versions.node;
  if (here.split(".")[0] === line) return { version: here, node: process.execPath };
  return { version: pinned(`node-${line}`), node: await fetched(`node-${line}`, "bin/node") };
}

const REQUIRED = (core, entry) => `const graupel = require("${entry}");
const entries = ${LOADED_REQUIRED};
${LEASES_REQUIRED}(async () => {
  const { check } = await import("./checks.mjs");
  const { checkLeases } = await import("./leases.mjs");
  const { shared } = await import("./both.mjs");
  const { default: vectors } = await import("./vectors.mjs");
  const result = await checkLeases(graupel, leases, await check(graupel, "${core}", vectors, entries));
  const { passed, failed } = shared([graupel, await import("${entry}")]);
  result.passed += passed;
  result.failed.push(...failed);
  ${print("console.log")}
})();
`;

/** A TypeScript file, as CommonJS. */
const TYPED = (core) => `import * as graupel from "graupel";
import { sno } from "graupel/sno";
import("./checks.mjs").then(async ({ check }) => {
  const { default: vectors } = await import("./vectors.mjs");
  const result = await check(graupel, "${core}", vectors);
  const id: string = sno.next();
  if (!graupel.sno.isValid(id)) throw new Error("an ID of another entry");
  ${print("console.log")}
});
`;

/** A loader, as Node's documentation has it, that gives Node the source of each CommonJS file. */
const LOADER = `import { readFile } from "node:fs/promises";
import { register } from "node:module";
export async function load(url, context, next) {
  const loaded = await next(url, context);
  return loaded.format === "commonjs" ? { ...loaded, source: await readFile(new URL(url)) } : loaded;
}
if (!import.meta.url.endsWith("?hooks")) register("./loader.mjs?hooks", import.meta.url);
`;

const WORKER = `import { Worker } from "node:worker_threads";
const worker = new Worker(new URL("./main.mjs", import.meta.url));
await new Promise((done, fail) => worker.on("exit", done).on("error", fail));
`;

const permission = (line) => (Number(line) >= 24 ? "--permission" : "--experimental-permission");

const TSX = pathToFileURL(ownTool("tsx/dist/loader.mjs")).href;

/** How the package is loaded, by name: flags of Node, the files, the one that is run. */
const WAYS = {
  import: { start: "main.mjs" },
  require: { start: "main.cjs" },
  "worker thread": { start: "worker.mjs" },
  "tsx, .cts": { start: "main.cts", flags: () => ["--import", TSX] },
  "loader with CommonJS source": {
    start: "main.cjs",
    flags: (_, at) => ["--import", pathToFileURL(at("loader.mjs")).href],
  },
  "--permission": {
    start: "main.mjs",
    flags: (line, at) => [permission(line), `--allow-fs-read=${at("..")}/*`],
  },
  "--jitless, graupel/pure": {
    start: "main.mjs",
    flags: () => ["--jitless"],
    core: "JavaScript",
    entry: "graupel/pure",
  },
  "graupel/pure": { start: "main.mjs", core: "JavaScript", entry: "graupel/pure" },
  "require, graupel/pure": { start: "main.cjs", core: "JavaScript", entry: "graupel/pure" },
  "eight threads together": {
    start: "main.mjs",
    files: eightWorkers({ core: "WebAssembly", threads: true }),
  },
  "both cores": { start: "main.mjs", core: "both", files: { "main.mjs": bothCores() } },
};

function rowOf({ line, quick }, [how, way]) {
  const { start, flags = () => [], core = "WebAssembly", entry = "graupel", files = {} } = way;
  const run = async () => {
    const { version, node } = await nodeOf(line);
    const at = folder(`node-${line}-${how.replace(/\W+/g, "-")}`, {
      "main.mjs": program({ core, entry }),
      "main.cjs": REQUIRED(core, entry),
      "main.cts": TYPED(core),
      "loader.mjs": LOADER,
      "worker.mjs": WORKER,
      ...files,
    });
    const printed = await output(node, [...flags(line, at), at(start)], { cwd: at() });
    return { version, ...resultIn(printed) };
  };
  return { host: `Node ${line}`, how, core, quick, run };
}

/** What Node looks for in a program that carries an application. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** A single executable application: the bundled program inside a copy of Node. */
function executableRow({ line }) {
  const core = "WebAssembly";
  const run = async () => {
    const { version, node } = await nodeOf(line);
    const at = folder(`node-${line}-executable`, {
      "main.mjs": program({ core }),
      "sea.json": JSON.stringify({ main: "bundle.cjs", output: "blob", disableExperimentalSEAWarning: true }),
    });
    await bundled(at("main.mjs"), at("bundle.cjs"), { platform: "node", format: "cjs" });
    await output(node, ["--experimental-sea-config", "sea.json"], { cwd: at() });
    copyFileSync(node, at("program"));
    const inject = [tool("postject", "dist", "cli.js"), "program", "NODE_SEA_BLOB", "blob"];
    await output(process.execPath, [...inject, "--sentinel-fuse", FUSE], { cwd: at() });
    const printed = await output(at("program"), [], { cwd: everywhere });
    rmSync(at("program"));
    return { version, ...resultIn(printed) };
  };
  return { host: `Node ${line}`, how: "single executable", core, quick: false, run };
}

export const rows = LINES.flatMap((line) => [
  ...Object.entries(WAYS).map((way) => rowOf(line, way)),
  executableRow(line),
]);
