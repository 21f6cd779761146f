// `npm test`: sets up, builds, and runs every suite. A failed suite does not stop the others.
//
//     npm test -- <suite> [pattern]    one suite; of its tests, those whose names contain the pattern
//     npm test -- --list               lists the suites

import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { Absent, Failed, fromRoot, run, runAsProgram, targetDir, tool, tryRun } from "./lib/process.mjs";
import { say } from "./lib/progress.mjs";
import { packInto, unpackInto } from "./lib/tarball.mjs";
import { planted } from "./planted.mjs";
import { setup } from "./setup.mjs";

const WASM = ["--target", "wasm32-unknown-unknown"];
/** Makes each warning an error. Clippy's own separator between two arguments in CLIPPY_ARGS. */
const DENY = ["--deny", "warnings"].map((arg) => `${arg}__CLIPPY_HACKERY__`).join("");
const testsJs = fromRoot("tests", "js");

/** The reason why a suite cannot run on this machine. */
class Skipped extends Error {}

/** A suite was not run, because a suite that it needs has failed. */
class NotRun extends Error {}

/**
 * The suites of a whole run, in this order. `patterns`: whether `work` takes a pattern. `packed`: whether the suite needs the
 * unpacked package.
 */
const suites = [
  { name: "rust-format", title: "format of the Rust code", work: rustFormat },
  { name: "clippy", title: "clippy", work: clippy },
  {
    name: "rust",
    title: "Rust tests, native",
    patterns: true,
    work: (pattern) => cargo("test", "--package", "graupel", ...filter(pattern), "--", "--show-output"),
  },
  {
    name: "helper",
    title: "tests of the build helper",
    patterns: true,
    work: (pattern) => cargo("test", "--package", "xtask", ...filter(pattern)),
  },
  { name: "audit", title: "the audit of the module, on what is planted in the core", work: planted },
  {
    name: "wasm",
    title: "Rust tests, as WebAssembly in Node",
    patterns: true,
    work: (pattern) => cargo("test", "--package", "graupel", ...WASM, "--test", "wasm", ...filter(pattern)),
  },
  {
    name: "lint",
    title: "lint of the TypeScript",
    work: () => node(join("@biomejs", "biome", "bin", "biome"), "lint", "--error-on-warnings", "."),
  },
  { name: "pack", title: "pack, and unpack for the tests", work: pack },
  {
    name: "types",
    title: "types of the tests",
    packed: true,
    work: () => node(join("typescript", "bin", "tsc"), "--project", "tsconfig.tests.json"),
  },
  {
    name: "node",
    title: "Node tests, on the unpacked package",
    packed: true,
    patterns: true,
    work: (pattern) => nodeTests([""], pattern),
  },
  {
    name: "pure",
    title: "Node tests of vectors, policies and identity, on the core as JavaScript",
    packed: true,
    patterns: true,
    work: (pattern) => nodeTests(["conformance", "policies", "identity"], pattern, JAVASCRIPT_CORE),
  },
];

/**
 * Any platform's condition leads to the core as JavaScript; without WebAssembly the other one fails. It is translated from the same
 * module, so fewer random comparisons with the reference are enough.
 */
const JAVASCRIPT_CORE = {
  NODE_OPTIONS: [
    "--conditions=workerd",
    `--import=${pathToFileURL(fromRoot("tests", "js", "support", "no-webassembly.mjs"))}`,
  ].join(" "),
  GRAUPEL_CASES: process.env.GRAUPEL_CASES ?? "40000",
};

/** Parts of the suite `node`: the directories of tests/js, and what is tested there. */
const rooms = [
  ["conformance", "agreement with the formats' references: recorded vectors, and a second implementation"],
  ["policies", "clocks that stand, jump and go back; full ticks; waits; queues; batches; callbacks"],
  ["snapshots", "restarts: snapshots, notBefore, merging, SIGKILL, a database"],
  ["identity", "generators of one identity share their state, also across copies of the package"],
  ["fuzz", "the short forms of `npm run hostile` (input) and `npm run storm` (clock)"],
  ["memory", "the short form of `npm run memory`"],
  ["package", "what is published: files, types, bundles, sizes"],
  ["docs", "the README's examples, and the tables in www/docs"],
  ["cli", "the command line"],
  ["www", "what the pages calculate"],
  ["bench", "the short form of `npm run bench`"],
].map(([name, title]) => ({
  name,
  title,
  packed: true,
  patterns: true,
  work: (pattern) => nodeTests([name], pattern),
}));

async function test() {
  const { values, positionals } = parseArgs({ allowPositionals: true, strict: false });
  const [wanted, pattern, ...more] = positionals;
  const { list: listed, ...unknown } = values;
  if (listed) {
    list(say);
    return 0;
  }
  const chosen = [...suites, ...rooms].find(({ name }) => name === wanted);
  const [option] = Object.keys(unknown);
  const wrong =
    option !== undefined
      ? `there is no option --${option}`
      : wanted !== undefined && chosen === undefined
        ? `there is no suite "${wanted}"`
        : pattern !== undefined && !chosen.patterns
          ? `${wanted} takes no pattern`
          : more.length > 0 && `one suite and one pattern, not "${more.join(" ")}" besides`;
  if (wrong) {
    console.error(`npm test: ${wrong}\n`);
    list(console.error);
    return 2;
  }
  await setup();
  await build();
  if (chosen === undefined) return runSuites(suites);
  return runSuites(chosen.packed ? [named("pack"), chosen] : [chosen], pattern);
}

const named = (name) => suites.find((suite) => suite.name === name);

/** A line for each suite. */
function list(print) {
  const line = ({ name, title }) => print(`  ${name.padEnd(13)}${title}`);
  print("npm test -- <suite> [part of a test's or a file's name]\n\nsuites, in the order of a whole run:");
  suites.forEach(line);
  print("\nparts of node:");
  rooms.forEach(line);
}

/** Runs the suites and counts; the last one gets the `pattern`. Resolves to the exit code. */
async function runSuites(chosen, pattern) {
  const failed = [];
  const skipped = [];
  for (const suite of chosen) {
    const { title, packed, work } = suite;
    say(`\n=== ${title} ===`);
    const since = performance.now();
    try {
      const needed = named("pack").title;
      if (packed && failed.includes(needed)) throw new NotRun(`"${needed}" failed, which it needs`);
      await work(suite === chosen.at(-1) ? pattern : undefined);
      say(`--- passed in ${((performance.now() - since) / 1000).toFixed(1)} s`);
    } catch (error) {
      if (error instanceof Skipped) {
        skipped.push(title);
        say(`skipped: ${error.message}`);
      } else {
        failed.push(title);
        if (error instanceof Failed && error.output !== "") say(error.output.trimEnd());
        const known = [Failed, Absent, NotRun].some((kind) => error instanceof kind);
        say(`FAILED: ${known ? error.message : error.stack}`);
      }
    }
  }
  say(`\n=== ${chosen.length} suites ===`);
  say(`passed: ${chosen.length - failed.length - skipped.length}`);
  say(`skipped: ${skipped.length}${skipped.map((title) => `\n  ${title}`).join("")}`);
  say(`failed: ${failed.length}${failed.map((title) => `\n  ${title}`).join("")}`);
  return failed.length === 0 ? 0 : 1;
}

/** The pattern as an argument of cargo. */
const filter = (pattern) => (pattern === undefined ? [] : [pattern]);

const cargo = (...args) => run("cargo", args, { show: true });

/** A JavaScript program from node_modules. */
const node = (path, ...args) => run(tool(path), args, { show: true });

async function rustFormat() {
  if ((await tryRun("cargo", ["fmt", "--version"])) === undefined)
    throw new Skipped("rustfmt is not installed");
  await cargo("fmt", "--all", "--check");
}

/**
 * Natively and for WebAssembly, because each compiles code that the other does not. `cargo clippy` would check every
 * dependency once more, for itself alone, which takes four times as long: here clippy is the compiler of a build that
 * shares its dependencies with the build of the helper and with the tests.
 */
async function clippy() {
  if ((await tryRun("clippy-driver", ["--version"])) === undefined)
    throw new Skipped("clippy is not installed");
  const env = { RUSTC_WORKSPACE_WRAPPER: "clippy-driver", CLIPPY_ARGS: DENY };
  const lint = (...args) => run("cargo", ["test", "--no-run", "--package", ...args], { show: true, env });
  await lint("graupel", "--all-targets");
  await lint("xtask", "--all-targets");
  await lint("graupel", ...WASM, "--test", "wasm");
}

/** Packs and unpacks the package, so that the tests import it as a user would. */
async function pack() {
  const installed = join(testsJs, "node_modules", "graupel");
  const tarball = await packInto(join(targetDir, "pack"));
  await unpackInto(installed, tarball);
  say(`${basename(tarball)}: ${readdirSync(installed, { recursive: true }).length} files and directories`);
}

/**
 * The tests of some directories. A pattern that is part of a file's name chooses files; any other one is part of a test's name.
 * `env`: for the tests and whatever they start.
 */
async function nodeTests(rooms, pattern, env = {}) {
  const files = rooms
    .flatMap((room) => readdirSync(join(testsJs, room), { recursive: true }).map((path) => join(room, path)))
    .filter((path) => path.endsWith(".test.ts") && !path.split(sep).includes("node_modules"))
    .sort();
  const matching = pattern === undefined ? [] : files.filter((path) => path.includes(pattern));
  const chosen = matching.length > 0 ? matching : files;
  const names =
    pattern !== undefined && matching.length === 0
      ? [`--test-name-pattern=${pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`]
      : [];
  const paths = chosen.map((path) => join("tests", "js", path));
  // One file more than there are processors, because some files sleep; by default, Node leaves one processor to itself.
  const at = [`--test-concurrency=${availableParallelism() + 1}`];
  const options = ["--import", "tsx", "--test", "--test-reporter=spec", ...at, ...names];
  await run(process.execPath, [...options, ...paths], { show: true, env });
}

await runAsProgram(import.meta.url, test);
