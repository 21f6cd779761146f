// Mutants of the TypeScript: all in one build of the package, switched by an environment variable.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromRoot, Refusal } from "../../xtask/lib/process.mjs";
import { say, step } from "../../xtask/lib/progress.mjs";
import { instrumented, REACHED, SWITCH } from "./instrument.mjs";
import { grouped, inParallel, judgeAlone, judgeTogether } from "./judge.mjs";
import { copyProject, home, moduleOf } from "./places.mjs";
import { runLimited } from "./programs.mjs";

/** The rooms of js/ that get mutants. */
const MUTATED = ["core", "generator", "verbs"];

/** Rooms of tests/js that say nothing about what the code does: they test files, types, sizes and the bench. */
const LEFT_OUT = new Set(["package", "bench", "www"]);

/** A unit may take this many times as long as without a mutant, and some seconds more, because a busy machine starts programs slowly. */
export const limitOf = (seconds) => 3 * seconds + 10;

/** How many test files each mutant meets alone. */
const ALONE = 6;

/** The sources that get mutants, by path. */
export function sources() {
  const paths = MUTATED.flatMap((room) =>
    readdirSync(fromRoot("js", room))
      .sort()
      .map((name) => `js/${room}/${name}`),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(fromRoot(path), "utf8")]));
}

export const hashOf = (value) =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);

/** The test files of a copy, each on the core as WebAssembly, and those of some rooms on the core as JavaScript too. */
export async function unitsOf(into, seed) {
  const { JAVASCRIPT_CORE, JAVASCRIPT_ROOMS, testFiles } = await moduleOf(into, "xtask", "suites.mjs");
  const rooms = readdirSync(into("tests", "js"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && !LEFT_OUT.has(entry.name))
    .map(({ name }) => name);
  // The same random stories each time: otherwise luck would decide about mutants.
  const always = { GRAUPEL_SEED: String(seed), FORCE_COLOR: "0" };
  const reporter = `--test-reporter=${fromRoot("bench", "mutants", "first-failure.mjs")}`;
  const unit = (file, core, twin) => ({
    name: twin ? `pure ${file}` : file,
    twin,
    command: [
      process.execPath,
      ...["--import", "tsx", reporter, "--test-reporter-destination=stdout"],
      join("tests", "js", file),
    ],
    cwd: into(),
    env: { ...always, ...core },
  });
  return [
    ...testFiles(rooms).map((file) => unit(file, {}, false)),
    ...testFiles(JAVASCRIPT_ROOMS).map((file) => unit(file, JAVASCRIPT_CORE, true)),
  ];
}

/** Runs a unit without mutants. Resolves to how long it takes. Tries again before it gives up, as some tests depend on time. */
export async function timed({ name, command, cwd, env }) {
  for (let attempt = 0; ; attempt++) {
    const { verdict, output, seconds } = await runLimited(command, { cwd, env, limit: 150 });
    if (verdict === "passed") return seconds;
    if (attempt === 2) throw new Refusal(`${name} fails without a mutant: ${output}`);
  }
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
  facts: ({ tests }) => ({ product: hashOf(sources()), tests: hashOfTests(join(tests, "tests", "js")) }),

  async run({ seed, count, tests, jobs, results, experience }) {
    const { drawn, of, texts } = await instrumented(sources(), seed, count);
    say(`${drawn.length} mutants of ${of}, by the seed ${seed}`);
    const into = copyProject("javascript", tests);
    await step("build the package with all of them", () => install(into, texts));
    const known = results.known("units") ?? {};
    const units = await unitsOf(into, seed);
    await step("which test file reaches which of them", async (onLine) => {
      await inParallel(units, jobs, async (unit) => {
        onLine(unit.name);
        known[unit.name] ??= await reach(unit);
        results.remember("units", known);
      });
    });
    const numbered = drawn.map((mutant, number) => ({ mutant, number }));
    const runnable = units.map((unit) => ({
      name: unit.name,
      twin: unit.twin,
      ...known[unit.name],
      run: (some) => {
        const numbers = some.map((mutant) => drawn.indexOf(mutant)).join(",");
        const env = { ...unit.env, [SWITCH]: numbers };
        return runLimited(unit.command, { ...unit, env, limit: limitOf(known[unit.name].seconds) });
      },
    }));
    const reaching = new Map(
      numbered.map(({ mutant, number }) => [
        mutant,
        runnable.filter(({ reached }) => reached.includes(number)),
      ]),
    );
    await judge(drawn, reaching, { jobs, results, experience });
  },
};

/** What a unit reaches, and how long it takes. */
async function reach(unit) {
  const file = join(home, `reached-${hashOf(unit.name)}.txt`);
  rmSync(file, { force: true });
  const seconds = await timed({ ...unit, env: { ...unit.env, [REACHED]: file } });
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
    const first = experience.ordered(units, mutant).slice(0, ALONE);
    const kill = await judgeAlone(mutant, first, experience);
    if (kill) return settle(mutant, kill);
    const names = first.map(({ name }) => name);
    results.notePassed(mutant, names);
  });
  const others = [...new Set(open().flatMap((mutant) => reaching.get(mutant)))];
  say(`  ${open().length} mutants are left for the other test files`);
  for (const unit of others.sort((a, b) => a.seconds - b.seconds)) {
    const some = open().filter((mutant) => reaching.get(mutant).includes(unit) && isNew(mutant, unit));
    const groups = grouped(some);
    if (some.length > 0) say(`  ${unit.name}: ${some.length} mutants in ${groups.length} groups`);
    await inParallel(groups, jobs, async (group) => {
      await judgeTogether(group, unit, settle);
      for (const mutant of group) if (!results.isSettled(mutant)) results.notePassed(mutant, [unit.name]);
    });
  }
  for (const mutant of open())
    settle(mutant, { status: "survived", by: undefined, run: reaching.get(mutant).length });
}

/** A hash of all tests of a directory. */
export function hashOfTests(directory) {
  const files = readdirSync(directory, { recursive: true }).filter((path) =>
    /\.(ts|mjs|json|rs)$/.test(path),
  );
  const own = files.filter((path) => !path.includes("node_modules")).sort();
  return hashOf(own.map((path) => [path, readFileSync(join(directory, path), "utf8")]));
}
