// Browsers: pages, every kind of worker, Content-Security-Policies, and an extension.

import { cpSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { tool as ownTool } from "../../../xtask/lib/process.mjs";
import { BROWSERS } from "../../support/browsers.mjs";
import { freePort } from "../../support/places.mjs";
import { addressOf, answers, ERRORS, post, SEND, shown } from "../lib/browser.mjs";
import { installed } from "../lib/places.mjs";
import {
  asScript,
  eightWorkers,
  folder,
  loadedBy,
  ownVersionOf,
  program,
  SERVER_ONLY,
} from "../lib/project.mjs";

const page = (...scripts) =>
  `<!doctype html><meta charset="utf-8"><title>graupel</title><script src="errors.js"></script>\n${scripts.join("\n")}\n`;
const MODULE = '<script type="module" src="main.mjs"></script>';
const START = '<script src="start.js"></script>';
const BUNDLE = '<script src="bundle.js"></script>';
const GLOBAL = '<script src="graupel/dist/graupel.global.js"></script>';

const SELF = "default-src 'self'";
const SOUND = `${SELF}; script-src 'self' 'wasm-unsafe-eval'`;

/**
 * Under a policy that blocks WebAssembly, the error has a code, a reason and a cause, and names a
 * workaround. The workaround works.
 */
const REFUSED = () => `import * as graupel from "${addressOf("graupel")}";
import * as pure from "${addressOf("graupel/pure")}";
import { same, tally } from "./entries.mjs";
const result = { core: "JavaScript", passed: 0, failed: [] };
const expect = (name, truth, message) => tally(result, name, () => same(truth, true, message));
const ids = ({ discord }, internalWorkerId) => discord.generator({ internalWorkerId, internalProcessId: 1 });
let error;
try {
  ids(graupel, 1).next();
} catch (thrown) {
  error = thrown;
}
expect("the type of the error", graupel.GraupelError.is(error), String(error));
expect("the code", error?.code === "CORE", "got " + error?.code);
expect("the reason", /Content[- ]Security[- ]Policy|wasm-unsafe-eval/.test(error?.message), error?.message);
expect("the way out", /graupel\\/pure/.test(error?.message), error?.message);
expect("the cause", error?.cause instanceof Error, "cause: " + error?.cause);
expect("which works", ids(pure, 2).next() > 0, "no ID");
${post()}
`;

/** The checks of the single-file script, which defines a global. */
const WITH_GLOBAL = `import { check } from "./checks.mjs";
check(graupel, "JavaScript").then((result) => { ${post()} });
`;

const pages = { entryOf: addressOf, tell: post() };
const worker = (start, fails) => `${start}.onerror = (event) => tell("${fails}: " + event.message);`;

/**
 * How a page starts the program. `files`: replaces the program with modules; `start`: a script of
 * the page; `isBundle`: the program is one script without modules; `core` and `policy`: set if the
 * row tests them.
 */
const WAYS = {
  page: { quick: true },
  "page, one script": { page: page(BUNDLE), isBundle: true },
  "module worker": { start: worker('new Worker("main.mjs", { type: "module" })', "worker"), quick: true },
  "classic worker": { start: worker('new Worker("bundle.js")', "worker"), isBundle: true },
  "shared worker": { start: worker('new SharedWorker("bundle.js")', "it does not load"), isBundle: true },
  "service worker": {
    start: 'navigator.serviceWorker.register("bundle.js").catch((error) => tell(String(error)));',
    isBundle: true,
  },
  [`page, CSP ${SELF}, graupel/pure`]: {
    core: "JavaScript",
    policy: SELF,
    quick: true,
    files: () => program({ core: "JavaScript", entry: "graupel/pure", ...pages }),
  },
  [`page, CSP ${SOUND}, graupel`]: { policy: SOUND },
  [`page, CSP ${SELF}: the error of graupel, and graupel/pure`]: {
    core: "JavaScript",
    policy: SELF,
    quick: true,
    files: () => ({ "main.mjs": REFUSED() }),
  },
  "page, classic script with a global": {
    core: "JavaScript",
    quick: true,
    page: page(GLOBAL, BUNDLE),
    isBundle: true,
    files: () => ({ "main.mjs": WITH_GLOBAL, "loaded.mjs": loadedBy({ has: [] }) }),
  },
  "eight module workers together": {
    files: () => eightWorkers({ entry: addressOf("graupel"), tell: post() }),
  },
};

/** With peers, except for the entries that run only on servers. */
const PEERS = {
  page: page(BUNDLE),
  isBundle: true,
  files: () => program({ core: "WebAssembly", tell: post(), has: ["peers"], without: SERVER_ONLY }),
};

function rowOf(browser, [how, way]) {
  const { core = "WebAssembly", policy, start, isBundle = false, quick = false } = way;
  return {
    ...{ host: browser, how, core },
    quick: quick && browser === "Chromium",
    files: () => ({
      "page.html": way.page ?? page(start ? START : MODULE),
      "errors.js": ERRORS,
      "start.js": start ?? "",
      "loaded.mjs": loadedBy(isBundle ? {} : pages),
      // A bundler resolves the entries by name.
      ...(way.files?.() ?? program({ core, ...(isBundle ? { tell: post() } : pages) })),
    }),
    async run(at) {
      if (isBundle) await asScript(at("main.mjs"), at("bundle.js"));
      return shown(browser, at(), { policy });
    },
  };
}

/**
 * A Chromium extension whose service worker runs the checks. `policy`: the policy in its manifest,
 * if any.
 */
function extensionRow({ how, entry, core, policy }) {
  const inside = (entry) => `.${addressOf(entry)}`;
  const run = async (at) => {
    const extension = (origin) => {
      const unpacked = folder(`extension ${entry}`, {
        "manifest.json": JSON.stringify({
          manifest_version: 3,
          name: "graupel",
          version: "1",
          host_permissions: [`${origin}/*`],
          background: { service_worker: "main.mjs", type: "module" },
          ...(policy && { content_security_policy: { extension_pages: policy } }),
        }),
        ...program({ core, entry, entryOf: inside, tell: post(origin) }),
      });
      cpSync(installed, unpacked("graupel"), { recursive: true });
      return unpacked();
    };
    return shown("Chromium", at(), { extension });
  };
  const files = () => ({ "page.html": page(), "errors.js": ERRORS });
  return { host: "Chromium", how: `extension (MV3), service worker, ${how}`, core, files, run };
}

/** Vite's development server, which rewrites the package for the browser. */
async function viteDev(at) {
  const { createServer } = await import(pathToFileURL(ownTool("vite/dist/node/index.js")));
  const port = await freePort();
  const server = await createServer({
    root: at(),
    configFile: false,
    logLevel: "error",
    cacheDir: at("cache"),
    server: { host: "127.0.0.1", port, strictPort: true, hmr: false, fs: { strict: false } },
  });
  await server.listen();
  try {
    return await answers.Chromium(`http://127.0.0.1:${port}/`, "vite-dev");
  } finally {
    await server.close();
  }
}

export const rows = [
  ...Object.keys(BROWSERS).flatMap((browser) => Object.entries(WAYS).map((way) => rowOf(browser, way))),
  rowOf("Chromium", ["with peers, page, one script", PEERS]),
  extensionRow({ how: "graupel/pure", entry: "graupel/pure", core: "JavaScript" }),
  extensionRow({
    how: "CSP 'wasm-unsafe-eval'",
    entry: "graupel",
    core: "WebAssembly",
    policy: "script-src 'self' 'wasm-unsafe-eval'",
  }),
  {
    ...{ host: "Vite", how: "dev, in Chromium", core: "WebAssembly", run: viteDev },
    version: () => ownVersionOf("vite"),
    files: () => ({
      "index.html": '<script type="module" src="/main.mjs"></script>',
      ...program({ core: "WebAssembly", tell: SEND }),
    }),
  },
];
