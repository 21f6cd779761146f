// The suites of `npm test`. `node xtask/suites.mjs <suite> [pattern]` runs one of them, and `node
// xtask/suites.mjs pack` packs the package for them. Both need a finished build.

import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { runtimes } from "../bench/speed/runtimes.mjs";
import { helper } from "./build.mjs";
import { fromRoot, Refusal, run, runAsProgram, targetDir, tool, write } from "./lib/process.mjs";
import { packInto, unpackInto } from "./lib/tarball.mjs";

/**
 * Compiles the core without overflow checks, as it is shipped, because this suite calls it with
 * numbers out of range.
 */
const UNCHECKED = ["debug-assertions", "overflow-checks"].flatMap((check) => [
  "--config",
  `profile.dev.package.graupel.${check}=false`,
]);
const WASM = ["--target", "wasm32-unknown-unknown", "--test", "core"];
const testsJs = fromRoot("tests", "js");

/** The test files of some directories, as paths in tests/js. */
function testFiles(rooms) {
  const below = (room) =>
    readdirSync(join(testsJs, room), { recursive: true }).map((path) => join(room, path));
  return rooms
    .filter((room) => statSync(join(testsJs, room)).isDirectory())
    .flatMap(below)
    .filter((path) => path.endsWith(".test.ts") && !path.split(sep).includes("node_modules"))
    .sort();
}

const needsSqlite = (path) => readFileSync(join(testsJs, path), "utf8").includes("node:sqlite");
const isForAnyNode = (path) => !needsSqlite(path);

/** A suite of Rust tests. `which`: cargo's arguments; `flags`: those of the tests. */
const cargoSuite = (name, title, which, ...flags) => ({
  ...{ name, title, patterns: true },
  work: (output, pattern) => cargoTest(output, which, pattern, ...flags),
});

/**
 * The suites for the Rust code, in the order of a full run. `work` gets options of `run`, which set
 * the destination of the output; with `patterns`, it also gets a pattern.
 */
const rust = [
  {
    name: "rust-format",
    title: "format of the Rust code",
    work: (output) => cargo(output, "fmt", "--all", "--check"),
  },
  { name: "clippy", title: "clippy", work: clippy },
  cargoSuite("rust", "Rust tests, native", ["graupel"], "--show-output"),
  {
    name: "model",
    title: "the model of the lease protocol",
    patterns: true,
    work: (output, pattern = "") =>
      cargo(output, "run", "--package", "graupel-model", "--", "--short", "--only", pattern),
  },
  cargoSuite("worlds", "every history of calls, in small worlds", ["graupel-worlds"]),
  cargoSuite("wasm", "Rust tests, as WebAssembly in Node", ["graupel", ...WASM]),
  {
    name: "junk",
    title: "the boundary, called with numbers of any kind",
    work: (output) => cargoTest(output, ["graupel", ...WASM, ...UNCHECKED], "junk"),
  },
];

/** A suite of test files. `env`: their environment. */
const nodeSuite = (name, title, files, env) => ({
  ...{ name, title, packed: true, patterns: true },
  work: (output, pattern) => nodeTests(output, files, pattern, env),
});

/**
 * The directories of tests/js that also run on the JavaScript core, and the files in them that are
 * left out because they do not test a core.
 */
const JAVASCRIPT_ROOMS = ["conformance", "generator", "identity"];
const AROUND = "cut-off faked-clocks next-async queue reentrant-random sequence-start waits wording"
  .split(" ")
  .map((name) => join("generator", `${name}.test.ts`))
  .concat(["clones", "partitions", "slots"].map((name) => join("identity", `${name}.test.ts`)));

/**
 * The environment for the JavaScript core. The export condition selects this core, and with
 * WebAssembly turned off, the other core would fail. The JavaScript core is translated from the
 * same module, so fewer random comparisons with the reference suffice.
 */
const JAVASCRIPT_CORE = {
  NODE_OPTIONS: [
    "--conditions=workerd",
    `--import=${pathToFileURL(fromRoot("tests", "js", "support", "no-webassembly.mjs"))}`,
  ].join(" "),
  GRAUPEL_RUNS: process.env.GRAUPEL_RUNS ?? "0.5",
};

/**
 * The suites for the package, in the order of a full run. `packed`: whether the suite needs `pack`
 * before.
 */
const packaged = [
  {
    name: "lint",
    title: "lint of the TypeScript",
    work: (output) =>
      node(output, join("@biomejs", "biome", "bin", "biome"), "lint", "--error-on-warnings", "."),
  },
  {
    name: "types",
    title: "types of the tests",
    packed: true,
    work: (output) => node(output, join("typescript", "bin", "tsc"), "--project", "tsconfig.tests.json"),
  },
  nodeSuite("node", "Node tests, on the unpacked package", testFiles([""]).filter(isForAnyNode)),
];

/** This suite mostly waits, so it has a lane of its own. */
const sqlite = nodeSuite(
  "sqlite",
  "Node tests that need node:sqlite, in Node 24 if this Node has none",
  testFiles([""]).filter(needsSqlite),
);

const pure = nodeSuite(
  "pure",
  "Node tests of vectors, generators and identity, on the core as JavaScript",
  testFiles(JAVASCRIPT_ROOMS).filter((path) => !AROUND.includes(path)),
  JAVASCRIPT_CORE,
);

/**
 * The lanes of a full run. The suites of a lane run one after another, and the lanes run in parallel.
 */
export const lanes = [[...rust, pure], packaged, [sqlite]];

/** The parts of the suite `node`: the directories of tests/js. tests/README.md documents them. */
export const rooms = readdirSync(testsJs)
  .filter((name) => testFiles([name]).length > 0)
  .map((name) => nodeSuite(name, `tests/js/${name}`, testFiles([name])));

/** Finds a suite or a directory by name; undefined if there is none. */
export const named = (name) => [...lanes.flat(), ...rooms].find((suite) => suite.name === name);

/**
 * Makes clippy the compiler of the workspace, and every warning an error. The tests reuse what this
 * build compiles. `cargo clippy` would check every dependency again, which takes four times as
 * long. CLIPPY_ARGS has a separator of its own.
 */
const CARGO = {
  RUSTC_WORKSPACE_WRAPPER: "clippy-driver",
  CLIPPY_ARGS: ["--deny", "warnings"].map((arg) => `${arg}__CLIPPY_HACKERY__`).join(""),
  // .cargo/config.toml sets the same runner, but cargo would compile the helper again with clippy.
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: helper,
};

const cargo = (output, ...args) => run("cargo", args, { ...output, env: CARGO });

/**
 * Runs Rust's tests. Throws if no test has the pattern in its name, because cargo would then run no
 * test and succeed.
 */
async function cargoTest(output, which, pattern, ...flags) {
  const chosen = ["test", "--package", ...which, ...(pattern === undefined ? [] : [pattern]), "--"];
  if (pattern !== undefined && !/: test$/m.test(await cargo({}, ...chosen, "--list")))
    throw new Refusal(`no test has "${pattern}" in its name`);
  await cargo(output, ...chosen, ...flags);
}

/** Runs a JavaScript program from node_modules. */
const node = (output, path, ...args) => run(tool(path), args, output);

/**
 * Checks the native and the WebAssembly target, because each compiles code that the other leaves
 * out.
 */
async function clippy(output) {
  for (const which of [["graupel", "--all-targets"], ["xtask"], ["graupel", ...WASM]])
    await cargo(output, "test", "--no-run", "--package", ...which);
}

/**
 * Packs and unpacks the package, so that the tests, and the parts of the site under test, import it
 * like a user.
 */
export async function pack() {
  const tarball = await packInto(join(targetDir, "pack"));
  for (const place of [testsJs, fromRoot("www")]) {
    await unpackInto(join(place, "node_modules", "graupel"), tarball);
  }
  return `${basename(tarball)}, ${statSync(tarball).size} bytes`;
}

/**
 * The directories whose files run in one process, because they load the same libraries and leave
 * nothing behind, except the files that replace a function of the platform for good.
 */
const TOGETHER = "cli conformance docs generator schemas snapshots sql texts www".split(" ");
const ALONE = ["clock-stories", "sequence-start"];

/** Replaces the files of each such directory by one file that imports them. */
function joined(paths) {
  const isAlone = (path) => ALONE.includes(basename(path, ".test.ts"));
  const roomOf = (path) =>
    TOGETHER.find((room) => path.startsWith(join("tests", "js", room, sep)) && !isAlone(path));
  const files = TOGETHER.map((room) => [room, paths.filter((path) => roomOf(path) === room)])
    .filter(([, mine]) => mine.length > 0)
    .map(([room, mine]) => {
      // Other suites, which run at the same time, have other files of the directory.
      const file = join(targetDir, "rooms", `${room}-${mine.length}.test.mjs`);
      write(file, mine.map((path) => `import "${pathToFileURL(fromRoot(path))}";\n`).join(""));
      return file;
    });
  return [...paths.filter((path) => roomOf(path) === undefined), ...files];
}

/**
 * Runs the tests of some files. `name`: a part of a test's name. Resolves to whether any test ran.
 */
async function runFiles(output, program, paths, name) {
  const none = join(targetDir, `no-test-${process.pid}-${paths.length}.txt`);
  const named = [
    `--test-name-pattern=${name?.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`,
    `--test-reporter=${pathToFileURL(fromRoot("xtask", "lib", "no-test.mjs"))}`,
    `--test-reporter-destination=${none}`,
  ];
  // Run two more files than there are processors, because some files sleep. By default, Node leaves
  // one processor unused.
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
 * Runs the tests of some files. A pattern that is part of a file's name selects files; any other
 * pattern selects tests by name. `env`: the environment of the tests.
 */
async function nodeTests(output, files, pattern, env = {}) {
  const matching = pattern === undefined ? [] : files.filter((path) => path.includes(pattern));
  const [chosen, name] = matching.length > 0 ? [matching] : [files, pattern];
  const here = process.execPath;
  const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined;
  let ran = false;
  for (const isMine of [isForAnyNode, needsSqlite]) {
    const mine = chosen.filter(isMine).map((path) => join("tests", "js", path));
    if (mine.length === 0) continue;
    const isHere = hasSqlite || isMine === isForAnyNode;
    const program = isHere ? here : ((await runtimes("24"))[0].program ?? here);
    ran = (await runFiles({ ...output, env }, program, mine, name)) || ran;
  }
  if (!ran) throw new Refusal(`no test has "${pattern}" in its name, nor has a file`);
}

await runAsProgram(import.meta.url, async () => {
  const [name, pattern] = process.argv.slice(2);
  await (name === "pack" ? pack() : named(name).work({ show: true }, pattern));
});
