// workerd, which forbids compiling WebAssembly in a handler, alone and in wrangler. next.mjs has
// Vercel's edge.

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { recipe } from "../../support/pages.mjs";
import { answers, served } from "../lib/browser.mjs";
import { tool } from "../lib/places.mjs";
import { bundled, imports, loadedBy, RUN, SERVER_ONLY, versionOf } from "../lib/project.mjs";
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

/** wrangler bundles the program itself. */
const wranglerRow = {
  ...{ host: "wrangler", how: "dev", core: CORE, version: () => versionOf("wrangler") },
  files: () => ({
    ...handler(),
    "package.json": '{ "name": "row", "private": true, "type": "module" }\n',
    "wrangler.json": JSON.stringify({ name: "row", main: "main.mjs", compatibility_date: LATEST }),
  }),
  async run(at) {
    // A separate home folder, and no telemetry.
    const env = { WRANGLER_SEND_METRICS: "false", CI: "1", HOME: at(), XDG_CONFIG_HOME: at("config") };
    const { program } = await nodeOf("24");
    const argsOf = (port) => {
      const address = ["--ip", "127.0.0.1", "--port", port];
      return [tool("wrangler", "bin", "wrangler.js"), "dev", "--local", "--log-level", "error", ...address];
    };
    return served(program, argsOf, { at, env }, answers.endpoint);
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
  workerdRow("fetch handler, importing graupel/pure", handler("graupel/pure")),
  workerdRow(`fetch handler, compatibility date ${OLD}`, handler(), { date: OLD }),
  workerdRow("with peers, fetch handler", handler("graupel", { has: ["peers"], without: SERVER_ONLY })),
  workerdRow("global scope, whose clock is 0", { "main.mjs": GLOBAL }, { quick }),
  workerdRow("Durable Object as a store of leases", recipes, { quick, more: OBJECT }),
  wranglerRow,
];
