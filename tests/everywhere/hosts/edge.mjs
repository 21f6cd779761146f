// Edge hosts, which forbid compiling WebAssembly in a handler: workerd, Cloudflare's tools around
// it, and Vercel's edge-runtime. The tools need a later Node than this project. Except for
// wrangler, even their newest versions come with an older workerd, so they have their own workspace
// (cloudflare/).

import { cpSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { recipe } from "../../support/pages.mjs";
import { output } from "../../support/run.mjs";
import { answers, served } from "../lib/browser.mjs";
import { inCloudflare, installed, tool } from "../lib/places.mjs";
import { bundled, imports, loadedBy, print, RUN, SERVER_ONLY, versionOf } from "../lib/project.mjs";
import { nodeOf } from "./runtimes.mjs";

const CORE = "JavaScript";

/** A fetch handler that runs the checks, because the global scope may not run all of them. */
const handler = (entry = "graupel", loaded = {}) => ({
  "main.mjs": `${imports(entry)}export default { fetch: async () => Response.json(await ${RUN(CORE)}) };\n`,
  "loaded.mjs": loadedBy({ entry, ...loaded }),
});

/** A handler with its own checks, which use `expect`. */
const CHECKED = (before, checks) => `import * as graupel from "graupel";
import { same, tally } from "./entries.mjs";
${before}
export default {
  async fetch() {
    const result = { core: "${CORE}", passed: 0, failed: [] };
    const expect = (name, found, wanted) => tally(result, name, () => same(found, wanted));
    ${checks}
    return Response.json(result);
  },
};
`;

/**
 * In workerd's global scope, the system clock reads 0, which graupel rejects. In a handler, it
 * works.
 */
const GLOBAL = CHECKED(
  `let code = "none";
const read = Date.now();
try {
  graupel.mastodon.generator().next();
} catch (error) {
  code = error.code;
}`,
  `expect("the clock of the global scope", read, 0);
    expect("the code in the global scope", code, "CLOCK_INVALID");
    const ids = graupel.mastodon.generator();
    const [first, second] = [ids.next(), ids.next()];
    expect("handler", first < second && graupel.mastodon.inspect(first).timestamp > 1.7e12, true);`,
);

/**
 * In production, both clocks stand still between two network reads. This simulates it: a full tick
 * throws an error that names the workaround, and with "borrow" generation continues.
 */
const FROZEN = CHECKED(
  `const at = 1_700_000_000_000;
const fixed = { internalWorkerId: 1, internalProcessId: 1, isolated: true };`,
  `const [now, performanceNow] = [Date.now, performance.now];
    Date.now = () => at;
    performance.now = () => 1;
    try {
      const ids = graupel.discord.generator(fixed);
      let made = 0;
      let error;
      try {
        for (; made < 5000; made++) ids.next();
      } catch (thrown) {
        error = thrown;
      }
      expect("IDs of the tick", made, 4096);
      expect("the code", error?.code, "CLOCK_STUCK");
      expect("the way out", /borrow/.test(error?.message), true);
      const borrowing = graupel.discord.generator({ ...fixed, sequenceFull: "borrow" });
      expect("borrow", new Set(Array.from({ length: 10000 }, () => borrowing.next())).size, 10000);
    } finally {
      Date.now = now;
      performance.now = performanceNow;
    }`,
);

/**
 * The recipes of the guide to serverless functions: the store conformance suite on the Durable
 * Object, and IDs from the isolate.
 */
const RECIPES = `import { checks } from "graupel/lease/conformance";
import numbers from "./durable-object.mjs";
import isolate from "./edge.mjs";
export { Numbers } from "./durable-object.mjs";
export default {
  async fetch(request, env) {
    const call = (name) => async (asked) => {
      const body = JSON.stringify(asked);
      return (await numbers.fetch(new Request("http://numbers/" + name, { method: "POST", body }), env)).json();
    };
    const store = { durable: true, acquire: call("acquire"), renew: call("renew"), release: call("release") };
    const failed = [];
    const all = checks(store, { ttlMs: 2000 });
    await Promise.all(all.map(({ name, run }) => run().catch(({ message }) => failed.push({ name, message }))));
    const ids = await Promise.all(Array.from({ length: 1000 }, async () => (await isolate.fetch()).text()));
    if (new Set(ids).size < ids.length) failed.push({ name: "isolate", message: "it repeats IDs" });
    return Response.json({ core: "${CORE}", passed: all.length + 1 - failed.length, failed });
  },
};
`;

/** The configuration of the worker's Durable Object. */
const OBJECT = `bindings = [(name = "NUMBERS", durableObjectNamespace = "Numbers")],
  durableObjectNamespaces = [(className = "Numbers", uniqueKey = "numbers")],
  durableObjectStorage = (inMemory = void),`;

const CONFIG = (port, date, more) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "${date}",
  ${more}
);
`;

/** The path of the workerd program. The npm package has a separate package for each platform. */
const workerd = () => createRequire(tool("workerd", "package.json"))("./lib/main.js").default;

const LATEST = "2026-11-01";
/** The last compatibility date without FinalizationRegistry. */
const OLD = "2025-05-04";

/** Serves a worker and sends it one request. `more`: further lines of its configuration. */
const workerdRow = (how, files, { date = LATEST, more = "", quick = false } = {}) => ({
  ...{ host: "workerd", how, core: CORE, quick },
  version: () => versionOf("workerd"),
  files: () => files,
  async run(at) {
    await bundled(at("main.mjs"), at("worker.js"), { conditions: ["workerd", "worker", "browser"] });
    const argsOf = (port) => {
      writeFileSync(at("config.capnp"), CONFIG(port, date, more));
      return ["serve", "config.capnp"];
    };
    return served(workerd(), argsOf, { at }, answers.endpoint);
  },
});

/**
 * The newest compatibility date that a tool accepts. It is the date in the version of its workerd,
 * such as 1.20261012.1.
 */
function dateOf(toolFile) {
  const miniflare = createRequire(toolFile).resolve("miniflare");
  const { version } = createRequire(miniflare)("workerd/package.json");
  return version.replace(/^1\.(\d{4})(\d\d)(\d\d)\..*/, "$1-$2-$3");
}

/**
 * A row of a tool. `file`: returns a file of its package. `start`: gets a function that runs a
 * command, and one that starts a server and sends it one request.
 */
const toolRow = ({ host, how, file, files, version, start }) => ({
  ...{ host, how, core: CORE, version },
  room: "cloudflare/rows",
  files: () => ({
    "package.json": '{ "name": "row", "private": true, "type": "module" }\n',
    "wrangler.json": JSON.stringify({ name: "row", main: "main.mjs", compatibility_date: dateOf(file()) }),
    ...files(),
  }),
  async run(at) {
    cpSync(installed, at("node_modules", "graupel"), { recursive: true });
    // A separate home folder, and no telemetry.
    const env = { WRANGLER_SEND_METRICS: "false", CI: "1", HOME: at(), XDG_CONFIG_HOME: at("config") };
    const { program } = await nodeOf("24");
    return start(
      (...args) => output(program, args, { cwd: at(), env }),
      (...args) => served(program, (port) => [...args, "--port", port], { at, env }, answers.endpoint),
    );
  },
});

const WRANGLER = tool("wrangler", "bin", "wrangler.js");
const wrangler = {
  ...{ host: "wrangler", how: "dev", file: () => WRANGLER, files: () => handler() },
  version: () => versionOf("wrangler"),
  start: (_, asked) => asked(WRANGLER, "dev", "--local", "--ip", "127.0.0.1", "--log-level", "error"),
};

const VITE_CONFIG = `import { cloudflare } from "@cloudflare/vite-plugin";
export default {
  plugins: [cloudflare({ persistState: false, inspectorPort: false, remoteBindings: false })],
};
`;

/**
 * Vite with Cloudflare's plugin. `before`: Vite commands that run to completion; `serve`: the
 * command that serves.
 */
function viteRow(how, serve, before = []) {
  const plugin = "@cloudflare/vite-plugin";
  return toolRow({
    ...{ host: "Cloudflare's Vite plugin", how, file: () => inCloudflare(plugin, "package.json") },
    version: () => versionOf(plugin, inCloudflare),
    files: () => ({ ...handler(), "vite.config.mjs": VITE_CONFIG }),
    async start(command, asked) {
      const vite = inCloudflare("vite", "bin", "vite.js");
      for (const one of before) await command(vite, one);
      return asked(vite, serve, "--host", "127.0.0.1", "--strictPort");
    },
  });
}

/** The test runs in workerd, which cannot write files, so it prints its result. */
const TEST = `import { test } from "vitest";
${imports()}test("graupel", async () => {
  const result = await ${RUN(CORE)};
  ${print()}
}, 900000);
`;

const POOL = "@cloudflare/vitest-pool-workers";
const poolFile = () => inCloudflare(POOL, "package.json");
const pool = {
  ...{ host: "Cloudflare's Vitest pool", how: "import", file: poolFile },
  version: () => versionOf(POOL, inCloudflare),
  files: () => ({
    "main.test.mjs": TEST,
    "vitest.config.mjs": `import { cloudflareTest } from "${POOL}";
import { defineConfig } from "vitest/config";
export default defineConfig({
  plugins: [cloudflareTest({ miniflare: { compatibilityDate: "${dateOf(poolFile())}" } })],
});
`,
  }),
  start: (command) => command(inCloudflare("vitest", "vitest.mjs"), "run", "--disable-console-intercept"),
};

/** A listener script in the form that edge-runtime expects. */
const LISTENER = `${imports()}addEventListener("fetch", (event) => {
  event.respondWith(${RUN(CORE)}.then((result) => Response.json(result)));
});
`;

const EDGE = `import { readFileSync } from "node:fs";
import { EdgeRuntime } from "edge-runtime";
const initialCode = readFileSync(new URL("./bundle.js", import.meta.url), "utf8");
const runtime = new EdgeRuntime({ initialCode, codeGeneration: { strings: false, wasm: false } });
const response = await runtime.dispatchFetch("http://edge.example/");
const result = await response.json();
${print()}
`;

const edgeRow = {
  ...{ host: "edge-runtime", how: "fetch listener, no generated code", core: CORE },
  version: () => versionOf("edge-runtime"),
  files: () => ({ "main.mjs": LISTENER, "host.mjs": EDGE }),
  async run(at) {
    await bundled(at("main.mjs"), at("bundle.js"), { conditions: ["edge-light", "worker"], format: "iife" });
    return output(process.execPath, [at("host.mjs")], { cwd: at() });
  },
};

const quick = true;
const recipes = {
  "main.mjs": RECIPES,
  "durable-object.mjs": recipe("workers/serverless.md", "durable-object"),
  "edge.mjs": recipe("workers/serverless.md", "edge"),
};

export const rows = [
  workerdRow("fetch handler", handler(), { quick }),
  workerdRow("fetch handler, graupel/pure", handler("graupel/pure")),
  workerdRow(`fetch handler, compatibility date ${OLD}`, handler(), { date: OLD }),
  workerdRow("with peers, fetch handler", handler("graupel", { has: ["peers"], without: SERVER_ONLY })),
  workerdRow("global scope, whose clock is 0", { "main.mjs": GLOBAL }, { quick }),
  workerdRow("fetch handler, clocks that stand", { "main.mjs": FROZEN }, { quick }),
  workerdRow("Durable Object as a store of leases", recipes, { quick, more: OBJECT }),
  edgeRow,
  toolRow(wrangler),
  viteRow("dev", "dev"),
  viteRow("build and preview", "preview", ["build"]),
  toolRow(pool),
];
