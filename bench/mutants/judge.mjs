// Decides which mutants the tests kill, with as little running as possible.
//
// A unit is one test program: `{ name, seconds, twin, run(mutants) }`, where `seconds` is what it takes without a mutant, and `run` resolves
// to `{ verdict, output, seconds, late }`. A twin runs the same tests as another unit, in another way.

import { say } from "../../xtask/lib/progress.mjs";

/** What a unit's verdict says about a mutant. */
const STATUS = { failed: "killed", "timed out": "timed out", "not compiled": "not compiled" };

/** How many mutants run together at most. */
const TOGETHER = 10;
/** Mutants of one file run together if there are at least so many lines between them, since one could keep the other from being reached. */
const APART = 25;

/**
 * A unit that has not run yet counts as if it had run so often, and had killed as many mutants as the average unit; for one file, as many
 * as it kills elsewhere.
 */
const ASSUMED = 4;

/** Counts what each unit has killed, and puts the units in the best order. `before`: mutants, with what killed them in earlier runs. */
export class Experience {
  #counts = new Map();
  #killer = new Map();

  constructor(before) {
    for (const { key, by, ...mutant } of before) {
      if (by === undefined) continue;
      this.#killer.set(key, by);
      this.note({ name: by }, mutant, true);
    }
  }

  #share(key, before) {
    const { runs, kills } = this.#counts.get(key) ?? { runs: 0, kills: 0 };
    return (kills + ASSUMED * before) / (runs + ASSUMED);
  }

  /** A unit's place: how many seconds it takes for each mutant of this file that it kills, so far. */
  #price({ name, seconds }, { file }) {
    const ofAll = this.#share("", 0.2);
    const ofUnit = this.#share(name, ofAll);
    return seconds / this.#share(`${name}\0${file}`, ofUnit);
  }

  note({ name }, { file }, killed) {
    for (const key of ["", name, `${name}\0${file}`]) {
      const { runs, kills } = this.#counts.get(key) ?? { runs: 0, kills: 0 };
      this.#counts.set(key, { runs: runs + 1, kills: kills + (killed ? 1 : 0) });
    }
  }

  /** First what has killed the mutant before. Twins come last: what their tests find, the other one has found. */
  ordered(units, mutant) {
    const price = new Map(units.map((unit) => [unit, this.#price(unit, mutant)]));
    const rank = ({ name, twin }) => (this.#killer.get(mutant.key) === name ? 0 : twin ? 2 : 1);
    return [...units].sort((a, b) => rank(a) - rank(b) || price.get(a) - price.get(b));
  }
}

/** How often a unit is tried that fails with a mutant, late, and without it too. */
const ATTEMPTS = 3;

/** That nothing could be told. */
const UNDECIDED = {};

/**
 * The verdict of a unit that has seen a mutant: undefined if it passes, or UNDECIDED. On a busy machine, tests that depend on time may fail
 * by themselves: what took long has to fail again, and to pass without the mutant.
 */
async function killOf(unit, mutant) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = await unit.run([mutant]);
    if (first.verdict === "passed") return undefined;
    const kill = { status: STATUS[first.verdict], by: unit.name, output: first.output.trim().slice(-300) };
    const certain = first.verdict === "timed out" ? !first.late : first.seconds < 2 * unit.seconds + 1;
    if (certain || first.verdict === "not compiled") return kill;
    if ((await unit.run([mutant])).verdict === "passed") return undefined;
    if ((await unit.run([])).verdict === "passed") return kill;
  }
  say(`    undecided: ${unit.name} fails without a mutant now, as the machine is too busy`);
  return UNDECIDED;
}

/** Runs a mutant through units, one after the other. Resolves to what killed it, if anything, and to the names of those that passed. */
export async function judgeAlone(mutant, units, experience) {
  const passed = [];
  for (const unit of units) {
    const kill = await killOf(unit, mutant);
    if (kill === UNDECIDED) continue;
    experience.note(unit, mutant, kill !== undefined);
    if (kill) return { kill, passed };
    passed.push(unit.name);
  }
  return { passed };
}

/**
 * Runs a unit with several mutants at once: if it passes, none of them is killed; if not, it runs with each half. (One mutant can hide
 * another. That is rare among mutants that the most promising units have not killed, and that are far apart.) Calls `found` with each mutant that
 * is killed, and what killed it. Resolves to the mutants for which the unit has passed.
 */
export async function judgeTogether(mutants, unit, found) {
  if (mutants.length === 1) {
    const kill = await killOf(unit, mutants[0]);
    if (kill && kill !== UNDECIDED) found(mutants[0], kill);
    return kill === undefined ? mutants : [];
  }
  if ((await unit.run(mutants)).verdict === "passed") return mutants;
  const middle = mutants.length >> 1;
  return [
    ...(await judgeTogether(mutants.slice(0, middle), unit, found)),
    ...(await judgeTogether(mutants.slice(middle), unit, found)),
  ];
}

/** Groups of mutants that may run together. */
export function grouped(mutants) {
  const groups = [];
  const near = (one, other) => one.file === other.file && Math.abs(one.line - other.line) < APART;
  for (const mutant of mutants) {
    const fits = (group) => group.length < TOGETHER && !group.some((other) => near(mutant, other));
    const group = groups.find(fits);
    if (group) group.push(mutant);
    else groups.push([mutant]);
  }
  return groups;
}

/** Calls `work` for each item, `jobs` of them at a time. */
export async function inParallel(items, jobs, work) {
  const left = [...items];
  const worker = async (job) => {
    while (left.length > 0) await work(left.shift(), job);
  };
  await Promise.all(Array.from({ length: jobs }, (_, job) => worker(job)));
}
