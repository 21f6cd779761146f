// `npm run bench -- --against <commit>`: measures the package of an earlier commit and this one, as
// ES modules and as CommonJS. The two take turns, each turn in its own process. Prints the ratio of
// their times: below 1, this package is faster.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { npm, Refusal, root, run, targetDir, tryRun } from "../../xtask/lib/process.mjs";
import { say, step } from "../../xtask/lib/progress.mjs";
import { apart } from "./child.mjs";
import { ratio } from "./words.mjs";

/** One format for each type of ID. */
const SUBJECTS = ["sno", "ulidFlake", "nanoflake", "twitter", "snowflakeSI"];
const OPERATIONS = "next nextText next(7) nextMany(1000) nextTyped(1000) parse isValid inspect timestamp"
  .split(" ")
  .concat("next, to a Buffer");
const TURNS = 15;

/**
 * A worktree of the commit, with the package built. It stays in the build directory for later runs.
 */
async function checkout(commit) {
  const hash = (await tryRun("git", ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`]))?.trim();
  if (!hash) throw new Refusal(`There is no commit ${commit} here.`);
  const directory = join(targetDir, "against", hash.slice(0, 12));
  const inside = { cwd: directory, env: { CARGO_TARGET_DIR: join(directory, "target") } };
  await step(`build ${hash.slice(0, 7)}`, async () => {
    if (!existsSync(directory)) {
      await run("git", ["worktree", "prune"]);
      await run("git", ["worktree", "add", "--detach", directory, hash]);
    }
    if (!existsSync(join(directory, "node_modules")))
      await run(npm, ["ci", "--no-audit", "--no-fund"], inside);
    await run(npm, ["run", "build"], inside);
  });
  return directory;
}

/**
 * The time of each operation in each turn of both packages. The packages alternate in going first.
 */
async function turns(program, sides, kind, subject, { quick }) {
  const times = sides.map(() => []);
  for (let i = 0; i < (quick ? 1 : TURNS); i++) {
    for (const side of i % 2 === 0 ? [0, 1] : [1, 0]) {
      const wanted = { subject, quick, kind, directory: sides[side], operations: OPERATIONS };
      const { cases, faults } = await apart(program, "turn", wanted);
      if (faults.length > 0) throw new Refusal(faults.join("\n"));
      times[side].push(Object.fromEntries(cases.map(({ operation, ns }) => [operation, ns])));
    }
  }
  return times;
}

const column = (turns, operation) => turns.map((times) => times[operation]);
const shown = ({ median, q1, q3 }) => `${median.toFixed(3)} (${q1.toFixed(3)} to ${q3.toFixed(3)})`;

/** Measures both packages, and prints a line for each operation. */
export async function against(commit, runtimes, options) {
  const sides = [root, await checkout(commit)];
  for (const { version, program } of runtimes.filter((one) => one.program !== undefined)) {
    const rows = {};
    for (const name of SUBJECTS.filter((one) => one.includes(options.only))) {
      say(`  Node ${version}: ${name}`);
      const modules = await turns(program, sides, "js", name, options);
      const required = await turns(program, sides, "cjs", name, options);
      // An earlier commit may not have an operation.
      for (const operation of Object.keys(modules[1][0])) {
        const [esm, cjs] = [modules, required].map((both) => both.map((turns) => column(turns, operation)));
        rows[`${name} ${operation}`] = {
          import: shown(ratio(...esm)),
          require: shown(ratio(...cjs)),
          "require / import, now": shown(ratio(cjs[0], esm[0])),
        };
      }
    }
    console.log(`\nNode ${version}: time now / time at ${commit}, median (quartiles)`);
    console.table(rows);
  }
}
