// Mutants of the Rust code that no test in Rust has killed: the package is built with them, and meets the tests in TypeScript.

import { readdirSync, readFileSync } from "node:fs";
import { Failed, run } from "../../xtask/lib/process.mjs";
import { say, step } from "../../xtask/lib/progress.mjs";
import { Experience, grouped, inParallel, judgeAlone, judgeTogether } from "./judge.mjs";
import { moduleOf } from "./places.mjs";
import { runLimited } from "./programs.mjs";
import { hashOf } from "./results.mjs";
import { limitOf, refuseFailing, testFilesOf, timed } from "./test-files.mjs";

/** How many test files each mutant meets alone, and how many seconds each of them may take. */
const ALONE = 6;
const QUICK = 3;

/** The name of those. */
const FIRST = "first test files";
/** The name of all test files as one unit: what takes long is to build the package for them. */
const ALL = "test files of the package";

/** What the build prints when only the audit refuses the module: then the package is there. */
const REFUSED_BY_AUDIT = /audit the module[^\n]*\n\s*failed/;

/**
 * Builds and packs the package in a workshop. Resolves to a hash of what it has of the Rust code, or to undefined if the build fails, as it
 * reads an ID with what it has built.
 */
async function packageOf({ into }) {
  // Not the workshop's target directory for tests: the build finds its own.
  const options = { cwd: into(), env: { CARGO_TARGET_DIR: into("target"), RUST_BACKTRACE: "0" } };
  try {
    await run(process.execPath, [into("xtask", "build.mjs")], options);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    if (!REFUSED_BY_AUDIT.test(error.output)) return undefined;
  }
  const { named } = await moduleOf(into, "xtask", "suites.mjs");
  await named("pack").work();
  const generated = readdirSync(into("js", "generated")).sort();
  return hashOf(generated.map((name) => [name, readFileSync(into("js", "generated", name), "utf8")]));
}

/** The test files of a workshop as units, with what `known` says about how long they take. */
async function unitsIn({ into }, options, known) {
  const files = await testFilesOf(into, options);
  return files.map(({ name, twin, ...file }) => {
    const { seconds } = known[name];
    return { name, twin, seconds, run: () => runLimited(file.command, { ...file, limit: limitOf(seconds) }) };
  });
}

/** Settles the mutants that the package's tests kill, and notes for the others that they have passed them. */
export async function judgeInPackage(mutants, shops, { seed, without, results, settle, describe }) {
  if (mutants.length === 0) return;
  say(`  ${mutants.length} mutants are left for the tests of the package`);
  const known = results.known("test files") ?? {};
  const originals = [];
  const units = [];
  await step("build the package without a mutant", async () => {
    await inParallel(shops, shops.length, async (shop, job) => {
      shop.plant([]);
      originals[job] = await packageOf(shop);
    });
  });
  await step("run its tests without a mutant", async (onLine) => {
    for (const file of await testFilesOf(shops[0].into, { seed, without })) {
      onLine(file.name);
      known[file.name] ??= { seconds: await timed(file) };
      if (known[file.name].seconds !== null) results.remember("test files", known);
    }
  });
  refuseFailing(known);
  for (const [job, shop] of shops.entries()) units[job] = await unitsIn(shop, { seed, without }, known);
  const experience = new Experience(results.all());
  const left = [];
  await inParallel(mutants, shops.length, async (mutant, job) => {
    if (results.passedBy(mutant).has(FIRST)) return left.push(mutant);
    shops[job].plant([mutant]);
    const built = await packageOf(shops[job]);
    if (built === undefined) return settle(mutant, { status: "killed", by: "the build" });
    if (built === originals[job])
      return settle(mutant, { status: "survived", output: "the module is the same" });
    const quick = units[job].filter(({ seconds }) => seconds < QUICK);
    const first = experience.ordered(quick, mutant).slice(0, ALONE);
    const { kill } = await judgeAlone(mutant, first, experience);
    if (kill) return settle(mutant, kill);
    results.notePassed(describe(mutant), [FIRST]);
    left.push(mutant);
  });
  say(`  ${left.length} mutants are left for all of them, together`);
  await inParallel(grouped(left), shops.length, async (group, job) => {
    const inOrder = [...units[job]].sort((a, b) => a.seconds - b.seconds);
    for (const mutant of await judgeTogether(group, allOf(inOrder, shops[job]), settle))
      settle(mutant, { status: "survived", units: inOrder.length });
  });
}

/** One unit of several. The one that has failed last runs first, as a failure has to repeat. */
function allOf(units, shop) {
  let order = units;
  return {
    name: ALL,
    seconds: units.reduce((sum, { seconds }) => sum + seconds, 0),
    async run(mutants) {
      shop.plant(mutants);
      if ((await packageOf(shop)) === undefined)
        return { verdict: "failed", output: "the build", seconds: 0 };
      for (const unit of order) {
        const { verdict, output, late, seconds } = await unit.run();
        if (verdict === "passed") continue;
        order = [unit, ...order.filter((other) => other !== unit)];
        return { verdict, output: `${unit.name}: ${output}`, late, seconds };
      }
      return { verdict: "passed", output: "" };
    },
  };
}
