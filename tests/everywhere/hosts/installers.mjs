// Package managers. Each installs the packed package, which is then loaded in Node, and resolves it
// with different versions of its peers. Their folders are outside the project, so that they cannot
// find its packages.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm, tool as ownTool } from "../../../xtask/lib/process.mjs";
import { output } from "../../support/run.mjs";
import { WITH_PEER as ENTRIES_WITH_PEER } from "../entries.mjs";
import { everywhere, tool } from "../lib/places.mjs";
import { asCommonJs, folder, print, program, tarball, versionOf } from "../lib/project.mjs";

const CORE = "WebAssembly";

/** When npm runs this, npm is a script; otherwise it is a program. */
const npmCommand = npm.endsWith(".js") ? [process.execPath, npm] : [npm];

const YARNRC = `nodeLinker: pnp
enableTelemetry: false
enableGlobalCache: false
enableImmutableInstalls: false
`;

const CLASSIC = tool("yarn", "bin", "yarn.js");

/** pnpm, and current yarn. */
const PNPM = [process.execPath, tool("pnpm", "bin", "pnpm.cjs"), "install"];
const YARN = [process.execPath, tool("@yarnpkg", "cli-dist", "bin", "yarn.js")];

const INSTALLERS = [
  {
    host: "npm",
    install: [...npmCommand, "install", "--offline", "--no-audit", "--no-fund"],
    resolve: [...npmCommand, "install", "--package-lock-only", "--no-audit", "--no-fund"],
    start: (file) => [process.execPath, file],
    version: async () => (await output(npmCommand[0], [...npmCommand.slice(1), "--version"])).trim(),
  },
  {
    host: "pnpm",
    install: [...PNPM, "--offline", "--store-dir", "store"],
    resolve: [...PNPM, "--lockfile-only", "--strict-peer-dependencies", "--store-dir", "store"],
    start: (file) => [process.execPath, file],
    version: async () => versionOf("pnpm"),
  },
  {
    host: "yarn classic",
    // Use a separate cache: the user's cache may contain an older tarball of the same version.
    install: [
      process.execPath,
      CLASSIC,
      "install",
      "--offline",
      "--non-interactive",
      "--cache-folder",
      "cache",
    ],
    start: (file) => [process.execPath, file],
    version: async () => versionOf("yarn"),
  },
  {
    host: "yarn",
    how: "Plug'n'Play",
    install: [...YARN, "install"],
    resolve: [...YARN, "install", "--mode=update-lockfile"],
    start: (file) => [...YARN, "node", file],
    version: async () => versionOf("@yarnpkg/cli-dist"),
  },
];

/** An entry with a small peer. Package managers differ in which packages a package may import. */
const ENTRY = "sealed";
const { peer: PEER } = ENTRIES_WITH_PEER[ENTRY];
const WITH_PEER = `import * as graupel from "graupel";
import * as entry from "graupel/${ENTRY}";
import { tally, WITH_PEER } from "./entries.mjs";
const result = { core: "WebAssembly", passed: 0, failed: [] };
tally(result, "graupel/${ENTRY}", () => WITH_PEER.${ENTRY}.check(entry, graupel));
${print()}
`;

let packing;
/** The peer as a tarball, packed once from the repository's own copy, so nothing is downloaded. */
function peerTarball() {
  packing ??= packPeer();
  return packing;
}

async function packPeer() {
  const directory = join(everywhere, "peer-pack");
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const flags = ["pack", "--ignore-scripts", "--pack-destination", directory, ownTool(PEER)];
  await output(npmCommand[0], [...npmCommand.slice(1), ...flags], { cwd: directory });
  return join(directory, readdirSync(directory)[0]);
}

/** Marks the root of a project. */
const ROOT = { ".yarnrc.yml": YARNRC, "yarn.lock": "" };

/** Writes a package.json with the package and these peers. */
function manifest(at, peers) {
  const dependencies = { ...peers, graupel: `file:${tarball()}` };
  writeFileSync(at("package.json"), JSON.stringify({ name: "row", private: true, dependencies }));
}

const ENV = { YARN_IGNORE_PATH: "1", COREPACK_ENABLE_STRICT: "0" };

const rowOf = ({ host, how = "install", install, start, version }, [kind, { file, peer }]) => ({
  ...{ host, how: `${how}, ${kind} in Node`, core: CORE, version },
  room: "installers",
  files: () => ({ ...program({ core: CORE }), "peer.mjs": WITH_PEER, ...ROOT }),
  async run(at) {
    manifest(at, peer && { [PEER]: `file:${await peerTarball()}` });
    await asCommonJs(at("main.mjs"), at("main.cjs"));
    const command = ([program, ...args]) => output(program, args, { cwd: at(), env: ENV });
    await command(install);
    return command(start(file));
  },
});

const KINDS = Object.entries({
  import: { file: "main.mjs" },
  require: { file: "main.cjs" },
  [`with ${PEER}`]: { file: "peer.mjs", peer: true },
});

/**
 * Versions of peers, including unsupported older and newer ones. Each column is a project. The
 * peers in a project do not conflict with each other.
 */
const BESIDE = {
  "@noble/ciphers": ["0.6.0", "1.0.0", "2.4.0"],
  "@prisma/client": ["5.22.0", "6.19.3", "7.10.0"],
  "drizzle-orm": ["0.29.5", "0.36.0", "1.0.0-rc.5"],
  graphql: ["15.10.1", "16.0.0", "17.1.0"],
  kysely: ["0.25.0", "0.26.3", "0.29.9"],
  mongoose: ["7.8.13", "8.24.10", "9.12.1"],
  sequelize: ["5.22.5", "6.1.0", "6.37.8"],
  typeorm: ["0.2.45", "0.3.0", "1.1.1"],
  zod: ["3.25.76", "4.0.0", "4.6.7"],
};

/** Resolves the package with each column of peers. An optional peer must never cause a conflict. */
const besideRow = ({ host, resolve, version }) => ({
  ...{ host, how: "beside older and newer peers", core: CORE, version },
  async run() {
    const columns = BESIDE[Object.keys(BESIDE)[0]].length;
    for (let i = 0; i < columns; i++) {
      const at = folder(`../installers/${host} beside ${i}`, ROOT);
      manifest(at, Object.fromEntries(Object.entries(BESIDE).map(([name, all]) => [name, all[i]])));
      const [installer, ...args] = resolve;
      await output(installer, args, { cwd: at(), env: ENV });
    }
    return { core: CORE, passed: columns, failed: [] };
  },
});

export const rows = [
  ...INSTALLERS.flatMap((installer) => KINDS.map((kind) => rowOf(installer, kind))),
  // yarn classic ignores optional peers and cannot resolve without installing.
  ...INSTALLERS.filter(({ resolve }) => resolve !== undefined).map(besideRow),
];
