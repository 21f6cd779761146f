// Builds dist/ from the sources. Skips each step whose inputs have not changed:
//
//   src/ --cargo--> graupel.wasm --wasm-bindgen--> glue + module --wasm-opt--> module
//     \--xtask--> js/generated/layouts.ts            |                            |
//                 js/generated/constants.ts          |                            |
//                     js/generated/core.d.ts <-------'     js/generated/module.ts (text)
//   js/ --tsc--> declarations, --esbuild--> programs, both in dist/
//
// At the end it tries the package once, and audits the module for instructions that could trap.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { unlessFresh } from "./lib/freshness.mjs";
import { mark, shorten, shortNames } from "./lib/names.mjs";
import { pack } from "./lib/pack.mjs";
import { fromRoot, Refusal, root, run, runAsProgram, targetDir, tool, tryRun } from "./lib/process.mjs";
import { say, step } from "./lib/progress.mjs";

const helper = join(targetDir, "debug", process.platform === "win32" ? "xtask.exe" : "xtask");
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
 * - `shipped`: no other code runs in this module (src/wasm/no_alloc.rs).
 * - Inlining: for a function that is called once or twice, the call costs more bytes than the body, and time.
 * - Features: no JavaScript values cross the boundary, so the module must not have a table of them. The linker gets the
 *   list of features, because the standard library declares more than it uses.
 * - Stack: a small stack gives small addresses, and so fewer bytes, to everything else. There is no recursion, and the
 *   audit adds up the stack.
 */
const FEATURES = "mutable-globals,nontrapping-fptoint,sign-ext,bulk-memory";
const RUSTC = [
  ...["--cfg", "shipped"],
  ...["-C", "llvm-args=-inline-threshold=1000"],
  ...["-C", "target-feature=-reference-types"],
  ...["-C", `link-args=--no-check-features --features=${FEATURES} -zstack-size=4096`],
];
/**
 * For size: pages load every byte. The optimiser must know the features that the compiler may use; and that nothing lies below
 * address 1,024: the stack starts at 4,096, and the audit says how little of it is used.
 */
const WASM_OPT = [
  ...["-Oz", "--converge", "--low-memory-unused"],
  ...["--enable-bulk-memory", "--enable-bulk-memory-opt", "--debuginfo"],
];
/** Flags of a second run: removes names, which only the audit reads, and features, which no engine reads. */
const STRIP = ["--strip-debug", "--strip-target-features"];

/**
 * Private properties: the build gives them short names. Properties under the registry's symbol (js/generator/identity.ts)
 * keep their names, because copies of other builds read them. A name must belong to nothing that is public or built in.
 */
const PRIVATE = new RegExp(
  `^(?:${[
    // Of a generator and its settings.
    ...["idType", "policy", "callFlags", "waitingCallFlags", "maxAhead", "spentUntil", "identity", "drawn"],
    ...["sequenceRule", "hasUserFunctions", "initial", "fixedFields", "isSystemClock"],
    // Of a row, a schema and a text form.
    ...[
      "startBytes",
      "roundsToNearest",
      "unsigned",
      "inspection",
      "optional",
      "radix",
      "turnBit",
      "callBits",
    ],
    ...["nonCanonical", "characters", "decimalHint"],
    // Of a type of IDs.
    ...["form", "loadNative", "canonical", "takeValue", "takeNext", "makeBatch", "moveBatch"],
    ...Object.keys(shortNames).map((name) => name.replace("$", "\\$")),
  ].join("|")})$`,
);

/** Imported late: before the setup, esbuild is not installed. */
const esbuild = async (options) => (await import("esbuild")).build(options);

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
      inputs: [optimised, glueTypes, fromRoot("src"), ...helperSources],
      outputs: ["core.d.ts", "layouts.ts", "constants.ts", "module.ts"].map((name) => join(generated, name)),
      work: generate,
    },
    {
      name: "typescript",
      title: "compile the TypeScript to dist/, and try it once",
      inputs: [
        fromRoot("js"),
        fromRoot("tests", "wasm", "entropy.ts"),
        fromRoot("tsconfig.json"),
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

async function generate() {
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated, { recursive: true });
  writeFileSync(join(generated, "core.d.ts"), mark(readFileSync(glueTypes, "utf8")));
  await run(helper, ["tables", generated], quietly);
  const { text, digits, frequent } = pack(shorten(readFileSync(optimised)));
  // `: string`, because otherwise the declaration file repeats the whole text as a literal type.
  writeFileSync(
    join(generated, "module.ts"),
    `/** The core as WebAssembly, packed for js/core/unpack.ts; written by the build. */\n` +
      `export const frequent = 0x${frequent.toString(16)}n;\nexport const digits = "${digits}";\n` +
      `export const text: string =\n  "${text}";\n`,
  );
  return `${text.length} characters of module`;
}

async function compileTypeScript(onLine) {
  rmSync(dist, { recursive: true, force: true });
  await run(tool(join("typescript", "bin", "tsc")), ["--project", "tsconfig.json"], { onLine });
  copyFileSync(join(generated, "core.d.ts"), join(dist, "generated", "core.d.ts"));
  // Each entry needs two files, its own and the shared one, because each file costs Node a millisecond.
  const { exports, bin } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
  const sourceOf = (file) => file.replace(/^(\.\/)?dist\/(.*)\.js$/, "js/$2.ts");
  const entries = Object.values(exports).flatMap((target) =>
    target.default ? [sourceOf(target.default)] : [],
  );
  const common = commonFiles();
  const options = {
    absWorkingDir: root,
    bundle: true,
    // Inlines the numbers of js/generated/constants.ts.
    minifySyntax: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    sourcemap: "linked",
    mangleProps: PRIVATE,
    logLevel: "warning",
    outbase: fromRoot("js"),
    outdir: dist,
    plugins: [apart(entries, common)],
  };
  const contents = common.map((file) => `export * from "./${file}";`).join("\n");
  const shared = { ...options, plugins: [], entryNames: "shared", stdin: { contents, resolveDir: root } };
  const { mangleCache } = await esbuild({ ...shared, mangleCache: { ...shortNames } });
  await esbuild({ ...options, mangleCache, entryPoints: entries });
  await esbuild({
    ...options,
    mangleProps: undefined,
    entryPoints: [...Object.values(bin).map(sourceOf), "js/cli/demo.ts"],
    chunkNames: "cli/[hash]",
    splitting: true,
    external: ["node:*"],
  });
  // The tests in WebAssembly import it (xtask/src/runner.rs).
  await esbuild({
    entryPoints: [fromRoot("tests", "wasm", "entropy.ts")],
    outfile: join(targetDir, "wasm-tests", "core", "entropy.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
  });
  await tryPackage();
}

/** The files that all formats share; js/generated/constants.ts is inlined everywhere instead. */
function commonFiles() {
  const rooms = ["verbs", "core", "generator"].flatMap((room) =>
    readdirSync(fromRoot("js", room)).map((name) => `js/${room}/${name}`),
  );
  // The module's text comes first: between the code, it would separate similar code, and gzip would need 90 bytes more.
  const generated = ["module", "layouts"].map((name) => `js/generated/${name}.ts`);
  return [...generated, ...rooms, "js/checks.ts", "js/errors.ts"];
}

/** Keeps imports of entries and of shared files as imports, instead of bundling them. */
const apart = (entries, common) => ({
  name: "each file apart",
  setup({ onResolve }) {
    const toShared = new Set(common.map((file) => fromRoot(file)));
    const toItself = new Set(entries.map((file) => fromRoot(file)));
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const source = join(resolveDir, path).replace(/\.js$/, ".ts");
      if (kind === "entry-point") return undefined;
      if (toItself.has(source)) return { path, external: true };
      // A bundled file is in the same directory as its entry, so the path upwards is the same.
      const up = relative(resolveDir, fromRoot("js")) || ".";
      return toShared.has(source) ? { path: `${up}/shared.js`, external: true } : undefined;
    });
  },
});

/** Reads a known ID and makes a new one: this shows that the module survived all steps. */
async function tryPackage() {
  // In its own process: this one may build again, and would use the modules that it has loaded already.
  const program = `
    const { discord, sno } = await import(${JSON.stringify(pathToFileURL(join(dist, "index.js")).href)});
    const { timestamp, increment } = discord.inspect(175928847299117063n);
    if (timestamp !== 1462015105796 || increment !== 7) throw new Error("a known ID is misread");
    if (!sno.isValid(sno.next())) throw new Error("a fresh ID is refused");
  `;
  await run(process.execPath, ["--input-type=module", "--eval", program]);
}

await runAsProgram(import.meta.url, build);
