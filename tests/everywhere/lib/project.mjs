// The user's project: the packed package, and a folder for each row.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { tool as ownTool } from "../../../xtask/lib/process.mjs";
import { packInto, unpackInto } from "../../../xtask/lib/tarball.mjs";
import { ALONE } from "../entries.mjs";
import { subjects } from "../subjects.mjs";
import { chosenVectors } from "../vectors.mjs";
import { everywhere, here, installed, project } from "./places.mjs";

/** In front of the result that a program prints. */
const MARK = "graupel-checks: ";

/** Where the packed package is. */
const packed = join(everywhere, "pack");

/** The packed package, for an installer. */
export const tarball = () => join(packed, readdirSync(packed)[0]);

/** Packs the package, and unpacks it into the project as an installation would. */
export async function makeProject() {
  rmSync(project, { recursive: true, force: true });
  const made = await packInto(packed);
  await unpackInto(installed, made);
  writeFileSync(join(project, "package.json"), '{ "name": "user", "private": true, "type": "module" }\n');
  return basename(made);
}

/** What is checked, in modules that every host can load. */
const CHECKS = ["checks.mjs", "entries.mjs", "leases.mjs", "together.mjs", "both.mjs"];

/** The module that loads the entries beside the formats. `entryOf`: what an entry is called. */
export const loadedBy = (entryOf) => {
  const names = Object.keys(ALONE);
  const imports = names.map((name, i) => `import * as entry${i} from "${entryOf(`graupel/${name}`)}";\n`);
  const entries = names.map((name, i) => `"${name}": entry${i}`);
  return `${imports.join("")}export default { ${entries.join(", ")} };\n`;
};

/** The same for a host that cannot read them. */
export const NOT_LOADED = "export default null;\n";

/** The same entries by `require`, as one object. */
export const LOADED_REQUIRED = `{ ${Object.keys(ALONE)
  .map((name) => `"${name}": require("graupel/${name}")`)
  .join(", ")} }`;

/**
 * A new folder of the project, with the checks, their subjects and the vectors. `files`: their texts, by name. Returns a function for paths
 * in it.
 */
export function folder(name, files = {}) {
  const directory = join(project, name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const file of CHECKS) copyFileSync(join(here, file), join(directory, file));
  const vectors = JSON.stringify(chosenVectors(), null, 1);
  const data = {
    "vectors.mjs": `export default ${vectors};\n`,
    "subjects.mjs": `export default ${JSON.stringify(subjects(), null, 1)};\n`,
    "loaded.mjs": loadedBy((entry) => entry),
  };
  const all = { ...data, ...files };
  for (const [file, text] of Object.entries(all)) {
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

/** The entries of single formats, and what each exports. */
export const PARTS = [
  ["/sno", "sno"],
  ["/nanoflake", "nanoflake"],
  ["/snowflake", "discord"],
  ["/snowflake-si", "snowflakeSI"],
  ["/ulid-flake", "ulidFlake"],
];

/** The entries of leases that need nothing of their host. */
const LEASES = ["lease", "lease/redis", "lease/postgres", "lease/etcd"];

/** Code that imports these entries as one object, `leases`. `entryOf`: what an entry is called. */
export const LEASES_IMPORTED = (entryOf) =>
  `${LEASES.map((entry, i) => `import * as lease${i} from "${entryOf(`graupel/${entry}`)}";\n`).join("")}import { checkLeases } from "./leases.mjs";
const leases = { ${LEASES.map((_, i) => `...lease${i}`).join(", ")} };
`;
/** The same by `require`. */
export const LEASES_REQUIRED = `const leases = { ${LEASES.map((entry) => `...require("graupel/${entry}")`).join(", ")} };
`;

/** Code that imports the entries of single formats too, and code that checks that they are of one copy with the first. */
const PARTS_IMPORTED = (entry) =>
  PARTS.map(([part, name], i) => `import { ${name} as part${i} } from "${entry}${part}";\n`).join("");
const PARTS_CHECKED = PARTS.map(
  ([part, name], i) =>
    `if (part${i} === graupel.${name}) result.passed++;
  else result.failed.push({ name: "${part}", message: "a second copy" });
  `,
).join("");

/**
 * A program that imports the package and runs the checks. `tell`: what it does with `result`. `parts`: it imports the entries of
 * single formats too. `entryOf`: what an entry of leases is called; null for hosts that cannot take them. Without `await`, which scripts
 * and old bundles do not have at the top.
 */
export function program({
  core,
  entry = "graupel",
  entryOf = (name) => name,
  tell = print("console.log"),
  parts = false,
}) {
  const leased = entryOf ? ".then((result) => checkLeases(graupel, leases, result))" : "";
  return `import * as graupel from "${entry}";
${parts ? PARTS_IMPORTED(entry) : ""}${entryOf ? LEASES_IMPORTED(entryOf) : ""}import { check } from "./checks.mjs";
import vectors from "./vectors.mjs";
check(graupel, "${core}", vectors)${leased}.then((result) => {
  ${parts ? PARTS_CHECKED : ""}${tell}
});
`;
}

/** The same program for `require`, in hosts that have both kinds of modules. */
export const required = ({ core, entry = "graupel" }) => `const graupel = require("${entry}");
const entries = ${LOADED_REQUIRED};
${LEASES_REQUIRED}import("./checks.mjs").then(async ({ check }) => {
  const { checkLeases } = await import("./leases.mjs");
  const { default: vectors } = await import("./vectors.mjs");
  const result = await checkLeases(graupel, leases, await check(graupel, "${core}", vectors, entries));
  ${print("console.log")}
});
`;

/**
 * Programs for eight workers: of the host, which is main.mjs, and of the workers. `threads`: those of Node, whose class and port
 * have to be imported.
 */
export function eightWorkers({ core, entry = "graupel", threads = false, tell = print("console.log") }) {
  const head = `${threads ? 'import { parentPort, Worker } from "node:worker_threads";\n' : ""}import * as graupel from "${entry}";`;
  return {
    "main.mjs": `${head}
import { together } from "./together.mjs";
const start = () => new Worker(new URL("./one.mjs", import.meta.url), { type: "module" });
together(graupel, "${core}", start).then((result) => {
  ${tell}
});
`,
    "one.mjs": `${head}
import { worker } from "./together.mjs";
worker(graupel, ${threads ? "parentPort" : "globalThis"});
`,
  };
}

/** A program that imports both cores. */
export const bothCores = ({ entryOf = (entry) => entry, tell = print("console.log") } = {}) =>
  `import * as graupel from "${entryOf("graupel")}";
import * as pure from "${entryOf("graupel/pure")}";
import { both } from "./both.mjs";
const result = both(graupel, pure);
${tell}
`;

/** Code that prints `result`. */
export const print = (call) => `${call}("${MARK}" + JSON.stringify(result));`;

/** The result that a program has printed. */
export function resultIn(printed) {
  const line = printed.split("\n").find((line) => line.includes(MARK));
  if (line === undefined) throw new Error(`no result in the output:\n${printed.slice(-600)}`);
  return JSON.parse(line.slice(line.indexOf(MARK) + MARK.length));
}

/** The version of a package: one that package.json pins here, or one of the repository's own. */
export function versionOf(name, find = (path) => join(everywhere, "node_modules", path)) {
  return JSON.parse(readFileSync(find(join(name, "package.json")), "utf8")).version;
}

/** The same, of a tool that the repository itself uses. */
export const ownVersionOf = (name) => versionOf(name, ownTool);

/** The same program for hosts that take CommonJS only; with `commonJs`. */
export const requiring = ({ core, entry = "graupel" }) => `const graupel = require("${entry}");
const { check } = require("./checks.cjs");
const vectors = require("./vectors.json");
${PARTS.map(([part, name], i) => `const { ${name}: part${i} } = require("${entry}${part}");\n`).join("")}
check(graupel, "${core}", vectors).then((result) => {
  ${PARTS_CHECKED}${print("console.log")}
});
`;

/** An import of the checks, from another of their modules. */
const IMPORT = /^import (.+) from "\.\/(.+)\.mjs";$/gm;

/** One of their modules as CommonJS. `names`: what it exports. */
function asCommonJs(file, names) {
  const text = readFileSync(join(here, file), "utf8").replaceAll(/^export /gm, "");
  return `${text.replaceAll(IMPORT, 'const $1 = require("./$2.cjs");')}\nmodule.exports = { ${names} };\n`;
}

/** The checks and the vectors for hosts that take CommonJS only. */
export function commonJs() {
  return {
    "checks.cjs": asCommonJs("checks.mjs", ["check"]),
    "entries.cjs": asCommonJs("entries.mjs", ["checkEntries", "checkWithPeers", "refused", "same", "tally"]),
    "loaded.cjs": `module.exports = ${LOADED_REQUIRED};\n`,
    "subjects.cjs": `module.exports = ${JSON.stringify(subjects())};\n`,
    "vectors.json": JSON.stringify(chosenVectors()),
  };
}
