// The user's project: the packed package with its peers, and a folder for each row. All hosts run
// the same program.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fromRoot, tool as ownTool } from "../../../xtask/lib/process.mjs";
import { packInto, unpackInto } from "../../../xtask/lib/tarball.mjs";
import { ALONE, WITH_PEER } from "../entries.mjs";
import { chosenVectors, subjects } from "../vectors.mjs";
import { everywhere, here, installed, project } from "./places.mjs";

/** The prefix of the result that a program prints. */
const MARK = "graupel-checks: ";

/** The folder of the packed package. */
const packed = join(everywhere, "pack");

/** The packed package, for a package manager. */
export const tarball = () => join(packed, readdirSync(packed)[0]);

/** The peers of the entries. */
const PEERS = [...new Set(Object.values(WITH_PEER).map(({ peer }) => peer))];

/** The entries that run neither in browsers nor at the edge. */
export const SERVER_ONLY = Object.keys(WITH_PEER).filter((name) => WITH_PEER[name].isServerOnly);

/** A package.json with all packages, for hosts that need one. */
export const MANIFEST = JSON.stringify({
  name: "row",
  private: true,
  type: "module",
  dependencies: Object.fromEntries(["graupel", ...PEERS].map((name) => [name, "*"])),
});

/**
 * Packs the package and unpacks it into the project like an installation. Its peers are the
 * repository's own.
 */
export async function makeProject() {
  rmSync(project, { recursive: true, force: true });
  await unpackInto(installed, await packInto(packed));
  writeFileSync(join(project, "package.json"), '{ "name": "user", "private": true, "type": "module" }\n');
  for (const peer of PEERS) {
    const [from, to] = [fromRoot("node_modules", peer), join(project, "node_modules", peer)];
    // Some entries import nothing from their peer, so the peer may be missing.
    if (!existsSync(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
  }
}

/** The modules with the checks, which every host can load. */
const CHECKS = ["checks.mjs", "entries.mjs", "leases.mjs", "together.mjs"];

/**
 * Makes a new folder in the project with the checks, their subjects and the vectors. `files`: their
 * texts by name. Returns a function that resolves paths in the folder.
 */
export function folder(name, files = {}) {
  const directory = join(project, name.replace(/[^\w./]+/g, "-"));
  rmSync(directory, { recursive: true, force: true });
  for (const [file, text] of Object.entries({
    ...Object.fromEntries(CHECKS.map((file) => [file, readFileSync(join(here, file), "utf8")])),
    "vectors.mjs": `export default ${JSON.stringify(chosenVectors(), null, 1)};\n`,
    "subjects.mjs": `export default ${JSON.stringify(subjects(), null, 1)};\n`,
    "loaded.mjs": loadedBy(),
    ...files,
  })) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
  return (...path) => join(directory, ...path);
}

/** The entry of each core. */
export const ENTRIES = [
  { entry: "graupel", core: "WebAssembly" },
  { entry: "graupel/pure", core: "JavaScript" },
];

/**
 * The lease entries that need nothing from their host, and the entries of single formats with their
 * exports.
 */
const LEASES = ["lease", "lease/redis", "lease/postgres", "lease/etcd"];
const PARTS = {
  sno: "sno",
  nanoflake: "nanoflake",
  snowflake: "discord",
  "snowflake-si": "snowflakeSI",
  "ulid-flake": "ulidFlake",
};

/**
 * The module with the entries that a host loads besides the main one. `entryOf`: maps an entry to
 * its specifier. `has`: the supported kinds of entries, leases, parts and peers. `without`: the
 * entries to leave out.
 */
export function loadedBy({
  entry = "graupel",
  entryOf = (name) => name,
  has = ["entries", "leases", "parts"],
  without = [],
} = {}) {
  const groups = {
    entries: [
      ...(has.includes("entries") ? Object.keys(ALONE) : []),
      ...(has.includes("peers") ? Object.keys(WITH_PEER) : []),
    ].filter((name) => !without.includes(name)),
    leases: has.includes("leases") ? LEASES : [],
    parts: has.includes("parts") ? Object.keys(PARTS) : [],
  };
  let imports = "";
  const objects = Object.entries(groups).map(([group, names]) => {
    const members = names.map((name, i) => {
      const path = group === "parts" ? `${entry}/${name}` : `graupel/${name}`;
      imports += `import * as ${group}${i} from "${entryOf(path)}";\n`;
      return `"${name}": ${group}${i}`;
    });
    return `${group}: { ${members.join(", ")} }`;
  });
  const exported = { parts: PARTS, without: has.length > 0 ? without : Object.keys(ALONE) };
  return `${imports}export default { ${objects.join(", ")}, exported: ${JSON.stringify(exported)} };\n`;
}

/** Code that prints `result`. */
export const print = (call = "console.log") => `${call}("${MARK}" + JSON.stringify(result));`;

/** The row's program as an expression in which `graupel` and `check` are in scope. */
export const RUN = (core) => `check(graupel, "${core}")`;

/** The program's imports. `up`: the path to the checks. */
export const imports = (entry = "graupel", up = "./") =>
  `import * as graupel from "${entry}";\nimport { check } from "${up}checks.mjs";\n`;

/**
 * The program, which imports the package and runs the checks, and the modules that it loads.
 * `tell`: handles `result`. It uses no `await`, because scripts and old bundles have no top-level
 * await. The other options are passed to `loadedBy`.
 */
export const program = ({
  core,
  entry = "graupel",
  entryOf = (name) => name,
  tell = print(),
  ...loaded
}) => ({
  "main.mjs": `${imports(entryOf(entry))}${RUN(core)}.then((result) => {\n  ${tell}\n});\n`,
  "loaded.mjs": loadedBy({ entry, entryOf, ...loaded }),
});

/**
 * Programs with eight workers: main.mjs for the host, and one for the workers. `threads`: uses
 * Node's worker threads, whose class and port must be imported.
 */
export function eightWorkers({ entry = "graupel", threads = false, tell = print() } = {}) {
  const head = `${threads ? 'import { parentPort, Worker } from "node:worker_threads";\n' : ""}import * as graupel from "${entry}";`;
  return {
    "main.mjs": `${head}
import { together } from "./together.mjs";
const start = () => new Worker(new URL("./one.mjs", import.meta.url), { type: "module" });
together(graupel, start).then((result) => {
  ${tell}
});
`,
    "one.mjs": `${head}
import { worker } from "./together.mjs";
worker(graupel, ${threads ? "parentPort" : "globalThis"});
`,
  };
}

/** Reads the result from a program's output. */
export function resultIn(printed) {
  const line = printed.split("\n").find((line) => line.includes(MARK));
  if (line === undefined) throw new Error(`no result in the output:\n${printed.slice(-600)}`);
  return JSON.parse(line.slice(line.indexOf(MARK) + MARK.length));
}

/** The version of a package that package.json pins here, or of one in the repository. */
export const versionOf = (name, find = (path) => join(everywhere, "node_modules", path)) =>
  JSON.parse(readFileSync(find(join(name, "package.json")), "utf8")).version;

/** The same, for a tool of the repository itself. */
export const ownVersionOf = (name) => versionOf(name, ownTool);

/** Bundles a row's program for a host that has no modules or that takes a single file. */
export async function bundled(input, out, options = {}) {
  // Import esbuild lazily: a fresh clone has it only after the setup.
  const { build } = await import("esbuild");
  await build({
    entryPoints: [input],
    outfile: out,
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    logLevel: "silent",
    ...options,
  });
}

/** Compiles a program to CommonJS, which requires the packages. */
export const asCommonJs = (input, out) =>
  bundled(input, out, { platform: "node", format: "cjs", packages: "external" });

/** Bundles a program as a script for a page. */
export const asScript = (input, out, options) =>
  bundled(input, out, { platform: "browser", format: "iife", ...options });
