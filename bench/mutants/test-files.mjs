// The test files of tests/js, as units (judge.mjs).

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fromRoot, Refusal } from "../../xtask/lib/process.mjs";
import { say } from "../../xtask/lib/progress.mjs";
import { moduleOf } from "./places.mjs";
import { runLimited } from "./programs.mjs";

/** Rooms of tests/js that say nothing about what the code does: they test files, types, sizes, pages and the bench. */
const LEFT_OUT = new Set(["package", "bench", "www"]);

/** How often a test file that fails without a mutant is tried, as some depend on time. */
const ATTEMPTS = 3;
/** Seconds of a processor that a test file may take without a mutant. */
const LONGEST = 150;

/** A unit may take three times as long as without a mutant, and some seconds more, because a busy machine starts programs slowly. */
export const limitOf = (seconds) => 3 * seconds + 10;

/**
 * The test files of a copy, each on the core as WebAssembly, and those of some rooms on the core as JavaScript too. `without`: names that are left
 * out.
 */
export async function testFilesOf(into, { seed, without }) {
  const { JAVASCRIPT_CORE, JAVASCRIPT_ROOMS, testFiles } = await moduleOf(into, "xtask", "suites.mjs");
  const rooms = readdirSync(into("tests", "js"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && !LEFT_OUT.has(entry.name))
    .map(({ name }) => name);
  // The same random stories each time: otherwise luck would decide about mutants.
  const always = { GRAUPEL_SEED: String(seed), FORCE_COLOR: "0" };
  const reporter = `--test-reporter=${fromRoot("bench", "mutants", "first-failure.mjs")}`;
  const options = ["--import", "tsx", reporter, "--test-reporter-destination=stdout"];
  const row = (file, core, twin) => ({
    name: twin ? `pure ${file}` : file,
    twin,
    command: [process.execPath, ...options, join("tests", "js", file)],
    cwd: into(),
    env: { ...always, ...core },
  });
  const all = [
    ...testFiles(rooms).map((file) => row(file, {}, false)),
    ...testFiles(JAVASCRIPT_ROOMS).map((file) => row(file, JAVASCRIPT_CORE, true)),
  ];
  const unknown = without.find((name) => !all.some((file) => file.name === name));
  if (unknown !== undefined) throw new Refusal(`there is no test file ${unknown}`);
  return all.filter(({ name }) => !without.includes(name));
}

/** Runs a test file without mutants. Resolves to how many seconds it takes, or to null if it fails. */
export async function timed({ name, command, cwd, env }) {
  let output;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const run = await runLimited(command, { cwd, env, limit: LONGEST });
    if (run.verdict === "passed") return run.seconds;
    output = run.output;
  }
  say(`    ${name} fails without a mutant: ${output}`);
  return null;
}

/** Refuses test files that fail without a mutant. `known`: how long each takes, by name. */
export function refuseFailing(known) {
  const failing = Object.keys(known).filter((name) => known[name].seconds === null);
  if (failing.length === 0) return;
  throw new Refusal(`Some fail without a mutant. To leave them out: --without "${failing.join(",")}"`);
}
