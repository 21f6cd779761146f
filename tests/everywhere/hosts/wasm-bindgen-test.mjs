// The Rust tests inside WebAssembly (tests/core), in browsers. In Node, `npm test -- wasm` runs
// them. wasm-bindgen's runner needs a WebDriver to open a browser. Here, a page does the work of
// the runner's page, and posts the output of the tests.

import { copyFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { Failed, run, targetDir } from "../../../xtask/lib/process.mjs";
import { UNCHECKED } from "../../../xtask/suites.mjs";
import { BROWSERS } from "../../support/browsers.mjs";
import { ERRORS, post, shown } from "../lib/browser.mjs";

const core = "WebAssembly";
const how = "Rust tests (wasm-bindgen-test)";

const BUILD = ["--package", "graupel", "--target", "wasm32-unknown-unknown", "--test", "core", ...UNCHECKED];

/** The runner starts the `node` in PATH, so put this Node there. */
const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

/**
 * Resolves to cargo's output. On failure, the error contains the output except for the
 * machine-readable messages.
 */
const cargo = (command, ...args) =>
  run("cargo", [command, "--quiet", ...args], { env }).catch((error) => {
    if (!(error instanceof Failed)) throw error;
    const words = error.output.split("\n").filter((line) => !line.startsWith("{"));
    throw new Error([error.message, ...words].join("\n"));
  });

/** Calls the build helper, which is also cargo's runner. */
const helper = (...args) => cargo("run", "--package", "xtask", "--", ...args);

async function compile() {
  const lines = await cargo("test", ...BUILD, "--no-run", "--message-format=json-render-diagnostics");
  const messages = lines
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const { executable } = messages.find(({ executable, target }) => executable && target.name === "core");
  const listed = await helper(executable, "--list");
  const names = [...listed.matchAll(/^(\S+): test$/gm)].map(([, name]) => name);
  if (names.length === 0) throw new Error(`no tests in ${executable}`);
  return { executable, names };
}

let compiling;

/**
 * Builds the test binary once. Resolves to it and to the tests' names, as the runner for Node lists
 * them.
 */
function compiled() {
  compiling ??= compile();
  return compiling;
}

/** The results of the tests. A test that was ignored or did not run counts as failed. */
function resultOf(printed, names) {
  const outcomes = new Map([...printed.matchAll(/^test (\S+) \.\.\. (.*)$/gm)].map(([, ...pair]) => pair));
  const messageOf = (name) => printed.split(`---- ${name} output ----\n`)[1]?.split("\n----")[0].trim();
  const failed = names
    .filter((name) => outcomes.get(name) !== "ok")
    .map((name) => ({ name, message: messageOf(name) ?? outcomes.get(name) ?? "was not run" }));
  return { core, passed: names.length - failed.length, failed };
}

const PAGE = `<!doctype html><meta charset="utf-8"><title>graupel</title><script src="errors.js"></script>
<pre id="output"></pre><script type="module" src="main.mjs"></script>
`;

/**
 * The tests print to the page's "output" element. The message of a failed test includes its console
 * output.
 */
const MAIN = `import init, * as glue from "./tests/tests.js";
const exported = await init({ module_or_path: "tests/tests_bg.wasm" });
globalThis.__wbg_test_invoke = (call) => call();
const context = new glue.WasmBindgenTestContext(false);
for (const method of ["debug", "log", "info", "warn", "error"]) {
  const record = glue["__wbgtest_console_" + method];
  console[method] = (...words) => record(words);
}
context.include_ignored(false);
context.filtered_count(0);
const tests = Object.keys(exported).filter((name) => name.startsWith("__wbgt_"));
await context.run(tests.map((name) => exported[name]));
const result = { printed: document.getElementById("output").textContent };
${post()}
`;

const browserRow = (browser) => ({
  ...{ host: browser, how, core },
  files: () => ({ "page.html": PAGE, "errors.js": ERRORS, "main.mjs": MAIN, "core/entropy.js": "" }),
  async run(at) {
    const { executable, names } = await compiled();
    await helper("page-tests", executable, at("tests"));
    // The glue imports this file from the same path as in the runner for Node.
    copyFileSync(join(targetDir, "wasm-tests", "core", "entropy.js"), at("core", "entropy.js"));
    const { version, printed, ...error } = await shown(browser, at());
    return { version, ...(printed === undefined ? error : resultOf(printed, names)) };
  },
});

export const rows = Object.keys(BROWSERS).map(browserRow);
