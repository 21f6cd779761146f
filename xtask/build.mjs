// Builds dist/ from the sources. Like cargo, it skips each step whose inputs have not changed:
//
//   src/ --cargo--> graupel.wasm --wasm-bindgen--> glue + module --wasm-opt--> module
//     \--xtask--> js/generated/layouts.ts, facts.ts  |                            |
//                 js/generated/constants.ts          |                            |
//                     js/generated/core.d.ts <-------'     js/generated/module.ts (text)
//                                                          js/generated/translated.js (wasm2js)
//   js/ --tsc--> declarations (lib/declarations.mjs), --esbuild--> programs (lib/bundle.mjs), both
//   in dist/
//
// An audit makes sure that the module has no instructions that could trap, grow its memory or leave
// its stack pointer moved.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { audit } from "./lib/audit.mjs";
import { bundle } from "./lib/bundle.mjs";
import { declare } from "./lib/declarations.mjs";
import { unlessFresh } from "./lib/freshness.mjs";
import { fromRoot, root, run, runAsProgram, targetDir, tool, write } from "./lib/process.mjs";
import { say, step } from "./lib/progress.mjs";
import { translate } from "./lib/translate.mjs";

/** The compiled build helper. */
export const helper = join(targetDir, "debug", process.platform === "win32" ? "xtask.exe" : "xtask");
/** The intermediate files between the core's sources and its module, in cargo's target directory. */
const compiled = join(targetDir, "wasm32-unknown-unknown", "release", "graupel.wasm");
const bindgen = join(targetDir, "bindgen");
const glueTypes = join(bindgen, "graupel.d.ts");
const bound = join(bindgen, "graupel_bg.wasm");
const named = join(bindgen, "graupel_named.wasm");
const optimised = join(bindgen, "graupel_opt.wasm");
const generated = fromRoot("js", "generated");
const dist = fromRoot("dist");

const helperSources = [fromRoot("xtask", "Cargo.toml"), fromRoot("xtask", "src")];
/** The inputs of every step with a tool from npm. They pin the tool's version. */
const npmFiles = [fromRoot("package.json"), fromRoot("package-lock.json")];

/**
 * Compiler flags for the shipped module, in addition to Cargo.toml and .cargo/config.toml.
 *
 * - `shipped`: this module runs only graupel's code (src/wasm/raw.rs).
 * - Inlining: calls of a function that is called once or twice take more bytes than its body, and
 *   take time.
 * - Features: no JavaScript values cross the boundary, so the module must not have a table of them.
 *   The linker gets the list of features, because the standard library declares more than it uses.
 * - Stack: the audit checks that it is unused, and small addresses take fewer bytes.
 */
const FEATURES = "mutable-globals,nontrapping-fptoint,sign-ext,bulk-memory";
const RUSTC = [
  ...["--cfg", "shipped"],
  ...["-C", "llvm-args=-inline-threshold=1000"],
  ...["-C", "target-feature=-reference-types"],
  ...["-C", `link-args=--no-check-features --features=${FEATURES} -zstack-size=1024`],
];
/**
 * Optimizes for size, because pages download every byte. The optimizer must know which features the
 * compiler may use, and that the memory below address 1,024, the unused stack, is free.
 */
const WASM_OPT = [
  ...["-Oz", "--converge", "--low-memory-unused"],
  ...["--enable-bulk-memory", "--enable-bulk-memory-opt", "--debuginfo"],
];
/**
 * The flags of a second run, which removes names and features. Only the audit reads the names, and
 * no engine reads the features.
 */
const STRIP = ["--strip-debug", "--strip-target-features"];

/** Turns off backtraces, which would hide the helper's error messages. */
const quietly = { env: { RUST_BACKTRACE: "0" } };

/** Runs every step in order. Call `setup` first. */
export async function build() {
  say("build");
  await step("compile the core to WebAssembly", compileCore);
  await step("compile the build helper", () => run("cargo", ["build", "--package", "xtask"], { show: true }));
  const steps = [
    {
      title: "make the glue, optimise the module, and audit it: nothing may trap or grow",
      inputs: [compiled, ...helperSources, ...npmFiles],
      outputs: [glueTypes, optimised],
      work: finish,
    },
    {
      title: "write js/generated",
      inputs: [optimised, glueTypes, fromRoot("src"), ...helperSources, ...npmFiles],
      outputs: [generated],
      work: generate,
    },
    {
      title: "compile the TypeScript to dist/",
      inputs: [
        ...["js", "tsconfig.json", "typedoc.json"].map((name) => fromRoot(name)),
        fromRoot("tests", "core", "wasm", "entropy.ts"),
        ...npmFiles,
      ],
      outputs: [dist],
      work: compileTypeScript,
    },
  ];
  for (const { work, ...one } of steps) await unlessFresh(one, () => step(one.title, work));
}

async function compileCore() {
  const what = ["--release", "--target", "wasm32-unknown-unknown", "--package", "graupel"];
  const flags = `target.wasm32-unknown-unknown.rustflags=${JSON.stringify(RUSTC)}`;
  await run("cargo", ["build", ...what, "--config", flags], {
    cwd: root,
    env: { CARGO_TARGET_DIR: targetDir },
    show: true,
  });
}

/**
 * Resolves to a line about the finished module. Rejects with a list of the instructions that could
 * trap or grow the memory.
 */
async function finish() {
  rmSync(bindgen, { recursive: true, force: true });
  await run(helper, ["bindgen", compiled, bindgen], quietly);
  const wasmOpt = tool(join("binaryen", "bin", "wasm-opt"));
  await run(wasmOpt, [...WASM_OPT, bound, "-o", named]);
  await run(wasmOpt, [...STRIP, named, "-o", optimised]);
  return audit(optimised, named);
}

/** Packs bytes as text. js/core/webassembly.ts unpacks it, and documents the encoding. */
const pack = (bytes) =>
  Array.from(bytes, (byte) => "}".repeat(byte / 88) + String.fromCharCode(36 + ((byte + 64) % 88))).join("");

async function generate() {
  rmSync(generated, { recursive: true, force: true });
  write(join(generated, "core.d.ts"), readFileSync(glueTypes));
  await run(helper, ["tables", generated], quietly);
  const text = pack(readFileSync(optimised));
  // Without `: string`, the declaration file would repeat the whole text as a literal type.
  write(
    join(generated, "module.ts"),
    `/** The core as WebAssembly, packed for js/core/webassembly.ts; written by the build. */\n` +
      `export const text: string =\n  ${JSON.stringify(text)};\n`,
  );
  const translated = await translate(optimised, bindgen);
  write(join(generated, "translated.js"), translated);
  write(
    join(generated, "translated.d.ts"),
    "/** The core as JavaScript, translated from the module by the build. Takes the imports, and returns the exports. */\n" +
      "export declare const translated: (imports: unknown) => unknown;\n",
  );
  return `${text.length} characters of module, ${translated.length} as JavaScript`;
}

async function compileTypeScript() {
  rmSync(dist, { recursive: true, force: true });
  const declarations = join(targetDir, "declarations");
  rmSync(declarations, { recursive: true, force: true });
  const flags = ["--project", "tsconfig.json", "--outDir", declarations];
  await run(tool(join("typescript", "bin", "tsc")), flags);
  declare(dist, declarations);
  await bundle(dist);
}

await runAsProgram(import.meta.url, build);
