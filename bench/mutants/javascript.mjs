// Mutants of the TypeScript: all in one build of the package, switched by an environment variable.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { helper } from "../../xtask/build.mjs";
import { fromRoot, targetDir } from "../../xtask/lib/process.mjs";
import { say, step } from "../../xtask/lib/progress.mjs";
import { instrumented, REACHED, SWITCH } from "./instrument.mjs";
import { grouped, inParallel, judgeAlone, judgeTogether } from "./judge.mjs";
import { copyProject, home, moduleOf } from "./places.mjs";
import { runLimited } from "./programs.mjs";
import { hashOf } from "./results.mjs";
import { limitOf, refuseFailing, testFilesOf, timed } from "./test-files.mjs";

/** The rooms of js/ that get mutants. */
const MUTATED = ["core", "generator", "identity", "verbs"];

/** How many test files each mutant meets alone, and how many seconds each of them may take. */
const ALONE = 6;
const QUICK = 3;

/** The sources that get mutants, by path. */
function sources() {
  const paths = MUTATED.flatMap((room) =>
    readdirSync(fromRoot("js", room))
      .sort()
      .map((name) => `js/${room}/${name}`),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(fromRoot(path), "utf8")]));
}

/** Bundles and packs a copy, as `npm test` does, from the sources that it has now. */
async function install(into, texts) {
  for (const [path, text] of Object.entries(texts)) writeFileSync(into(path), text);
  const { bundle } = await moduleOf(into, "xtask", "lib", "bundle.mjs");
  await bundle(into("dist"));
  const { named } = await moduleOf(into, "xtask", "suites.mjs");
  await named("pack").work();
}

export const javascript = {
  async run({ seed, count, tests, without, jobs, results, experience }) {
    const { drawn, of, texts } = await instrumented(sources(), seed, count);
    say(`${drawn.length} mutants of ${of}, by the seed ${seed}`);
    const helperName = relative(targetDir, helper);
    const into = copyProject("javascript", tests, [helperName]);
    await step("build the package with all of them", () => install(into, texts));
    const known = results.known("test files") ?? {};
    const files = await testFilesOf(into, { seed, without });
    await step("which test file reaches which of them", async (onLine) => {
      await inParallel(files, jobs, async (file) => {
        onLine(file.name);
        known[file.name] ??= await reach(file);
        if (known[file.name].seconds !== null) results.remember("test files", known);
      });
    });
    refuseFailing(known);
    const units = files.map(({ name, twin, ...file }) => ({
      name,
      twin,
      ...known[name],
      run: (mutants) => {
        const numbers = mutants.map((mutant) => drawn.indexOf(mutant)).join(",");
        const env = { ...file.env, [SWITCH]: numbers };
        return runLimited(file.command, { ...file, env, limit: limitOf(known[name].seconds) });
      },
    }));
    const reaching = new Map(
      drawn.map((mutant, number) => [mutant, units.filter(({ reached }) => reached.includes(number))]),
    );
    await judge(drawn, reaching, { jobs, results, experience });
  },
};

/** What a test file reaches, and how long it takes. */
async function reach(testFile) {
  const file = join(home, `reached-${hashOf(testFile.name)}.txt`);
  rmSync(file, { force: true });
  const seconds = await timed({ ...testFile, env: { ...testFile.env, [REACHED]: file } });
  const numbers = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
  rmSync(file, { force: true });
  return { seconds, reached: [...new Set(numbers)].sort((a, b) => a - b) };
}

/** First every mutant meets the most promising test files, alone; then those that are left meet the other ones, together. */
async function judge(drawn, reaching, { jobs, results, experience }) {
  const open = () => drawn.filter((mutant) => !results.isSettled(mutant));
  const settle = (mutant, verdict) => {
    results.settle(mutant, verdict);
    results.tell(mutant, drawn.length);
  };
  const isNew = (mutant, unit) => !results.passedBy(mutant).has(unit.name);
  const untried = open().filter((mutant) => results.passedBy(mutant).size === 0);
  await inParallel(untried, jobs, async (mutant) => {
    const units = reaching.get(mutant);
    if (units.length === 0) return settle(mutant, { status: "not reached" });
    const quick = units.filter(({ seconds }) => seconds < QUICK);
    const first = experience.ordered(quick, mutant).slice(0, ALONE);
    const { kill, passed } = await judgeAlone(mutant, first, experience);
    if (kill) settle(mutant, kill);
    else results.notePassed(mutant, passed);
  });
  const others = [...new Set(open().flatMap((mutant) => reaching.get(mutant)))];
  say(`  ${open().length} mutants are left for the other test files`);
  for (const unit of others.sort((a, b) => a.seconds - b.seconds)) {
    const some = open().filter((mutant) => reaching.get(mutant).includes(unit) && isNew(mutant, unit));
    const groups = grouped(some);
    if (some.length > 0) say(`  ${unit.name}: ${some.length} mutants in ${groups.length} groups`);
    await inParallel(groups, jobs, async (group) => {
      const passed = await judgeTogether(group, unit, settle);
      for (const mutant of passed) results.notePassed(mutant, [unit.name]);
    });
  }
  for (const mutant of open()) {
    const units = reaching.get(mutant);
    if (!units.some((unit) => isNew(mutant, unit)))
      settle(mutant, { status: "survived", units: units.length });
  }
}
