// What is known about each mutant, in a file that a later run continues.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Refusal } from "../../xtask/lib/process.mjs";
import { say } from "../../xtask/lib/progress.mjs";

export const hashOf = (value) =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);

/** A hash of all sources of a directory. */
export function hashOfSources(directory) {
  const paths = readdirSync(directory, { recursive: true }).filter((path) =>
    /\.(ts|mjs|json|rs)$/.test(path),
  );
  const own = paths.filter((path) => !/node_modules|generated/.test(path)).sort();
  return hashOf(own.map((path) => [path, readFileSync(join(directory, path), "utf8")]));
}

const mutantsIn = ({ mutants }) => Object.entries(mutants).map(([key, facts]) => ({ key, ...facts }));

/** The mutants of an earlier run, whatever it was of, or none. */
export const mutantsOf = (file) =>
  existsSync(file) ? mutantsIn(JSON.parse(readFileSync(file, "utf8"))) : [];

const STATUSES = ["killed", "timed out", "survived", "not reached"];

export class Results {
  #file;
  #data;
  #since = performance.now();
  #settled = 0;

  /** `facts`: what the results depend on; a file with others is refused. */
  constructor(file, facts) {
    this.#file = file;
    this.#data = { facts, mutants: {} };
    if (!existsSync(file)) return;
    const before = JSON.parse(readFileSync(file, "utf8"));
    if (JSON.stringify(before.facts) !== JSON.stringify(facts)) {
      throw new Refusal(
        `${file} has results of other code, or of another draw: ${JSON.stringify(before.facts)}`,
      );
    }
    this.#data = before;
  }

  /** What an earlier run has remembered under a name. */
  known(name) {
    return this.#data[name];
  }

  remember(name, value) {
    this.#data[name] = value;
    this.#write();
  }

  of(mutant) {
    return this.#data.mutants[mutant.key];
  }

  isSettled(mutant) {
    return this.of(mutant)?.status !== undefined;
  }

  /** Which units have run with a mutant that has no verdict yet. */
  passedBy(mutant) {
    return new Set(this.of(mutant)?.passed ?? []);
  }

  notePassed(mutant, names) {
    const { key, ...facts } = mutant;
    const passed = [...new Set([...(this.of(mutant)?.passed ?? []), ...names])];
    this.#data.mutants[key] = { ...facts, ...this.of(mutant), passed };
    this.#write();
  }

  settle(mutant, verdict) {
    const { key, ...facts } = mutant;
    const { passed, ...before } = this.of(mutant) ?? {};
    this.#data.mutants[key] = { ...facts, ...before, ...verdict };
    this.#settled += 1;
    this.#write();
  }

  /** A line about a mutant that has just got its verdict, and how long the others may take. */
  tell(mutant, of) {
    const { status, by } = this.of(mutant);
    const done = this.all().length;
    const each = (performance.now() - this.#since) / 1000 / this.#settled;
    const left = Math.round((each * (of - done)) / 60);
    const where = `${mutant.file}:${mutant.line}:${mutant.column}`;
    say(`  ${done}/${of}, ${left} min left: ${where} ${status}${by ? ` by ${by}` : ""}`);
  }

  /** The mutants with a verdict. What does not compile is no mutant. */
  all() {
    return mutantsIn(this.#data).filter(({ status }) => STATUSES.includes(status));
  }

  /** Writes a new file in the old one's place, so that an end at any time leaves one that is whole. */
  #write() {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(this.#data, null, 1)}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** Prints the score and all survivors. */
  report() {
    const all = this.all();
    const with_ = (status) => all.filter((mutant) => mutant.status === status);
    const detected = with_("killed").length + with_("timed out").length;
    say("");
    for (const mutant of [...with_("not reached"), ...with_("survived")]) {
      const { file, line, column, kind, original, replacement, status } = mutant;
      say(`${status}: ${file}:${line}:${column} ${kind}: ${original} -> ${replacement}`);
    }
    const counts = STATUSES.map((status) => `${with_(status).length} ${status}`).join(", ");
    const open = mutantsIn(this.#data).filter((mutant) => mutant.status === undefined).length;
    if (open > 0) say(`\n${open} mutants without a verdict: run this again`);
    say(`\n${all.length} mutants: ${counts}; score ${((100 * detected) / all.length).toFixed(1)} %`);
  }
}
