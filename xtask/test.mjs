// `npm test`: sets up, builds, and runs every suite. A failed suite does not stop the others.

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { Absent, Failed, fromRoot, npm, run, runAsProgram, targetDir, tool, tryRun } from "./lib/process.mjs";
import { say } from "./lib/progress.mjs";
import { planted } from "./planted.mjs";
import { setup } from "./setup.mjs";

const WASM = ["--target", "wasm32-unknown-unknown"];
const DENY = ["--", "--deny", "warnings"];
const testsJs = fromRoot("tests", "js");

/** The reason why a suite cannot run on this machine. */
class Skipped extends Error {}

/** A suite was not run, because a suite that it needs has failed. */
class NotRun extends Error {}

const suites = [
  ["format of the Rust code", rustFormat],
  ["clippy", clippy],
  ["Rust tests, native", () => cargo("test", "--package", "graupel", "--", "--show-output")],
  ["tests of the build helper", () => cargo("test", "--package", "xtask")],
  ["the audit of the module, on what is planted in the core", planted],
  [
    "Rust tests, as WebAssembly in Node",
    () => cargo("test", "--package", "graupel", ...WASM, "--test", "wasm"),
  ],
  [
    "lint of the TypeScript",
    () => node(join("@biomejs", "biome", "bin", "biome"), "lint", "--error-on-warnings", "."),
  ],
  ["pack, and unpack for the tests", pack],
  ["types of the tests", () => node(join("typescript", "bin", "tsc"), "--project", "tsconfig.tests.json")],
  ["Node tests, on the unpacked package", nodeTests],
];

/** Suites that need another suite to pass first. */
const needs = new Map([
  ["types of the tests", "pack, and unpack for the tests"],
  ["Node tests, on the unpacked package", "pack, and unpack for the tests"],
]);

async function test() {
  await setup();
  await build();
  const failed = [];
  const skipped = [];
  for (const [name, suite] of suites) {
    say(`\n=== ${name} ===`);
    const since = performance.now();
    try {
      if (failed.includes(needs.get(name))) throw new NotRun(`"${needs.get(name)}" failed, which it needs`);
      await suite();
      say(`--- passed in ${((performance.now() - since) / 1000).toFixed(1)} s`);
    } catch (error) {
      if (error instanceof Skipped) {
        skipped.push(name);
        say(`skipped: ${error.message}`);
      } else {
        failed.push(name);
        if (error instanceof Failed && error.output !== "") say(error.output.trimEnd());
        const known = [Failed, Absent, NotRun].some((kind) => error instanceof kind);
        say(`FAILED: ${known ? error.message : error.stack}`);
      }
    }
  }
  say(`\n=== ${suites.length} suites ===`);
  say(`passed: ${suites.length - failed.length - skipped.length}`);
  say(`skipped: ${skipped.length}${skipped.map((name) => `\n  ${name}`).join("")}`);
  say(`failed: ${failed.length}${failed.map((name) => `\n  ${name}`).join("")}`);
  return failed.length === 0 ? 0 : 1;
}

const cargo = (...args) => run("cargo", args, { show: true });

/** A JavaScript program from node_modules. */
const node = (path, ...args) => run(tool(path), args, { show: true });

async function rustFormat() {
  if ((await tryRun("cargo", ["fmt", "--version"])) === undefined)
    throw new Skipped("rustfmt is not installed");
  await cargo("fmt", "--all", "--check");
}

/** Natively and for WebAssembly, because each compiles code that the other does not. */
async function clippy() {
  if ((await tryRun("cargo", ["clippy", "--version"])) === undefined)
    throw new Skipped("clippy is not installed");
  await cargo("clippy", "--package", "graupel", "--all-targets", ...DENY);
  await cargo("clippy", "--package", "xtask", "--all-targets", ...DENY);
  await cargo("clippy", "--package", "graupel", ...WASM, "--lib", "--test", "wasm", ...DENY);
}

/** Packs and unpacks the package, so that the tests import it as a user would. */
async function pack() {
  const packed = join(targetDir, "pack");
  const installed = join(testsJs, "node_modules", "graupel");
  rmSync(packed, { recursive: true, force: true });
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(packed, { recursive: true });
  mkdirSync(installed, { recursive: true });
  await run(npm, ["pack", "--ignore-scripts", "--pack-destination", packed]);
  const [tarball] = readdirSync(packed);
  await run("tar", ["-xzf", join(packed, tarball), "-C", installed, "--strip-components=1"]);
  say(`${tarball}: ${readdirSync(installed, { recursive: true }).length} files and directories`);
}

async function nodeTests() {
  const files = readdirSync(testsJs).filter((name) => name.endsWith(".test.ts"));
  const paths = files.sort().map((name) => join("tests", "js", name));
  await run(process.execPath, ["--import", "tsx", "--test", "--test-reporter=spec", ...paths], {
    show: true,
  });
}

await runAsProgram(import.meta.url, test);
