// `npm run test:long -- mutants`: plants mistakes in a sample of the code, and lists those that no
// test notices.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, helper } from "../../xtask/build.mjs";
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

/** Runs the native tests, and then the tests inside WebAssembly on the mutants that survived. */
async function rust({ seed, count }) {
  const program = await cargoMutants();
  const results = (name) => readFileSync(join(home, "mutants.out", name), "utf8");
  const which = ["mutants", "--no-config", "--package", "graupel", "--file", "src/**"];
  const env = { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: helper, PROPTEST_RNG_SEED: String(seed) };
  // Keep this folder, so that dependencies compile once, not once for each copy of the sources.
  const folder = `--cargo-arg=--target-dir=${join(home, "cargo")}`;
  const pass = async (...args) => {
    await run(program, [...which, "--output", home, folder, ...args], { show: true, env }).catch((error) => {
      if (!(error instanceof Failed && FOUND.includes(error.code))) throw error;
    });
    return JSON.parse(results("outcomes.json"));
  };
  const all = (await run(program, [...which, "--list"])).trim().split("\n");
  const shards = Math.max(1, Math.round(all.length / count));
  const sample = ["--shard", `${seed % shards}/${shards}`, "--sharding", "round-robin"];
  const tests = ["graupel", "graupel-worlds"].flatMap((name) => ["--test-package", name]);
  const native = await pass(...sample, ...tests, "--", "--tests");
  const left = results("missed.txt").trim().split("\n").filter(Boolean);
  // With --re, cargo-mutants would also run mutants that delete a field of a struct, whatever their
  // names.
  const others = all.filter((name) => !left.includes(name));
  writeFileSync(join(home, "mutants.out", "caught.txt"), others.join("\n"));
  const wasm = ["--cargo-arg=--target=wasm32-unknown-unknown", "--", "--test", "core"];
  const { missed } = left.length > 0 ? await pass("--iterate", ...wasm) : native;
  score("Rust", native.total_mutants - native.unviable, missed);
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
