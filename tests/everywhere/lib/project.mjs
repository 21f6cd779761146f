// The user's project: the packed package beside its peers, and a folder for each row, with one program for all hosts.

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

/** In front of the result that a program prints. */
const MARK = "graupel-checks: ";

/** Where the packed package is. */
const packed = join(everywhere, "pack");

/** The packed package, for an installer. */
export const tarball = () => join(packed, readdirSync(packed)[0]);

/** The packages that entries ask for. */
const PEERS = [...new Set(Object.values(WITH_PEER).map(({ peer }) => peer))];

/** The entries that run in no browser and at no edge. */
export const SERVER_ONLY = Object.keys(WITH_PEER).filter((name) => WITH_PEER[name].isServerOnly);

/** A package.json that names all packages, for hosts that want that. */
export const MANIFEST = JSON.stringify({
  name: "row",
  private: true,
  type: "module",
  dependencies: Object.fromEntries(["graupel", ...PEERS].map((name) => [name, "*"])),
});

/** Packs the package, and unpacks it into the project as an installation would; its peers are the repository's own. */
export async function makeProject() {
  rmSync(project, { recursive: true, force: true });
  await unpackInto(installed, await packInto(packed));
  writeFileSync(join(project, "package.json"), '{ "name": "user", "private": true, "type": "module" }\n');
  for (const peer of PEERS) {
    const [from, to] = [fromRoot("node_modules", peer), join(project, "node_modules", peer)];
    // Some entries import nothing of their package, so it may be missing.
    if (!existsSync(from)) continue;
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(from, to);
  }
}

/** What is checked, in modules that every host can load. */
const CHECKS = ["checks.mjs", "entries.mjs", "leases.mjs", "together.mjs", "both.mjs"];

/**
 * A new folder of the project, with the checks, their subjects and the vectors. `files`: their texts, by name. Returns a function for paths
 * in it.
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

/** The entry with each core. */
export const ENTRIES = [
  { entry: "graupel", core: "WebAssembly" },
  { entry: "graupel/pure", core: "JavaScript" },
];

/** The entries of leases that need nothing of their host, and those of single formats, with what each exports. */
const LEASES = ["lease", "lease/redis", "lease/postgres", "lease/etcd"];
const PARTS = {
  sno: "sno",
  nanoflake: "nanoflake",
  snowflake: "discord",
  "snowflake-si": "snowflakeSI",
  "ulid-flake": "ulidFlake",
};

/**
 * The module with what a host loads beside the first entry. `entryOf`: what an entry is called. `has`: what it can have, of entries, leases, parts
 * and peers. `without`: entries that it lacks.
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

/** The program of a row as an expression, where `graupel` and `check` are there. */
export const RUN = (core) => `check(graupel, "${core}")`;

/** What it imports. `up`: the way to the checks. */
export const imports = (entry = "graupel", up = "./") =>
  `import * as graupel from "${entry}";\nimport { check } from "${up}checks.mjs";\n`;

/**
 * The program, which imports the package and runs the checks, and what it loads. `tell`: what it does with `result`. Without `await`, which scripts
 * and old bundles do not have at the top. The others: as `loadedBy` takes them.
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
 * Programs for eight workers: of the host, which is main.mjs, and of the workers. `threads`: those of Node, whose class and port
 * have to be imported.
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

/** A program with both cores, in Node (`required`) also as CommonJS: copies in one process. */
export const bothCores = ({ entryOf = (entry) => entry, tell = print(), required = false } = {}) => ({
  "main.mjs": `${required ? 'import { createRequire } from "node:module";\n' : ""}import * as graupel from "${entryOf("graupel")}";
import * as pure from "${entryOf("graupel/pure")}";
import { both } from "./both.mjs";
const copies = [graupel, pure${required ? ', ...["graupel", "graupel/pure"].map(createRequire(import.meta.url))' : ""}];
const result = both(copies);
${tell}
`,
  "loaded.mjs": loadedBy({ entryOf }),
});

/** The result that a program has printed. */
export function resultIn(printed) {
  const line = printed.split("\n").find((line) => line.includes(MARK));
  if (line === undefined) throw new Error(`no result in the output:\n${printed.slice(-600)}`);
  return JSON.parse(line.slice(line.indexOf(MARK) + MARK.length));
}

/** The version of a package: one that package.json pins here, or one of the repository's own. */
export const versionOf = (name, find = (path) => join(everywhere, "node_modules", path)) =>
  JSON.parse(readFileSync(find(join(name, "package.json")), "utf8")).version;

/** The same, of a tool that the repository itself uses. */
export const ownVersionOf = (name) => versionOf(name, ownTool);

/** Bundles a row's program for a host that has no modules of its own, or takes one file. */
export async function bundled(input, out, options = {}) {
  // Loaded late: a fresh clone has it only after the setup.
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

/** A program as CommonJS, which requires the packages. */
export const asCommonJs = (input, out) =>
  bundled(input, out, { platform: "node", format: "cjs", packages: "external" });

/** For scripts of pages. */
export const asScript = (input, out, options) =>
  bundled(input, out, { platform: "browser", format: "iife", ...options });
