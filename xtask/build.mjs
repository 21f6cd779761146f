// Builds dist/ from the sources. Skips each step whose inputs have not changed:
//
//   src/ --cargo--> graupel.wasm --wasm-bindgen--> glue + module --wasm-opt--> module
//     \--xtask--> js/generated/layouts.ts, facts.ts  |                            |
//                 js/generated/constants.ts          |                            |
//                     js/generated/core.d.ts <-------'     js/generated/module.ts (text)
//                                                          js/generated/translated.js (wasm2js)
//   js/ --tsc--> declarations (lib/declarations.mjs), --esbuild--> programs (lib/bundle.mjs), both in dist/
//
// At the end it tries the package once, and audits the module for instructions that could trap, grow or leave a stack moved.

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "./lib/bundle.mjs";
import { declare } from "./lib/declarations.mjs";
import { unlessFresh } from "./lib/freshness.mjs";
import { fromRoot, Refusal, root, run, runAsProgram, targetDir, tool, tryRun } from "./lib/process.mjs";
import { say, step } from "./lib/progress.mjs";
import { translate } from "./lib/translate.mjs";

/** The compiled build helper. */
export const helper = join(targetDir, "debug", process.platform === "win32" ? "xtask.exe" : "xtask");
/** The files between the sources of a core and its module, all in cargo's target directory. */
export function placesOf(source, target) {
  const bindgen = join(target, "bindgen");
  return {
    source,
    target,
    compiled: join(target, "wasm32-unknown-unknown", "release", "graupel.wasm"),
    bindgen,
    glueTypes: join(bindgen, "graupel.d.ts"),
    bound: join(bindgen, "graupel_bg.wasm"),
    named: join(bindgen, "graupel_named.wasm"),
    optimised: join(bindgen, "graupel_opt.wasm"),
  };
}
const shipped = placesOf(root, targetDir);
const { compiled, glueTypes, bound, named, optimised } = shipped;
const audited = join(shipped.bindgen, "audit.txt");
const generated = fromRoot("js", "generated");
const dist = fromRoot("dist");

/** Inputs of every cargo command. */
const cargoFiles = ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", join(".cargo", "config.toml")].map(
  (name) => fromRoot(name),
);
const helperSources = [fromRoot("xtask", "Cargo.toml"), fromRoot("xtask", "src")];
/** Inputs of every step that uses a tool from npm: they pin its version. */
const npmFiles = [fromRoot("package.json"), fromRoot("package-lock.json")];

/**
 * Compiler flags for the shipped module, in addition to Cargo.toml and .cargo/config.toml.
 *
 * - `shipped`: no other code runs in this module (src/wasm/raw.rs).
 * - Inlining: for a function that is called once or twice, the call costs more bytes than the body, and time.
 * - Features: no JavaScript values cross the boundary, so the module must not have a table of them. The linker gets the
 *   list of features, because the standard library declares more than it uses.
 * - Stack: nothing uses it, as the audit checks; small addresses are fewer bytes.
 */
const FEATURES = "mutable-globals,nontrapping-fptoint,sign-ext,bulk-memory";
const RUSTC = [
  ...["--cfg", "shipped"],
  ...["-C", "llvm-args=-inline-threshold=1000"],
  ...["-C", "target-feature=-reference-types"],
  ...["-C", `link-args=--no-check-features --features=${FEATURES} -zstack-size=1024`],
];
/**
 * For size: pages load every byte. The optimiser must know the features that the compiler may use; and that nothing lies below
 * address 1,024, below which is the stack that nothing uses.
 */
const WASM_OPT = [
  ...["-Oz", "--converge", "--low-memory-unused"],
  ...["--enable-bulk-memory", "--enable-bulk-memory-opt", "--debuginfo"],
];
/** Flags of a second run: removes names, which only the audit reads, and features, which no engine reads. */
const STRIP = ["--strip-debug", "--strip-target-features"];

/** The helper's error messages are enough; a backtrace would hide them. */
const quietly = { env: { RUST_BACKTRACE: "0" } };

/** Runs every step in order. Call `setup` first. */
export async function build() {
  say("build");
  const rustc = (await tryRun("rustc", ["--version"])) ?? "";
  const steps = [
    {
      name: "core",
      title: "compile the core to WebAssembly",
      inputs: [...cargoFiles, fromRoot("src")],
      extra: [rustc, RUSTC],
      outputs: [compiled],
      work: (onLine) => compileCore(shipped, onLine),
    },
    {
      name: "helper",
      title: "compile the build helper",
      inputs: [...cargoFiles, ...helperSources, fromRoot("src")],
      extra: [rustc],
      outputs: [helper],
      work: compileHelper,
    },
    {
      name: "bindgen",
      title: "make the glue (wasm-bindgen)",
      inputs: [compiled, ...cargoFiles, ...helperSources],
      outputs: [glueTypes, bound],
      work: () => bind(shipped),
    },
    {
      name: "optimise",
      title: "optimise the module (wasm-opt)",
      inputs: [bound, ...npmFiles, ...helperSources],
      extra: [WASM_OPT, STRIP],
      outputs: [named, optimised],
      work: () => optimise(shipped),
    },
    {
      name: "generate",
      title: "write js/generated",
      inputs: [optimised, glueTypes, fromRoot("src"), ...helperSources, ...npmFiles],
      outputs: [generated],
      work: generate,
    },
    {
      name: "typescript",
      title: "compile the TypeScript to dist/, and try it once",
      inputs: [
        fromRoot("js"),
        fromRoot("tests", "core", "wasm", "entropy.ts"),
        fromRoot("tsconfig.json"),
        fromRoot("typedoc.json"),
        ...npmFiles,
      ],
      outputs: [dist],
      work: compileTypeScript,
    },
    {
      name: "audit",
      title: "audit the module: nothing may trap or grow",
      inputs: [optimised, named, ...helperSources],
      outputs: [audited],
      work: async () => {
        const line = await audit(shipped);
        writeFileSync(audited, `${line}\n`);
        return line;
      },
    },
  ];
  let left = 0;
  for (const { title, work, ...facts } of steps) {
    const called = await unlessFresh(facts, () => step(title, work));
    if (!called) left += 1;
  }
  say(
    left === steps.length
      ? "  nothing has changed"
      : `  ${steps.length - left} steps done, ${left} up to date`,
  );
}

export async function compileCore({ source, target }, onLine) {
  const what = ["--release", "--target", "wasm32-unknown-unknown", "--package", "graupel"];
  const flags = `target.wasm32-unknown-unknown.rustflags=${JSON.stringify(RUSTC)}`;
  await run("cargo", ["build", ...what, "--config", flags], {
    cwd: source,
    env: { CARGO_TARGET_DIR: target },
    onLine,
  });
}

async function compileHelper(onLine) {
  await run("cargo", ["build", "--package", "xtask"], { onLine });
}

export async function bind({ compiled, bindgen }) {
  rmSync(bindgen, { recursive: true, force: true });
  await run(helper, ["bindgen", compiled, bindgen], quietly);
  if (existsSync(join(bindgen, "snippets"))) {
    throw new Refusal("The core brings its own JavaScript snippets, which the build does not bundle.");
  }
}

export async function optimise({ bound, named, optimised }) {
  const wasmOpt = tool(join("binaryen", "bin", "wasm-opt"));
  await run(wasmOpt, [...WASM_OPT, bound, "-o", named]);
  await run(wasmOpt, [...STRIP, named, "-o", optimised]);
  // The optimiser can exit with 0 although it did not understand the module, so compare imports and exports.
  const shape = (file) => {
    const module = new WebAssembly.Module(readFileSync(file));
    const names = (list) => list.map(({ module: from = "", name, kind }) => `${kind} ${from}.${name}`).sort();
    return JSON.stringify([
      names(WebAssembly.Module.imports(module)),
      names(WebAssembly.Module.exports(module)),
    ]);
  };
  if (shape(bound) !== shape(optimised))
    throw new Refusal("wasm-opt changed what the module imports or exports.");
}

/** Resolves to a line about the module. Rejects with the list of what could trap or grow. */
export async function audit({ optimised, named }) {
  return (await run(helper, ["audit", optimised, named], quietly)).trim();
}

/** Writes bytes as text: js/core/webassembly.ts reads it, and says how. */
const pack = (bytes) =>
  Array.from(bytes, (byte) => {
    const [page, digit] = [Math.floor(byte / 88), byte % 88];
    return (page === 0 ? "" : String.fromCharCode(122 + page)) + String.fromCharCode(35 + digit);
  }).join("");

async function generate() {
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated, { recursive: true });
  copyFileSync(glueTypes, join(generated, "core.d.ts"));
  await run(helper, ["tables", generated], quietly);
  const text = pack(readFileSync(optimised));
  // `: string`, because otherwise the declaration file repeats the whole text as a literal type.
  writeFileSync(
    join(generated, "module.ts"),
    `/** The core as WebAssembly, packed for js/core/webassembly.ts; written by the build. */\n` +
      `export const text: string =\n  ${JSON.stringify(text)};\n`,
  );
  const translated = await translate(optimised, shipped.bindgen);
  writeFileSync(join(generated, "translated.js"), translated);
  writeFileSync(
    join(generated, "translated.d.ts"),
    "/** The core as JavaScript, translated from the module by the build. Takes the imports, and returns the exports. */\n" +
      "export declare const translated: (imports: unknown) => unknown;\n",
  );
  return `${text.length} characters of module, ${translated.length} as JavaScript`;
}

async function compileTypeScript(onLine) {
  rmSync(dist, { recursive: true, force: true });
  const declarations = join(targetDir, "declarations");
  rmSync(declarations, { recursive: true, force: true });
  const flags = ["--project", "tsconfig.json", "--outDir", declarations];
  await run(tool(join("typescript", "bin", "tsc")), flags, { onLine });
  declare(dist, declarations);
  await bundle(dist);
  await tryPackage();
}

/** Reads a known ID and makes a new one: this shows that the module survived all steps. */
async function tryPackage() {
  const urls = ["index.js", "index.cjs", "pure/index.js", "pure/index.cjs"].map(
    (name) => pathToFileURL(join(dist, name)).href,
  );
  // In its own process: this one may build again, and would use the modules that it has loaded already.
  const program = `
    for (const url of ${JSON.stringify(urls)}) {
      const { discord, sno } = await import(url);
      const { timestamp, increment } = discord.inspect(175928847299117063n);
      if (timestamp !== 1462015105796 || increment !== 7) throw new Error("a known ID is misread");
      if (!sno.isValid(sno.next())) throw new Error("a fresh ID is refused");
    }
  `;
  await run(process.execPath, ["--input-type=module", "--eval", program]);
}

await runAsProgram(import.meta.url, build);
