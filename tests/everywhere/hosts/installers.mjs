// Package managers. Each installs the packed package, which is then loaded in Node. Their folders
// are outside the project, so that they cannot find its packages.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm, tool as ownTool } from "../../../xtask/lib/process.mjs";
import { output } from "../../support/run.mjs";
import { WITH_PEER as ENTRIES_WITH_PEER } from "../entries.mjs";
import { everywhere, tool } from "../lib/places.mjs";
import { asCommonJs, print, program, tarball, versionOf } from "../lib/project.mjs";

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
    start: (file) => [process.execPath, file],
    version: async () => (await output(npmCommand[0], [...npmCommand.slice(1), "--version"])).trim(),
  },
  {
    host: "pnpm",
    install: [...PNPM, "--offline", "--store-dir", "store"],
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

export const rows = INSTALLERS.flatMap((installer) => KINDS.map((kind) => rowOf(installer, kind)));
