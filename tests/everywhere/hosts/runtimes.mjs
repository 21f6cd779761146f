// Bun and Deno, and the programs that they make.

import { output } from "../../support/run.mjs";
import { tool } from "../lib/places.mjs";
import {
  bothCores,
  ENTRIES,
  eightWorkers,
  folder,
  print,
  program,
  required,
  resultIn,
  versionOf,
} from "../lib/project.mjs";
import { fetched, pinned } from "../lib/tools.mjs";

export const MANIFEST = JSON.stringify({
  name: "row",
  private: true,
  type: "module",
  dependencies: { graupel: "*" },
});

/** The worker closes itself: Deno waits for it otherwise. */
const WORKER = `const worker = new Worker(new URL("./inner.mjs", import.meta.url), { type: "module" });
worker.onerror = (event) => { throw new Error(event.message); };
`;

export const bun = async () => {
  const file = await fetched("bun", "bin/bun");
  return { version: pinned("bun"), start: (at, ...args) => output(file, args, { cwd: at() }) };
};

/** Without permissions, and without the network. */
export const deno = async () => ({
  version: versionOf("deno"),
  start: (at, ...args) =>
    output(process.execPath, [tool("deno", "bin.cjs"), ...args], {
      cwd: at(),
      env: { DENO_DIR: at("cache"), DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
    }),
});
export const MANUAL = ["--node-modules-dir=manual", "--cached-only"];

const WAYS = [
  { host: "Bun", how: "run", load: bun, go: (start, at) => start(at, "run", "main.mjs") },
  {
    host: "Bun",
    how: "build",
    load: bun,
    async go(start, at) {
      await start(at, "build", "main.mjs", "--target=bun", "--outfile=out/out.mjs");
      return start(at, "run", "out/out.mjs");
    },
  },
  {
    host: "Bun",
    how: "build --compile",
    load: bun,
    async go(start, at) {
      await start(at, "build", "main.mjs", "--compile", "--outfile=out/program");
      return output(at("out", "program"), [], { cwd: at() });
    },
  },
  { host: "Bun", how: "run, require", load: bun, go: (start, at) => start(at, "run", "main.cjs") },
  {
    host: "Deno",
    how: "run, no permission",
    load: deno,
    go: (start, at) => start(at, "run", ...MANUAL, "--no-prompt", "main.mjs"),
  },
  {
    host: "Deno",
    how: "worker, may read",
    load: deno,
    // Deno itself asks for this, to read a worker's file.
    go: (start, at) => start(at, "run", ...MANUAL, "--no-prompt", `--allow-read=${at("..")}`, "worker.mjs"),
  },
  {
    host: "Deno",
    how: "bundle",
    load: deno,
    async go(start, at) {
      await start(at, "bundle", "--node-modules-dir=manual", "--output=out/out.mjs", "main.mjs");
      return start(at, "run", "--no-prompt", "out/out.mjs");
    },
  },
];

function rowOf({ host, how, load, go }, { entry, core }) {
  const run = async () => {
    const { version, start } = await load();
    const at = folder(`${host} ${how} ${entry}`.replace(/\W+/g, "-"), {
      "package.json": MANIFEST,
      "main.mjs": program({ core, entry }),
      "worker.mjs": WORKER,
      "inner.mjs": program({ core, entry, tell: `${print("console.log")} close();` }),
      "main.cjs": required({ core, entry }),
    });
    return { version, ...resultIn(await go(start, at)) };
  };
  return { host, how: `${how}, ${entry}`, core, run };
}

/** What both have besides: rows with programs of their own. */
const BESIDE = [
  { host: "Bun", how: "eight workers together", load: bun, flags: () => [] },
  {
    host: "Deno",
    how: "eight workers together, may read",
    load: deno,
    flags: (at) => [...MANUAL, "--no-prompt", `--allow-read=${at("..")}`],
  },
].map((row) => ({ ...row, core: "WebAssembly", files: eightWorkers({ core: "WebAssembly" }) }));

const BOTH = [
  { host: "Bun", how: "both cores", load: bun, flags: () => [] },
  { host: "Deno", how: "both cores", load: deno, flags: () => [...MANUAL, "--no-prompt"] },
].map((row) => ({ ...row, core: "both", files: { "main.mjs": bothCores() } }));

function besideRow({ host, how, load, flags, core, files }) {
  const run = async () => {
    const { version, start } = await load();
    const at = folder(`${host} ${how}`.replace(/\W+/g, "-"), { "package.json": MANIFEST, ...files });
    return { version, ...resultIn(await start(at, "run", ...flags(at), "main.mjs")) };
  };
  return { host, how, core, run };
}

export const rows = [
  ...WAYS.flatMap((way) => ENTRIES.map((entry) => rowOf(way, entry))),
  ...[...BESIDE, ...BOTH].map(besideRow),
];
