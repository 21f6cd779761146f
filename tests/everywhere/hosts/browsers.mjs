// Browsers: pages and workers of every kind, Content-Security-Policies, and an extension.

import { cpSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { tool as ownTool } from "../../../xtask/lib/process.mjs";
import { BROWSERS } from "../../support/browsers.mjs";
import { freePort } from "../../support/places.mjs";
import { addressOf, ERRORS, post, shown } from "../lib/browser.mjs";
import { bundled } from "../lib/bundle.mjs";
import { installed } from "../lib/places.mjs";
import { bothCores, eightWorkers, folder, loadedBy, ownVersionOf, program } from "../lib/project.mjs";
import { answers, SEND } from "../lib/server.mjs";

export const page = (...scripts) =>
  `<!doctype html><meta charset="utf-8"><title>graupel</title><script src="errors.js"></script>\n${scripts.join("\n")}\n`;
const MODULE = '<script type="module" src="main.mjs"></script>';
const START = '<script src="start.js"></script>';

/** How a page starts the program. `bundle`: from one script, without modules. */
const WAYS = {
  page: { page: page(MODULE) },
  "page, one script": { page: page('<script src="bundle.js"></script>'), bundle: true },
  "module worker": {
    page: page(START),
    start:
      'new Worker("main.mjs", { type: "module" }).onerror = (event) => tell("worker: " + event.message);',
  },
  "classic worker": {
    page: page(START),
    start: 'new Worker("bundle.js").onerror = (event) => tell("worker: " + event.message);',
    bundle: true,
  },
  "shared worker": {
    page: page(START),
    start: 'new SharedWorker("bundle.js").onerror = () => tell("the shared worker does not load");',
    bundle: true,
  },
  "service worker": {
    page: page(START),
    start: 'navigator.serviceWorker.register("bundle.js").catch((error) => tell(String(error)));',
    bundle: true,
  },
};

const SELF = "default-src 'self'";
const SOUND = `${SELF}; script-src 'self' 'wasm-unsafe-eval'`;

async function rowFolder(name, { core, entry = "graupel", way, main }) {
  const at = folder(name.replace(/\W+/g, "-"), {
    "page.html": way.page,
    "errors.js": ERRORS,
    "start.js": way.start ?? "",
    "main.mjs": main ?? program({ core, entry: addressOf(entry), entryOf: addressOf, tell: post() }),
    "whole.mjs": program({ core, entry, tell: post() }),
    // A bundle finds them by their names.
    ...(way.bundle ? {} : { "loaded.mjs": loadedBy(addressOf) }),
  });
  if (way.bundle) await bundled(at("whole.mjs"), at("bundle.js"), { platform: "browser", format: "iife" });
  return at;
}

function wayRow(browser, how, way) {
  const core = "WebAssembly";
  const quick = browser === "Chromium" && ["page", "module worker"].includes(how);
  const run = async () => shown(browser, (await rowFolder(`${browser} ${how}`, { core, way }))());
  return { host: browser, how, core, quick, run };
}

function policyRow(browser, { policy, entry, core }) {
  const how = `page, CSP ${policy}, ${entry}`;
  const quick = browser === "Chromium" && policy === SELF;
  const run = async () =>
    shown(browser, (await rowFolder(`${browser} ${how}`, { core, entry, way: WAYS.page }))(), { policy });
  return { host: browser, how, core, quick, run };
}

/** Under a policy without WebAssembly, the error has a code, says why, has a cause, and names the way out, which works. */
const REFUSED = () => `import * as graupel from "${addressOf("graupel")}";
import * as pure from "${addressOf("graupel/pure")}";
import { checkAlphabets } from "./checks.mjs";
import { same, tally } from "./entries.mjs";
const result = checkAlphabets(pure, "JavaScript");
const expect = (name, truth, message) => tally(result, name, () => same(truth, true, message));
let error;
try {
  graupel.discord.parse("175928847299117063");
} catch (thrown) {
  error = thrown;
}
expect("the type of the error", graupel.GraupelError.is(error), String(error));
expect("the code", error?.code === "CORE", "got " + error?.code);
expect("the reason", /Content[- ]Security[- ]Policy|wasm-unsafe-eval/.test(error?.message), error?.message);
expect("the way out", /graupel\\/pure/.test(error?.message), error?.message);
expect("the cause", error?.cause instanceof Error, "cause: " + error?.cause);
${post()}
`;

function refusedRow(browser) {
  const how = `page, CSP ${SELF}: the error of graupel, and graupel/pure`;
  const core = "JavaScript";
  const run = async () => {
    const at = await rowFolder(`${browser} ${how}`, { core, way: WAYS.page, main: REFUSED() });
    return shown(browser, at(), { policy: SELF });
  };
  return { host: browser, how, core, quick: browser === "Chromium", run };
}

/** The whole package as one classic script, and the checks as another. */
function globalRow(browser) {
  const how = "page, classic script with a global";
  const core = "JavaScript";
  const run = async () => {
    const at = folder(`${browser} ${how}`.replace(/\W+/g, "-"), {
      "page.html": page(
        '<script src="graupel/dist/graupel.global.js"></script>',
        '<script src="bundle.js"></script>',
      ),
      "errors.js": ERRORS,
      "main.mjs": `import { check } from "./checks.mjs";
import vectors from "./vectors.mjs";
check(graupel, "${core}", vectors).then((result) => {
  ${post()}
});
`,
    });
    await bundled(at("main.mjs"), at("bundle.js"), { platform: "browser", format: "iife" });
    return shown(browser, at());
  };
  return { host: browser, how, core, quick: browser === "Chromium", run };
}

const PROGRAMS = {
  "eight module workers together": {
    core: "WebAssembly",
    files: () => eightWorkers({ core: "WebAssembly", entry: addressOf("graupel"), tell: post() }),
  },
  "page, both cores": {
    core: "both",
    files: () => ({ "main.mjs": bothCores({ entryOf: addressOf, tell: post() }) }),
  },
};

function programRow(browser, [how, { core, files }]) {
  const run = async () => {
    const pages = { "page.html": page(MODULE), "errors.js": ERRORS, "loaded.mjs": loadedBy(addressOf) };
    return shown(browser, folder(`${browser} ${how}`.replace(/\W+/g, "-"), { ...pages, ...files() })());
  };
  return { host: browser, how, core, run };
}

/** The address of an entry's file in an extension. */
const inside = (entry) => `.${addressOf(entry)}`;

/** An extension of Chromium; its service worker runs the checks. `policy`: that of its manifest, if it has one. */
function extensionRow({ how, entry, core, policy }) {
  const run = async () => {
    const name = `extension ${entry}`.replace(/\W+/g, "-");
    const at = folder(name, { "page.html": page(), "errors.js": ERRORS });
    const extension = (origin) => {
      const unpacked = folder(`${name}/unpacked`, {
        "manifest.json": JSON.stringify({
          manifest_version: 3,
          name: "graupel",
          version: "1",
          host_permissions: [`${origin}/*`],
          background: { service_worker: "main.mjs", type: "module" },
          ...(policy && { content_security_policy: { extension_pages: policy } }),
        }),
        "main.mjs": program({ core, entry: inside(entry), entryOf: inside, tell: post(origin) }),
        "loaded.mjs": loadedBy(inside),
      });
      cpSync(installed, unpacked("graupel"), { recursive: true });
      return unpacked();
    };
    return shown("Chromium", at(), { extension });
  };
  return { host: "Chromium", how: `extension (MV3), service worker, ${how}`, core, run };
}

/** Vite's server for developers, which gives the browser the package as it has rewritten it. */
function viteRow() {
  const core = "WebAssembly";
  const run = async () => {
    const { createServer } = await import(pathToFileURL(ownTool("vite/dist/node/index.js")));
    const at = folder("vite-dev", {
      "index.html": '<script type="module" src="/main.mjs"></script>',
      "main.mjs": program({ core, tell: SEND }),
    });
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
      const { version, ...result } = await answers.Chromium(`http://127.0.0.1:${port}/`, "vite-dev");
      return { version: ownVersionOf("vite"), ...result };
    } finally {
      await server.close();
    }
  };
  return { host: "Vite", how: "dev, in Chromium", core, run };
}

export const rows = [
  ...Object.keys(BROWSERS).flatMap((browser) => [
    ...Object.entries(WAYS).map(([how, way]) => wayRow(browser, how, way)),
    policyRow(browser, { policy: SELF, entry: "graupel/pure", core: "JavaScript" }),
    policyRow(browser, { policy: SOUND, entry: "graupel", core: "WebAssembly" }),
    refusedRow(browser),
    globalRow(browser),
    ...Object.entries(PROGRAMS).map((one) => programRow(browser, one)),
  ]),
  extensionRow({ how: "graupel/pure", entry: "graupel/pure", core: "JavaScript" }),
  extensionRow({
    how: "CSP 'wasm-unsafe-eval'",
    entry: "graupel",
    core: "WebAssembly",
    policy: "script-src 'self' 'wasm-unsafe-eval'",
  }),
  viteRow(),
];
