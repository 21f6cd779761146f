// `npm run test:long -- mutants`: plants mistakes in a sample of the code, and lists those that no
// test notices.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../../xtask/build.mjs";
import { Failed, fromRoot, Refusal, run, runAsProgram, targetDir, tool } from "../../xtask/lib/process.mjs";
import { say, step } from "../../xtask/lib/progress.mjs";
import { setup } from "../../xtask/setup.mjs";

const home = join(targetDir, "mutants");

/**
 * Prints the score of a language: the share of mutants that a test notices, among those that
 * compile.
 */
function score(language, mutants, survivors) {
  const share = (100 * (mutants - survivors)) / mutants;
  say(`${language}: ${mutants} mutants, ${survivors} survive; score ${share.toFixed(1)} %`);
}

async function typescript({ seed, count }) {
  const config = fromRoot("bench", "mutants", "stryker.config.mjs");
  const env = { GRAUPEL_SEED: String(seed), GRAUPEL_MUTANTS: String(count), FORCE_COLOR: "0" };
  await run(tool("@stryker-mutator/core/bin/stryker.js"), ["run", config], { show: true, env });
  const { files } = JSON.parse(readFileSync(join(home, "javascript.json"), "utf8"));
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  const of = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const survivors = of("Survived", "NoCoverage");
  score("TypeScript", of("Killed", "Timeout") + survivors, survivors);
}

/** Installs cargo-mutants in the version that package.json pins. */
async function cargoMutants() {
  const { programs } = JSON.parse(readFileSync(fromRoot("bench", "mutants", "package.json"), "utf8"));
  const which = ["cargo-mutants", "--version", programs["cargo-mutants"], "--locked", "--root", home];
  // Cargo does nothing if this version is already installed.
  await step(`install cargo-mutants ${programs["cargo-mutants"]}`, () =>
    run("cargo", ["install", ...which], { show: true }),
  );
  return join(home, "bin", "cargo-mutants");
}

/** Exit codes 2 and 3 mean that mutants survived or timed out. This is a result, not a failure. */
const FOUND = [2, 3];

/** Leaves out the boundary, whose tests are those of the package. */
async function rust({ seed, count }) {
  const program = await cargoMutants();
  const paths = ["--file", "src/**", "--exclude", "src/wasm/**", "--exclude", "src/abi.rs"];
  const which = ["mutants", "--no-config", "--package", "graupel", ...paths];
  const env = { PROPTEST_RNG_SEED: String(seed) };
  // Keep this folder, so that dependencies compile once, not once for each copy of the sources.
  const folder = `--cargo-arg=--target-dir=${join(home, "cargo")}`;
  const all = (await run(program, [...which, "--list"])).trim().split("\n");
  const shards = Math.max(1, Math.round(all.length / count));
  const sample = ["--shard", `${seed % shards}/${shards}`, "--sharding", "round-robin"];
  const tests = ["graupel", "graupel-worlds"].flatMap((name) => ["--test-package", name]);
  const args = [...which, "--output", home, folder, ...sample, ...tests, "--", "--tests"];
  await run(program, args, { show: true, env }).catch((error) => {
    if (!(error instanceof Failed && FOUND.includes(error.code))) throw error;
  });
  const found = JSON.parse(readFileSync(join(home, "mutants.out", "outcomes.json"), "utf8"));
  score("Rust", found.total_mutants - found.unviable, found.missed);
}

const LANGUAGES = { typescript, rust };

async function mutants() {
  const text = { type: "string" };
  const options = { language: text, seed: { ...text, default: "21" }, count: { ...text, default: "100" } };
  const { values } = parseArgs({ options });
  const { language } = values;
  if (language !== undefined && !Object.hasOwn(LANGUAGES, language))
    throw new Refusal(`--language ${language}: use typescript or rust`);
  const [seed, count] = [Number(values.seed), Number(values.count)];
  if (!(Number.isInteger(seed) && seed >= 0)) throw new Refusal(`--seed ${values.seed}: use a whole number`);
  if (!(Number.isInteger(count) && count > 0))
    throw new Refusal(`--count ${values.count}: use a number above 0`);
  await setup("bench", "bench/mutants", "tests/js");
  await build();
  for (const name of language === undefined ? Object.keys(LANGUAGES) : [language])
    await LANGUAGES[name]({ seed, count });
}

await runAsProgram(import.meta.url, mutants);
