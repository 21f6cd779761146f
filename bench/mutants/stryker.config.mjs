// Stryker's settings: a seeded sample of mutants of the TypeScript, which meet the tests of what it does.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";

const { GRAUPEL_SEED: seed = "21", GRAUPEL_MUTANTS: count = "100" } = process.env;

/** The rooms of js/ that get mutants. */
const MUTATED = ["core", "generator", "identity", "verbs"];
/**
 * The rooms of tests/js that say what these do. Not `cut`, which compares steps of the code, of which a place for a mutant is one more; and
 * not the test that nothing is read from `Object.prototype`, as Stryker's own code does, nor that of coarse clocks, which reads them millions of
 * times: with mutants in each reading, it takes minutes.
 */
const TESTS = ["conformance", "generator", "identity", "snapshots", "texts", "schemas", "fuzz"];

/** Lines of one place, in which each mutation that fits is tried. */
const LINES = 4;

const hash = (...parts) =>
  createHash("sha256")
    .update([seed, ...parts].join("\0"))
    .digest("hex");

/** Some places in the sources. A place is drawn by its text, so most of a draw stays the same when other code changes. */
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
    testFiles: TESTS.map((room) => `tests/js/${room}/**/!(polluted|coarse-clocks).test.ts`),
    nodeArgs: ["--import", "tsx", "--test-reporter=tap", "-r", "{{hookFile}}", "{{testFile}}"],
  },
  // The mutants are in the package that the tests import, so it is built anew. Tools are found further up, in the project.
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
