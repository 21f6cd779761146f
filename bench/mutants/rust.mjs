// Mutants of the Rust code: cargo-mutants finds them; each is compiled, natively and to WebAssembly, and meets the tests of both.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { helper } from "../../xtask/build.mjs";
import { fromRoot, Refusal, run } from "../../xtask/lib/process.mjs";
import { say, step } from "../../xtask/lib/progress.mjs";
import { UNCHECKED } from "../../xtask/suites.mjs";
import { inShort, shuffled } from "./draw.mjs";
import { inParallel, judgeAlone } from "./judge.mjs";
import { judgeInPackage } from "./package.mjs";
import { copyProject, home } from "./places.mjs";
import { runLimited } from "./programs.mjs";
import { limitOf } from "./test-files.mjs";

const WASM = ["--target", "wasm32-unknown-unknown"];

/** What is only compiled to WebAssembly. */
const isBoundary = ({ file }) => file.startsWith("src/wasm/");

/** Compiling may take this many seconds of a processor, and a test program so many megabytes. */
const COMPILE_LIMIT = 120;
const MEGABYTES = 4096;

/** The program cargo-mutants, of the version that package.json pins. */
async function installCargoMutants() {
  const { programs } = JSON.parse(readFileSync(fromRoot("bench", "mutants", "package.json"), "utf8"));
  const version = programs["cargo-mutants"];
  const to = join(home, "tools");
  const record = join(to, ".crates.toml");
  const installed = existsSync(record) && readFileSync(record, "utf8").includes(`"cargo-mutants ${version} `);
  if (!installed) {
    const what = ["cargo-mutants", "--version", version, "--locked", "--force", "--root", to];
    await step(`install cargo-mutants ${version}`, async (onLine) => {
      await run("cargo", ["install", ...what], { onLine });
    });
  }
  return join(to, "bin", process.platform === "win32" ? "cargo-mutants.exe" : "cargo-mutants");
}

/** The place in a text of a line and a column; both count from 1. */
function offsetOf(text, { line, column }) {
  const before = text.split("\n").slice(0, line - 1);
  const start = before.reduce((sum, one) => sum + one.length + 1, 0);
  const rest = text.split("\n")[line - 1];
  return start + [...rest].slice(0, column - 1).join("").length;
}

/** All mutants of src/, each with the place and the text to put there. */
async function listed() {
  const program = await installCargoMutants();
  const list = JSON.parse(
    await run(program, ["mutants", "--list", "--json", "--no-config", "--file", "src/**"]),
  );
  return list.map(({ file, name, genre, replacement, span }) => {
    const text = readFileSync(fromRoot(file), "utf8");
    const [start, end] = [offsetOf(text, span.start), offsetOf(text, span.end)];
    const said = name.replace(/^[^:]*:\d+:\d+: /, "");
    const around = text.split("\n")[span.start.line - 1].trim();
    return {
      key: [file, said, around].join("\0"),
      file,
      line: span.start.line,
      column: span.start.column,
      kind: genre,
      original: inShort(genre === "FnValue" || genre === "StructField" ? said : around),
      replacement: inShort(replacement),
      change: { start, end, replacement },
    };
  });
}

/** A mutant as the results have it: where its text changes follows from the sources. */
const withoutChange = ({ change, ...facts }) => facts;

/** A copy of the project in which mutants are compiled. */
class Workshop {
  constructor(name, tests) {
    this.into = copyProject(name, tests, ["debug", "release", "wasm32-unknown-unknown", "wasm-tests"]);
    this.env = {
      CARGO_TARGET_DIR: this.into("target"),
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: helper,
      PROPTEST_RNG_SEED: "1",
      RUST_BACKTRACE: "0",
    };
  }

  /** Changes the sources to those of some mutants, which do not overlap. */
  plant(mutants) {
    for (const file of readdirSync(fromRoot("src"), { recursive: true })) {
      if (!file.endsWith(".rs")) continue;
      const path = join("src", file);
      const changes = mutants.filter((mutant) => mutant.file === path).map(({ change }) => change);
      let text = readFileSync(fromRoot(path), "utf8");
      for (const { start, end, replacement } of changes.sort((a, b) => b.start - a.start))
        text = text.slice(0, start) + replacement + text.slice(end);
      // Only what changes, as cargo goes by the times of files.
      if (readFileSync(this.into(path), "utf8") !== text) writeFileSync(this.into(path), text);
    }
  }

  cargo(args, options) {
    const which = args.includes("--package") ? args : ["--package", "graupel", ...args];
    return runLimited(["cargo", "test", ...which], {
      cwd: this.into(),
      env: this.env,
      ...options,
    });
  }

  /** The test programs: small worlds, tests/core natively and inside WebAssembly, and the examples in comments. */
  units() {
    const core = ["--test", "core"];
    return [
      this.#unit("worlds", ["--package", "graupel-worlds"], false),
      this.#unit("core", core, false),
      this.#unit("wasm", [...WASM, ...core], true),
      this.#unit("junk", [...WASM, ...core, ...UNCHECKED, "junk"], true),
      this.#unit("doc", ["--doc"], false),
    ];
  }

  #unit(name, which, boundary) {
    const compiled = name === "doc" ? ["--lib"] : which;
    const unit = {
      name,
      boundary,
      seconds: 1,
      run: async (mutants) => {
        this.plant(mutants);
        const built = await this.cargo(["--no-run", ...compiled], { limit: COMPILE_LIMIT });
        if (built.verdict === "failed") return { ...built, verdict: "not compiled" };
        const memory = boundary ? {} : { megabytes: MEGABYTES };
        return this.cargo(which, { limit: limitOf(unit.seconds), ...memory });
      },
    };
    return unit;
  }
}

/** How long a unit takes without a mutant, once all is compiled. */
async function timedTwice(unit) {
  unit.seconds = 100;
  await unit.run([]);
  const { verdict, output, seconds } = await unit.run([]);
  if (verdict !== "passed") throw new Refusal(`${unit.name} fails without a mutant: ${output}`);
  return seconds;
}

export const rust = {
  async run({ seed, count, tests, without, jobs, results, experience }) {
    const all = await listed();
    const order = shuffled(all, seed);
    say(`${count} mutants of ${all.length} that compile, by the seed ${seed}`);
    const shops = [];
    const units = [];
    const seconds = results.known("seconds") ?? {};
    await step("compile and run the tests without a mutant", async (onLine) => {
      for (let job = 0; job < jobs; job++) {
        shops[job] = new Workshop(`rust-${job}`, tests);
        units[job] = shops[job].units();
        for (const unit of units[job]) {
          onLine(unit.name);
          seconds[unit.name] ??= await timedTwice(unit);
          unit.seconds = seconds[unit.name];
        }
      }
    });
    results.remember("seconds", seconds);
    const settle = (mutant, verdict) => {
      results.settle(withoutChange(mutant), verdict);
      results.tell(mutant, count);
    };
    /** How many of the first mutants have to be tried until enough of them compile. */
    const drawn = () => {
      let left = count;
      const end = order.findIndex((mutant) => {
        if (results.of(mutant)?.status !== "not compiled") left -= 1;
        return left === 0;
      });
      return order.slice(0, end === -1 ? order.length : end + 1);
    };
    const open = () => drawn().filter((mutant) => !results.isSettled(mutant));
    const undecided = new Set();
    const alone = () =>
      open().filter((mutant) => !undecided.has(mutant) && !results.passedBy(mutant).has("Rust"));
    while (alone().length > 0) {
      await inParallel(alone(), jobs, async (mutant, job) => {
        const reaching = units[job].filter((unit) => unit.boundary || !isBoundary(mutant));
        const { kill, passed } = await judgeAlone(mutant, experience.ordered(reaching, mutant), experience);
        if (kill) settle(mutant, kill);
        else if (passed.length === reaching.length) results.notePassed(withoutChange(mutant), ["Rust"]);
        else undecided.add(mutant);
      });
    }
    const left = open().filter((mutant) => !undecided.has(mutant));
    await judgeInPackage(left, shops, { seed, without, results, settle, describe: withoutChange });
  },
};
