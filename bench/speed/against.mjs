// `npm run bench -- --against <commit>`: the package of an earlier commit and this one, by turns, each turn in a process of its
// own, as ES modules and as CommonJS. Prints the ratio of their times: below 1, this package is faster.

import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fromRoot, npm, Refusal, root, run, targetDir, tryRun } from "../../xtask/lib/process.mjs";
import { say, step } from "../../xtask/lib/progress.mjs";
import { SUBJECTS } from "./against-turn.mjs";
import { ratio } from "./statistics.mjs";

const KINDS = ["mjs", "cjs"];
/** Pairs of turns, or just enough to show that everything works. */
const TURNS = 15;

/** A worktree of the commit, built. It stays in the build directory for the next run. */
async function checkout(commit) {
  const hash = (await tryRun("git", ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`]))?.trim();
  if (!hash) throw new Refusal(`There is no commit ${commit} here.`);
  const directory = join(targetDir, "against", hash.slice(0, 12));
  const inside = { cwd: directory, env: { CARGO_TARGET_DIR: join(directory, "target") } };
  await step(`build ${hash.slice(0, 7)}`, async (onLine) => {
    if (!existsSync(directory)) {
      await run("git", ["worktree", "prune"]);
      await run("git", ["worktree", "add", "--detach", directory, hash]);
    }
    if (!existsSync(join(directory, "node_modules")))
      await run(npm, ["ci", "--no-audit", "--no-fund"], inside);
    await run(npm, ["run", "build"], { ...inside, onLine });
  });
  return directory;
}

/** One turn of a package: nanoseconds a call, by operation. The program lies in the package, so that `graupel` is that one. */
async function turn(program, directory, kind, name, quick) {
  const place = join(directory, "target", "against-turn");
  mkdirSync(place, { recursive: true });
  const file = join(place, "turn.mjs");
  copyFileSync(fromRoot("bench", "speed", "against-turn.mjs"), file);
  return JSON.parse(await run(program, [file, JSON.stringify({ kind, name, quick })]));
}

/** The times of both packages in each pair of turns. Who begins changes from pair to pair. */
async function pairs(program, sides, kind, name, { quick }) {
  const times = sides.map(() => []);
  for (let i = 0; i < (quick ? 1 : TURNS); i++) {
    for (const side of i % 2 === 0 ? [0, 1] : [1, 0])
      times[side].push(await turn(program, sides[side], kind, name, quick));
  }
  return times;
}

const column = (turns, operation) => turns.map((times) => times[operation]);
const shown = ({ median, q1, q3 }) => `${median.toFixed(3)} (${q1.toFixed(3)} to ${q3.toFixed(3)})`;

/** Measures, and prints a line for each operation. */
export async function against(commit, runtimes, options) {
  const sides = [root, await checkout(commit)];
  for (const { version, program } of runtimes.filter((one) => one.program !== undefined)) {
    console.log(
      `\nNode ${version}: time now / time at ${commit}, median (quartiles); last, now: require / import`,
    );
    for (const name of Object.keys(SUBJECTS).filter((one) => one.includes(options.only))) {
      say(`  ${name}`);
      const [modules, required] = [
        await pairs(program, sides, KINDS[0], name, options),
        await pairs(program, sides, KINDS[1], name, options),
      ];
      // An earlier commit may lack an operation.
      for (const operation of Object.keys(modules[1][0])) {
        const [esm, cjs] = [modules, required].map((both) => both.map((turns) => column(turns, operation)));
        const cells = [ratio(...esm), ratio(...cjs), ratio(cjs[0], esm[0])].map(shown);
        console.log(`${`${name} ${operation}`.padEnd(34)} ${cells.map((cell) => cell.padEnd(25)).join(" ")}`);
      }
    }
  }
}
