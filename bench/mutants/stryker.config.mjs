// The settings of Stryker: a seeded sample of mutants of the TypeScript, and the tests of that
// code.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";

const { GRAUPEL_SEED: seed = "21", GRAUPEL_MUTANTS: count = "100" } = process.env;

/** The folders of js/ to mutate. */
const MUTATED = ["core", "generator", "identity", "verbs"];
/**
 * The tests of this code. `cut` is left out because it compares steps of the code, and each mutant
 * adds steps; `polluted` because it checks that nothing is read from `Object.prototype`, which
 * Stryker's own code does; `waits` because it reads the clock millions of times, and takes minutes
 * with mutants in each reading.
 */
const TESTS = ["conformance", "generator", "identity", "snapshots", "texts", "schemas", "fuzz"]
  .map((room) => `tests/js/${room}/**/!(polluted|waits).test.ts`)
  .concat("tests/js/package/cores.test.ts");

/** The number of lines in a place of the sample. Stryker tries every possible mutation there. */
const LINES = 4;

const hash = (...parts) =>
  createHash("sha256")
    .update([seed, ...parts].join("\0"))
    .digest("hex");

/**
 * Draws places in the sources. The draw depends on the text of each place, so most places stay in
 * the sample when other code changes.
 */
function drawn() {
  const paths = MUTATED.flatMap((room) =>
    readdirSync(fromRoot("js", room)).map((name) => `js/${room}/${name}`),
  );
  const places = paths.flatMap((path) => {
    const lines = readFileSync(fromRoot(path), "utf8").split("\n");
    return lines.map((_, i) => {
      const rank = hash(path, ...lines.slice(i, i + LINES));
      return { rank, range: `${path}:${i + 1}-${Math.min(i + LINES, lines.length)}` };
    });
  });
  const order = places.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return order.slice(0, Number(count)).map(({ range }) => range);
}

export default {
  mutate: drawn(),
  testRunner: "tap",
  tap: {
    testFiles: TESTS,
    nodeArgs: ["--import", "tsx", "--test-reporter=tap", "-r", "{{hookFile}}", "{{testFile}}"],
  },
  // Rebuild the package with the mutants, because the tests import it. Node finds the tools in the
  // project, further up.
  buildCommand: "node bench/mutants/pack.mjs",
  dryRunTimeoutMinutes: 30,
  tempDirName: "target/mutants/stryker",
  symlinkNodeModules: false,
  ignorePatterns: ["/target"],
  reporters: ["clear-text", "progress", "json"],
  jsonReporter: { fileName: "target/mutants/javascript.json" },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  allowConsoleColors: false,
};
