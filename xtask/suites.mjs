// The suites of `npm test`, and one of them: `node xtask/suites.mjs <suite> [pattern]`. Needs what
// the build has made.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { runtimes } from "../bench/speed/runtimes.mjs";
import { helper } from "./build.mjs";
import { fromRoot, Refusal, run, runAsProgram, targetDir, tool, tryRun } from "./lib/process.mjs";
import { say } from "./lib/progress.mjs";
import { packInto, unpackInto } from "./lib/tarball.mjs";

/** Thrown with the reason by a suite that cannot run on this machine. */
export class Skipped extends Refusal {}

/**
 * Compiles the core without overflow checks, as it is shipped, because this suite calls it with
 * numbers outside their ranges.
 */
export const UNCHECKED = ["debug-assertions", "overflow-checks"].flatMap((check) => [
  "--config",
  `profile.dev.package.graupel.${check}=false`,
]);
const WASM = ["--target", "wasm32-unknown-unknown", "--test", "core"];
const testsJs = fromRoot("tests", "js");

/** The test files of some directories, as paths in tests/js. */
export function testFiles(rooms) {
  const below = (room) =>
    readdirSync(join(testsJs, room), { recursive: true }).map((path) => join(room, path));
  return rooms
    .filter((room) => statSync(join(testsJs, room)).isDirectory())
    .flatMap(below)
    .filter((path) => path.endsWith(".test.ts") && !path.split(sep).includes("node_modules"))
    .sort();
}

/**
 * The suites on the Rust code, in the order of a whole run. `work` gets options of `run`, which say
 * where the output goes, and with `patterns` also a pattern.
 */
const rust = [
  { name: "rust-format", title: "format of the Rust code", work: rustFormat },
  { name: "clippy", title: "clippy", work: clippy },
  {
    name: "rust",
    title: "Rust tests, native",
    patterns: true,
    work: (output, pattern) => cargoTest(output, ["graupel"], pattern, "--show-output"),
  },
  {
    name: "model",
    title: "the model of the lease protocol",
    patterns: true,
    work: (output, pattern) => cargoTest(output, ["graupel-model"], pattern),
  },
  {
    name: "worlds",
    title: "every history of calls, in small worlds",
    work: (output) => cargoTest(output, ["graupel-worlds"]),
  },
  {
    name: "wasm",
    title: "Rust tests, as WebAssembly in Node",
    patterns: true,
    work: (output, pattern) => cargoTest(output, ["graupel", ...WASM], pattern),
  },
  {
    name: "junk",
    title: "the boundary, called with numbers of any kind",
    work: (output) => cargoTest(output, ["graupel", ...WASM, ...UNCHECKED], "junk"),
  },
];

/**
 * The directories of tests/js that also run on the JavaScript core, and their files that do not
 * test a core and are left out.
 */
const JAVASCRIPT_ROOMS = ["conformance", "generator", "identity"];
const AROUND = [
  ..."callbacks clock-readings coarse-clocks cut-off defaults faked-clocks next-async queue wording"
    .split(" ")
    .map((name) => join("generator", `${name}.test.ts`)),
  ...["partitions", "slots"].map((name) => join("identity", `${name}.test.ts`)),
];

/**
 * The suites on the package, in the order of a whole run. `packed`: whether the suite needs the
 * unpacked package.
 */
const packaged = [
  {
    name: "lint",
    title: "lint of the TypeScript",
    work: (output) =>
      node(output, join("@biomejs", "biome", "bin", "biome"), "lint", "--error-on-warnings", "."),
  },
  { name: "pack", title: "pack, and unpack for the tests", work: pack },
  {
    name: "types",
    title: "types of the tests",
    packed: true,
    work: (output) => node(output, join("typescript", "bin", "tsc"), "--project", "tsconfig.tests.json"),
  },
  {
    name: "node",
    title: "Node tests, on the unpacked package",
    packed: true,
    patterns: true,
    work: (output, pattern) => nodeTests(output, testFiles([""]), pattern),
  },
];

/** On the core as JavaScript. */
const pure = [
  {
    name: "pure",
    title: "Node tests of vectors, generators and identity, on the core as JavaScript",
    packed: true,
    patterns: true,
    work: (output, pattern) => nodeTests(output, pureFiles(), pattern, JAVASCRIPT_CORE),
  },
];

/**
 * The lanes of a full run. The suites of a lane run one after the other, and the lanes, which take
 * about the same time, run in parallel.
 */
export const lanes = [[...rust, ...pure], packaged];

/**
 * Parts of the suite `node`: the directories of tests/js; tests/README.md says what is tested
 * there.
 */
export const rooms = readdirSync(testsJs)
  .filter((name) => testFiles([name]).length > 0)
  .map((name) => ({
    name,
    title: `tests/js/${name}`,
    packed: true,
    patterns: true,
    work: (output, pattern) => nodeTests(output, testFiles([name]), pattern),
  }));

/** The suite or room of a name, or undefined. */
export const named = (name) => [...lanes.flat(), ...rooms].find((suite) => suite.name === name);

/**
 * Makes clippy the compiler of the workspace, and each warning an error. The tests use what this
 * build compiles. `cargo clippy` would check every dependency again for itself, which takes four
 * times as long. CLIPPY_ARGS has its own separator.
 */
const CLIPPY = {
  RUSTC_WORKSPACE_WRAPPER: "clippy-driver",
  CLIPPY_ARGS: ["--deny", "warnings"].map((arg) => `${arg}__CLIPPY_HACKERY__`).join(""),
};

const isThere = async (program) => (await tryRun(program, ["--version"])) !== undefined;

async function cargo(output, ...args) {
  const env = {
    ...output.env,
    ...((await isThere("clippy-driver")) && CLIPPY),
    // As .cargo/config.toml says, but cargo would compile the helper again, for clippy.
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: helper,
  };
  return run("cargo", args, { ...output, env });
}

/**
 * Runs Rust's tests. Throws if no test has the pattern in its name: cargo would run none, and
 * succeed.
 */
async function cargoTest(output, which, pattern, ...flags) {
  const chosen = ["test", "--package", ...which, ...(pattern === undefined ? [] : [pattern]), "--"];
  if (pattern !== undefined && !/: test$/m.test(await cargo({}, ...chosen, "--list")))
    throw new Refusal(`no test has "${pattern}" in its name`);
  await cargo(output, ...chosen, ...flags);
}

/** Runs a JavaScript program from node_modules. */
const node = (output, path, ...args) => run(tool(path), args, output);

async function rustFormat(output) {
  if (!(await isThere("rustfmt"))) throw new Skipped("rustfmt is not installed");
  await cargo(output, "fmt", "--all", "--check");
}

/**
 * Checks the native and the WebAssembly target, because each compiles code that the other does not.
 */
async function clippy(output) {
  if (!(await isThere("clippy-driver"))) throw new Skipped("clippy is not installed");
  for (const which of [["graupel", "--all-targets"], ["xtask"], ["graupel", ...WASM]])
    await cargo(output, "test", "--no-run", "--package", ...which);
}

/**
 * Packs and unpacks the package, so that the tests, and the parts of the site that they test,
 * import it as a user would.
 */
export async function pack({ onText = say } = {}) {
  const tarball = await packInto(join(targetDir, "pack"));
  for (const place of [testsJs, fromRoot("www")]) {
    await unpackInto(join(place, "node_modules", "graupel"), tarball);
  }
  onText(`${basename(tarball)}: ${statSync(tarball).size} bytes\n`);
}

/**
 * The condition of such a platform leads to the JavaScript core, and without WebAssembly the other
 * core would fail. The JavaScript core is translated from the same module, so fewer random
 * comparisons with the reference are enough.
 */
export const JAVASCRIPT_CORE = {
  NODE_OPTIONS: [
    "--conditions=workerd",
    `--import=${pathToFileURL(fromRoot("tests", "js", "support", "no-webassembly.mjs"))}`,
  ].join(" "),
  GRAUPEL_CASES: process.env.GRAUPEL_CASES ?? "100",
};

const pureFiles = () => testFiles(JAVASCRIPT_ROOMS).filter((path) => !AROUND.includes(path));

/** The files that need a SQLite that this Node does not have, and all other files. */
function bySqlite(paths) {
  const isHere = process.getBuiltinModule?.("node:sqlite") !== undefined;
  const needs = (path) => !isHere && readFileSync(fromRoot(path), "utf8").includes("node:sqlite");
  return [paths.filter((path) => !needs(path)), paths.filter(needs)];
}

/** Rooms whose files are one process: they load the same libraries, and leave nothing behind. */
const TOGETHER = ["cli", "conformance", "schemas", "snapshots", "sql", "texts", "www"];

/** The paths of test files, with one file for those of such a room, which imports them. */
function joined(paths) {
  const roomOf = (path) => TOGETHER.find((room) => path.startsWith(join("tests", "js", room, sep)));
  const files = TOGETHER.map((room) => [room, paths.filter((path) => roomOf(path) === room)])
    .filter(([, mine]) => mine.length > 0)
    .map(([room, mine]) => {
      const file = join(targetDir, "rooms", `${room}.test.mjs`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, mine.map((path) => `import "${pathToFileURL(fromRoot(path))}";\n`).join(""));
      return file;
    });
  return [...paths.filter((path) => roomOf(path) === undefined), ...files];
}

/** Runs the tests of some files. `name`: part of a test's name. Resolves to whether a test ran. */
async function runFiles(output, program, paths, name) {
  const none = join(targetDir, `no-test-${process.pid}-${paths.length}.txt`);
  const named = [
    `--test-name-pattern=${name?.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`,
    `--test-reporter=${pathToFileURL(fromRoot("xtask", "lib", "no-test.mjs"))}`,
    `--test-reporter-destination=${none}`,
  ];
  // Two files more than there are processors, because some files sleep; by default, Node leaves one
  // processor to itself.
  const at = [`--test-concurrency=${availableParallelism() + 2}`];
  const report = ["--test-reporter=spec", "--test-reporter-destination=stdout"];
  const options = ["--import", "tsx", "--test", ...report, ...at, ...(name === undefined ? [] : named)];
  try {
    await run(program, [...options, ...joined(paths)], output);
    return name === undefined || readFileSync(none, "utf8") === "";
  } finally {
    rmSync(none, { force: true });
  }
}

/**
 * Runs the tests of some files, and at the same time, in Node 24, those that need its SQLite. A
 * pattern that is part of a file's name selects files; any other pattern selects tests by name.
 * `env`: for the tests and whatever they start.
 */
async function nodeTests(output, files, pattern, env = {}) {
  const matching = pattern === undefined ? [] : files.filter((path) => path.includes(pattern));
  const chosen = matching.length > 0 ? matching : files;
  const name = matching.length === 0 ? pattern : undefined;
  const [here, inNode24] = bySqlite(chosen.map((path) => join("tests", "js", path)));
  const options = { ...output, env: { ...output.env, ...env } };
  const runs = here.length === 0 ? [] : [runFiles(options, process.execPath, here, name)];
  if (inNode24.length > 0) {
    const node24 = (await runtimes("24"))[0].program ?? process.execPath;
    // The output follows that of the other run.
    let printed = "";
    const later = runFiles(
      { ...options, show: false, onText: (text) => (printed += text) },
      node24,
      inNode24,
      name,
    );
    runs.push(
      later.finally(async () => {
        await Promise.allSettled(runs.slice(0, 1));
        (output.onText ?? say)(printed);
      }),
    );
  }
  const outcomes = await Promise.allSettled(runs);
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
  if (outcomes.every(({ value }) => !value))
    throw new Refusal(`no test has "${pattern}" in its name, nor has a file`);
}

await runAsProgram(import.meta.url, async () => {
  const [name, pattern] = process.argv.slice(2);
  await named(name).work({ show: true }, pattern);
});
