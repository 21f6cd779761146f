// The entries that need a package of the user's, where that package runs: in a project that has all of these packages, as the
// repository pins them.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { output } from "../../support/run.mjs";
import { WITH_PEER } from "../entries.mjs";
import { ERRORS, post, shown } from "../lib/browser.mjs";
import { bundled } from "../lib/bundle.mjs";
import { everywhere, installed, withPeers } from "../lib/places.mjs";
import { commonJs, folder, ownVersionOf, print, resultIn, versionOf } from "../lib/project.mjs";
import { page } from "./browsers.mjs";
import { jest } from "./jest.mjs";
import { nodeOf } from "./node.mjs";
import { bun, deno, MANUAL } from "./runtimes.mjs";
import { asked, LATEST } from "./workers.mjs";

/** The names of the packages. */
const PEERS = [...new Set(Object.values(WITH_PEER).map(({ peer }) => peer))];

let made = false;
/** A folder of the project, which the first row makes. `name` and `files`: as `folder` takes them. */
export function peerFolder(name, files) {
  if (!made) {
    rmSync(withPeers, { recursive: true, force: true });
    for (const peer of PEERS) {
      const [from, to] = [fromRoot("node_modules", peer), join(withPeers, "node_modules", peer)];
      // Some entries import nothing of their package, so it may be missing.
      if (!existsSync(from)) continue;
      mkdirSync(dirname(to), { recursive: true });
      symlinkSync(from, to);
    }
    cpSync(installed, join(withPeers, "node_modules", "graupel"), { recursive: true });
    made = true;
  }
  const dependencies = Object.fromEntries(["graupel", ...PEERS].map((peer) => [peer, "*"]));
  const manifest = JSON.stringify({ name: "row", private: true, type: "module", dependencies });
  return folder(`../peers/${name.replace(/\W+/g, "-")}`, { "package.json": manifest, ...files });
}

/** What loads each entry. `how`: `import` or `require`. */
const LOADS = (how) =>
  `{ ${Object.keys(WITH_PEER)
    .map((name) => `${name}: () => ${how}("graupel/${name}")`)
    .join(", ")} }`;

/** The entries with a property, as a host has them that lacks these. `messageOf`: a part of the message of such a one. */
const lackingBy = (property, messageOf) =>
  Object.fromEntries(
    Object.entries(WITH_PEER).flatMap(([name, entry]) => (entry[property] ? [[name, messageOf(name)]] : [])),
  );

/** Checks with both cores. `tell`: what is done with `result`. */
const PROGRAM = ({ tell = print("console.log"), lacking = {} } = {}) => `import * as graupel from "graupel";
import * as pure from "graupel/pure";
import { checkWithPeers } from "./entries.mjs";
checkWithPeers([graupel, pure], ${LOADS("import")}, ${JSON.stringify(lacking)}).then((result) => {
  ${tell}
});
`;

/** By `require`; the formats also by import, which are of another copy. */
const REQUIRED = `const copies = [require("graupel"), require("graupel/pure")];
import("./entries.mjs").then(async ({ checkWithPeers }) => {
  copies.push(await import("graupel"));
  const result = await checkWithPeers(copies, ${LOADS("require")});
  ${print("console.log")}
});
`;

/** By import; the formats also by `require`. */
const IMPORTED = `import { createRequire } from "node:module";
import * as graupel from "graupel";
import * as pure from "graupel/pure";
import { checkWithPeers } from "./entries.mjs";
const required = createRequire(import.meta.url)("graupel");
const result = await checkWithPeers([graupel, pure, required], ${LOADS("import")});
${print("console.log")}
`;

const FILES = { "main.mjs": IMPORTED, "main.cjs": REQUIRED };

const rowOf = (host, how, run, { core = "both", quick = false } = {}) => ({
  host,
  how: `with peers, ${how}`,
  core,
  quick,
  run,
});

const nodeRows = ["20", "22", "24", "26"].flatMap((line) =>
  Object.entries({ import: "main.mjs", require: "main.cjs" }).map(([how, file]) => {
    const run = async () => {
      const { version, node } = await nodeOf(line);
      const at = peerFolder(`node-${line}-${how}`, FILES);
      return { version, ...resultIn(await output(node, ["--no-warnings", at(file)], { cwd: at() })) };
    };
    return rowOf(`Node ${line}`, how, run, { quick: ["20", "24"].includes(line) });
  }),
);

const runtimeRows = [
  { host: "Bun", how: "run", load: bun, args: ["run", "main.mjs"] },
  { host: "Bun", how: "run, require", load: bun, args: ["run", "main.cjs"] },
  {
    host: "Deno",
    how: "run",
    load: deno,
    // TypeORM reads the environment, and files beside the program.
    args: ["run", ...MANUAL, "--no-prompt", "--allow-env", "--allow-read", "main.mjs"],
  },
].map(({ host, how, load, args }) =>
  rowOf(host, how, async () => {
    const { version, start } = await load();
    return { version, ...resultIn(await start(peerFolder(`${host} ${how}`, FILES), ...args)) };
  }),
);

/** In one file, from a folder without any package. */
async function esbuild() {
  const at = peerFolder("esbuild", { "main.mjs": PROGRAM() });
  await bundled(at("main.mjs"), at("out", "out.cjs"), { platform: "node", format: "cjs" });
  const elsewhere = join(everywhere, "elsewhere");
  mkdirSync(elsewhere, { recursive: true });
  const printed = await output(process.execPath, [at("out", "out.cjs")], { cwd: elsewhere });
  return { version: ownVersionOf("esbuild"), ...resultIn(printed) };
}

/** What is not for servers alone. The other entries stay out of a bundle, so that loading them fails. */
const lacking = lackingBy("isServerOnly", (name) => `graupel/${name}`);
const external = Object.values(lacking);

async function chromium() {
  const at = peerFolder("chromium", {
    "page.html": page('<script src="bundle.js"></script>'),
    "errors.js": ERRORS,
    "main.mjs": PROGRAM({ tell: post(), lacking }),
  });
  await bundled(at("main.mjs"), at("bundle.js"), { platform: "browser", format: "iife", external });
  return shown("Chromium", at());
}

const HANDLER = `import * as graupel from "graupel";
import { checkWithPeers } from "./entries.mjs";
export default {
  async fetch() {
    const result = await checkWithPeers([graupel], ${LOADS("import")}, ${JSON.stringify(lacking)});
    return Response.json({ ...result, core: "JavaScript" });
  },
};
`;

async function workerd() {
  const at = peerFolder("workerd", { "main.mjs": HANDLER });
  return { version: versionOf("workerd"), ...(await asked(at, LATEST, "", { external })) };
}

/** Jest takes CommonJS alone. */
const TEST = `const { writeFileSync } = require("fs");
const { checkWithPeers } = require("./entries.cjs");
const lacking = ${JSON.stringify(lackingBy("isModuleOnly", () => "Jest"))};
test("graupel", async () => {
  const copies = [require("graupel"), require("graupel/pure")];
  const result = await checkWithPeers(copies, ${LOADS("require")}, lacking);
  writeFileSync(__dirname + "/result.json", JSON.stringify(result));
}, 60000);
`;

async function jestRow() {
  const at = peerFolder("jest", {
    ...commonJs(),
    "package.json": '{ "name": "row", "private": true }\n',
    "main.test.js": TEST,
  });
  const version = await jest(at);
  return { version, ...JSON.parse(readFileSync(at("result.json"), "utf8")) };
}

export const rows = [
  ...nodeRows,
  ...runtimeRows,
  rowOf("workerd", "fetch handler", workerd, { core: "JavaScript" }),
  rowOf("Chromium", "page, one script", chromium),
  rowOf("esbuild", "build, run in Node", esbuild),
  rowOf("Jest", "CommonJS", jestRow),
];
