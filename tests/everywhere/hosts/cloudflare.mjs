// Cloudflare's own tools around workerd. They need a later Node than this project, and the newest ones besides wrangler come
// with an older workerd, so they are a workspace of their own (cloudflare/).

import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import { freePort } from "../../support/places.mjs";
import { beside, output } from "../../support/run.mjs";
import { inCloudflare, installed, tool } from "../lib/places.mjs";
import { folder, print, resultIn, versionOf } from "../lib/project.mjs";
import { answers } from "../lib/server.mjs";
import { nodeOf } from "./node.mjs";
import { HANDLER } from "./workers.mjs";

const CORE = "JavaScript";

/** The newest compatibility date that a tool takes: the day of its workerd, which is in its version, such as 1.20261012.1. */
function dateOf(toolFile) {
  const miniflare = createRequire(toolFile).resolve("miniflare");
  const { version } = createRequire(miniflare)("workerd/package.json");
  return version.replace(/^1\.(\d{4})(\d\d)(\d\d)\..*/, "$1-$2-$3");
}

const configOf = (date) => JSON.stringify({ name: "row", main: "main.mjs", compatibility_date: date });

const MANIFEST = '{ "name": "row", "private": true, "type": "module" }\n';

/** A home of its own, and no telemetry. */
const environment = (at) => ({
  WRANGLER_SEND_METRICS: "false",
  CI: "1",
  HOME: at(),
  XDG_CONFIG_HOME: at("config"),
});

/** Serves a worker by a program of Node, and asks it once. */
async function asked(at, argsOf) {
  const { node } = await nodeOf("24");
  const port = await freePort();
  return beside(node, argsOf(String(port)), { cwd: at(), env: environment(at) }, () =>
    answers.endpoint(`http://127.0.0.1:${port}/`),
  );
}

async function wrangler() {
  const file = tool("wrangler", "bin", "wrangler.js");
  const at = folder("wrangler", {
    "package.json": MANIFEST,
    "main.mjs": HANDLER(CORE, "graupel"),
    "wrangler.json": configOf(dateOf(file)),
  });
  const args = ["dev", "--local", "--ip", "127.0.0.1", "--log-level", "error"];
  return { version: versionOf("wrangler"), ...(await asked(at, (port) => [file, ...args, "--port", port])) };
}

/** A folder from which the tools in cloudflare/ are found, with the package installed in it. */
function roomFolder(name, files) {
  const at = folder(`../cloudflare/rows/${name}`, { "package.json": MANIFEST, ...files });
  cpSync(installed, at("node_modules", "graupel"), { recursive: true });
  return at;
}

const versionInRoom = (name) => versionOf(name, inCloudflare);

const VITE_CONFIG = `import { cloudflare } from "@cloudflare/vite-plugin";
export default {
  plugins: [cloudflare({ persistState: false, inspectorPort: false, remoteBindings: false })],
};
`;

/** Vite with Cloudflare's plugin. `before`: commands of Vite that end; `command`: the one that serves. */
async function vite({ command, before = [] }) {
  const plugin = "@cloudflare/vite-plugin";
  const at = roomFolder(`vite-${command}`, {
    "main.mjs": HANDLER(CORE, "graupel"),
    "wrangler.json": configOf(dateOf(inCloudflare(plugin, "package.json"))),
    "vite.config.mjs": VITE_CONFIG,
  });
  const file = inCloudflare("vite", "bin", "vite.js");
  const { node } = await nodeOf("24");
  for (const one of before) await output(node, [file, one], { cwd: at(), env: environment(at) });
  const args = [file, command, "--host", "127.0.0.1", "--strictPort", "--port"];
  return { version: versionInRoom(plugin), ...(await asked(at, (port) => [...args, port])) };
}

/** A test runs in workerd, which writes no files: it prints its result. */
const TEST = `import { test } from "vitest";
import * as graupel from "graupel";
import { check } from "./checks.mjs";
import vectors from "./vectors.mjs";
test("graupel", async () => {
  const result = await check(graupel, "${CORE}", vectors);
  ${print("console.log")}
}, 60000);
`;

const POOL_CONFIG = (date) => `import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
export default defineConfig({
  plugins: [cloudflareTest({ miniflare: { compatibilityDate: "${date}" } })],
});
`;

async function pool() {
  const name = "@cloudflare/vitest-pool-workers";
  const at = roomFolder("vitest-pool", {
    "main.test.mjs": TEST,
    "vitest.config.mjs": POOL_CONFIG(dateOf(inCloudflare(name, "package.json"))),
  });
  const { node } = await nodeOf("24");
  const args = [inCloudflare("vitest", "vitest.mjs"), "run", "--disable-console-intercept"];
  const printed = await output(node, args, { cwd: at(), env: environment(at) });
  return { version: versionInRoom(name), ...resultIn(printed) };
}

const PLUGIN = { host: "Cloudflare's Vite plugin", core: CORE };

export const rows = [
  { host: "wrangler", how: "dev", core: CORE, run: wrangler },
  { ...PLUGIN, how: "dev", run: () => vite({ command: "dev" }) },
  { ...PLUGIN, how: "build and preview", run: () => vite({ command: "preview", before: ["build"] }) },
  { host: "Cloudflare's Vitest pool", how: "import", core: CORE, run: pool },
];
