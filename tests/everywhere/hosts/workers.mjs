// Hosts at the edge, which allow no generation of WebAssembly in a handler: workerd, and Vercel's edge-runtime.

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { recipe } from "../../support/pages.mjs";
import { freePort } from "../../support/places.mjs";
import { beside, output } from "../../support/run.mjs";
import { bundled } from "../lib/bundle.mjs";
import { tool } from "../lib/places.mjs";
import { folder, LEASES_IMPORTED, print, resultIn, versionOf } from "../lib/project.mjs";
import { answers } from "../lib/server.mjs";

/** A fetch handler that runs the checks. What the global scope may not do, a handler does. */
export const HANDLER = (core, entry) => `import * as graupel from "${entry}";
${LEASES_IMPORTED((name) => name)}import { check } from "./checks.mjs";
import vectors from "./vectors.mjs";
export default {
  async fetch() {
    const result = await check(graupel, "${core}", vectors);
    return Response.json(await checkLeases(graupel, leases, result));
  },
};
`;

/** The system clock of workerd's global scope is 0, which is no time; a handler then works. */
const GLOBAL = `import * as graupel from "graupel";
import { checkAlphabets } from "./checks.mjs";
import { same, tally } from "./entries.mjs";
let code = "none";
let read = Date.now();
try {
  graupel.mastodon.generator().next();
} catch (error) {
  code = error.code;
}
export default {
  async fetch() {
    const result = checkAlphabets(graupel, "JavaScript");
    tally(result, "the clock of the global scope", () => same(read, 0, "Date.now()"));
    tally(result, "the code in the global scope", () => same(code, "CLOCK_INVALID", "the code"));
    tally(result, "handler", () => {
      const ids = graupel.mastodon.generator();
      const [first, second] = [ids.next(), ids.next()];
      const { timestamp } = graupel.mastodon.inspect(first);
      same(first < second && timestamp > 1.7e12, true, first + ", " + second);
    });
    return Response.json(result);
  },
};
`;

/**
 * In production both clocks stand between two reads of the network, which this stands for: a full tick ends in an error that
 * says what to do, soon, and with "borrow" there are IDs.
 */
const FROZEN = `import * as graupel from "graupel";
import { checkAlphabets } from "./checks.mjs";
import { same, tally } from "./entries.mjs";
const at = 1_700_000_000_000;
const real = Date.now.bind(Date);
export default {
  async fetch() {
    const result = checkAlphabets(graupel, "JavaScript");
    const since = real();
    const [now, performanceNow] = [Date.now, performance.now];
    Date.now = () => at;
    performance.now = () => 1;
    const expect = (name, truth, message) => tally(result, name, () => same(truth, true, message));
    try {
      const fixed = { internalWorkerId: 1, internalProcessId: 1 };
      const ids = graupel.discord.generator({ ...fixed, isolated: true });
      let made = 0;
      let error;
      try {
        for (; made < 5000; made++) ids.next();
      } catch (thrown) {
        error = thrown;
      }
      expect("IDs of the tick", made === 4096, made);
      expect("the code", error?.code === "CLOCK_STUCK", error?.code);
      expect("the way out", /borrow/.test(error?.message), error?.message);
      expect("soon", real() - since < 5000, real() - since + " ms");
      const borrowing = graupel.discord.generator({ ...fixed, isolated: true, sequenceFull: "borrow" });
      const many = Array.from({ length: 10000 }, () => borrowing.next());
      expect("borrow", new Set(many).size === 10000, "repeats");
    } catch (error) {
      result.failed.push({ name: "handler", message: String(error) });
    } finally {
      Date.now = now;
      performance.now = performanceNow;
    }
    return Response.json(result);
  },
};
`;

/** The recipes of the guide to serverless functions: the suite of stores on the Durable Object, and IDs of the isolate. */
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
    return Response.json({ core: "JavaScript", passed: all.length + 1 - failed.length, failed });
  },
};
`;

/** In the configuration of a worker: its Durable Object. */
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

/** The program: the npm package has it in a package for each platform. */
const workerd = () => createRequire(tool("workerd", "package.json"))("./lib/main.js").default;

/** Serves a worker, and asks it once. `options`: of the bundle. */
export async function asked(at, date, more, options = {}) {
  const conditions = ["workerd", "worker", "browser"];
  await bundled(at("main.mjs"), at("worker.js"), { conditions, ...options });
  const port = await freePort();
  writeFileSync(at("config.capnp"), CONFIG(port, date, more));
  return beside(workerd(), ["serve", "config.capnp"], { cwd: at() }, () =>
    answers.endpoint(`http://127.0.0.1:${port}/`),
  );
}

export const LATEST = "2026-11-01";
/** The last date without FinalizationRegistry. */
const OLD = "2025-05-04";

/** `more`: what else its configuration says. */
function workerdRow({ how, files, date = LATEST, core = "JavaScript", quick = false, more = "" }) {
  const run = async () => {
    const at = folder(`workerd ${how}`.replace(/\W+/g, "-"), files);
    return { version: versionOf("workerd"), ...(await asked(at, date, more)) };
  };
  return { host: "workerd", how, core, quick, run };
}

/** A listener as edge-runtime has it, in a script. */
const LISTENER = (core) => `import * as graupel from "graupel";
${LEASES_IMPORTED((name) => name)}import { check } from "./checks.mjs";
import vectors from "./vectors.mjs";
addEventListener("fetch", (event) => {
  event.respondWith(
    check(graupel, "${core}", vectors)
      .then((result) => checkLeases(graupel, leases, result))
      .then((result) => Response.json(result)),
  );
});
`;

const EDGE = `import { readFileSync } from "node:fs";
import { EdgeRuntime } from "edge-runtime";
const initialCode = readFileSync(new URL("./bundle.js", import.meta.url), "utf8");
const runtime = new EdgeRuntime({ initialCode, codeGeneration: { strings: false, wasm: false } });
const response = await runtime.dispatchFetch("http://edge.example/");
const result = await response.json();
${print("console.log")}
`;

async function edge() {
  const at = folder("edge-runtime", { "main.mjs": LISTENER("JavaScript"), "host.mjs": EDGE });
  await bundled(at("main.mjs"), at("bundle.js"), { conditions: ["edge-light", "worker"], format: "iife" });
  const printed = await output(process.execPath, [at("host.mjs")], { cwd: at() });
  return { version: versionOf("edge-runtime"), ...resultIn(printed) };
}

export const rows = [
  workerdRow({
    how: "fetch handler",
    files: { "main.mjs": HANDLER("JavaScript", "graupel") },
    quick: true,
  }),
  workerdRow({
    how: "fetch handler, graupel/pure",
    files: { "main.mjs": HANDLER("JavaScript", "graupel/pure") },
  }),
  workerdRow({
    how: `fetch handler, compatibility date ${OLD}`,
    files: { "main.mjs": HANDLER("JavaScript", "graupel") },
    date: OLD,
  }),
  workerdRow({ how: "global scope, whose clock is 0", files: { "main.mjs": GLOBAL }, quick: true }),
  workerdRow({ how: "fetch handler, clocks that stand", files: { "main.mjs": FROZEN }, quick: true }),
  workerdRow({
    how: "Durable Object as a store of leases",
    files: {
      "main.mjs": RECIPES,
      "durable-object.mjs": recipe("workers/serverless.md", "durable-object"),
      "edge.mjs": recipe("workers/serverless.md", "edge"),
    },
    quick: true,
    more: OBJECT,
  }),
  { host: "edge-runtime", how: "fetch listener, no generated code", core: "JavaScript", run: edge },
];
