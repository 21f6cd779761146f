// From the sources to dist/, leaving out each step whose inputs have not changed:
//
//   src/ --cargo--> graupel.wasm --wasm-bindgen--> glue + module --wasm-opt--> module
//     \--xtask--> js/generated/layouts.ts            |                            |
//                     js/generated/core.d.ts <-------'     js/generated/module.ts (text)
//   js/ --tsc--> declarations, --esbuild--> programs, both in dist/, which is then tried once; and the module is looked
//   through for what could trap

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
/** The files on the way from a core's sources to the module, all below cargo's directory for them. */
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

/** What every cargo command depends on. */
const cargoFiles = ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", join(".cargo", "config.toml")].map(
  (name) => fromRoot(name),
);
const helperSources = [fromRoot("xtask", "Cargo.toml"), fromRoot("xtask", "src")];
/** Pins the versions of the tools that come from npm. */
const npmFiles = [fromRoot("package.json"), fromRoot("package-lock.json")];

/**
 * Beside what Cargo.toml and .cargo/config.toml say. `shipped`: nothing else runs in this module (src/wasm/no_alloc.rs). A
 * small stack leaves small addresses for everything else; no function here calls itself, and the audit adds up. What
 * is used once or twice is put in its place: a call's arguments and results cost more bytes than its body, and time. No
 * values of JavaScript cross, so there is to be no table of them: the features that the module may use are named to the
 * linker, as the standard library's own parts say that they need more, and don't.
 */
const FEATURES = "mutable-globals,nontrapping-fptoint,sign-ext,bulk-memory";
const RUSTC = [
  ...["--cfg", "shipped"],
  ...["-C", "llvm-args=-inline-threshold=1000"],
  ...["-C", "target-feature=-reference-types"],
  ...["-C", `link-args=--no-check-features --features=${FEATURES} -zstack-size=4096`],
];
/** Every byte is one that a page loads. (The optimiser has to be told what the compiler may have used.) */
const WASM_OPT = ["-Oz", "--converge", "--enable-bulk-memory", "--enable-bulk-memory-opt", "--debuginfo"];
/** What a second run takes away: names, for the audit's eyes only, and features, which no engine reads. */
const STRIP = ["--strip-debug", "--strip-target-features"];

/**
 * Properties that no user and no other copy of the package sees, which the build gives short names. What stands under the
 * registry's symbol (js/generator/identity.ts) keeps its names: copies of different builds read it.
 */
const PRIVATE = new RegExp(
  `^(?:${[
    ...["natural", "policy", "patient", "maxAhead", "spent", "identity", "known", "attempt", "wanted"],
    ...["startBytes", "initial", "fixed", "nearest", "unsigned", "inspection", "optional", "radix", "wrong"],
    ...["form", "look", "characters", "turnBit", "callBits", "take", "made", "make", "move", "inner", "real", "how"],
    ...Object.keys(shortNames).map((name) => name.replace("$", "\\$")),
  ].join("|")})$`,
);

/** From npm, and so not there before the setup, which imports this file. */
const esbuild = async (options) => (await import("esbuild")).build(options);

/** The helper's messages are for people; a backtrace into it is not. */
const quietly = { env: { RUST_BACKTRACE: "0" } };

/** Every step in turn. Expects that `setup` has been done. */
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
      outputs: ["core.d.ts", "layouts.ts", "module.ts"].map((name) => join(generated, name)),
      work: generate,
    },
    {
      name: "typescript",
      title: "compile the TypeScript to dist/, and try it",
      inputs: [fromRoot("js"), fromRoot("tsconfig.json"), ...npmFiles],
      outputs: [dist],
      work: compileTypeScript,
    },
    {
      name: "audit",
      title: "look for what could trap or grow in the module",
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
    throw new Refusal(
      "The core brings JavaScript snippets of its own, which no bundler setting here carries along.",
    );
  }
}

export async function optimise({ bound, named, optimised }) {
  const wasmOpt = tool(join("binaryen", "bin", "wasm-opt"));
  await run(wasmOpt, [...WASM_OPT, bound, "-o", named]);
  await run(wasmOpt, [...STRIP, named, "-o", optimised]);
  // An optimiser that does not understand a module may still end well; so look at what came out.
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

/** Resolves to a line about the module, or rejects with what could trap or grow in it. */
export async function audit({ optimised, named }) {
  return (await run(helper, ["audit", optimised, named], quietly)).trim();
}

async function generate() {
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated, { recursive: true });
  writeFileSync(join(generated, "core.d.ts"), mark(readFileSync(glueTypes, "utf8")));
  await run(helper, ["layouts", join(generated, "layouts.ts")], quietly);
  const { text, digits, frequent } = pack(shorten(readFileSync(optimised)));
  // The type is written out, or else the declaration file would repeat the whole text as a literal type.
  writeFileSync(
    join(generated, "module.ts"),
    `/** The core as WebAssembly, as js/core/unpack.ts reads it; made by the build. */\n` +
      `export const frequent = 0x${frequent.toString(16)}n;\nexport const digits = "${digits}";\n` +
      `export const text: string =\n  "${text}";\n`,
  );
  return `${text.length} characters of module`;
}

async function compileTypeScript(onLine) {
  rmSync(dist, { recursive: true, force: true });
  await run(tool(join("typescript", "bin", "tsc")), ["--project", "tsconfig.json"], { onLine });
  copyFileSync(join(generated, "core.d.ts"), join(dist, "generated", "core.d.ts"));
  // Two files for an entry, its own and the one that all share: each costs Node a millisecond, whatever is in it.
  const { exports, bin } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
  const sourceOf = (file) => file.replace(/^(\.\/)?dist\/(.*)\.js$/, "js/$2.ts");
  const entries = Object.values(exports).flatMap((target) =>
    target.default ? [sourceOf(target.default)] : [],
  );
  const common = commonFiles();
  const options = {
    absWorkingDir: root,
    bundle: true,
    // Numbers that stand in the tables are written where they are used.
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
  await transpile(fromRoot("js", "core", "entropy.ts"), join(targetDir, "wasm-tests", "core", "entropy.js"));
  await tryPackage();
}

/** The rooms that all formats share, and what these rooms share with the formats. */
function commonFiles() {
  const rooms = ["core", "verbs", "generator"].flatMap((room) =>
    readdirSync(fromRoot("js", room)).map((name) => `js/${room}/${name}`),
  );
  return [...rooms, "js/checks.ts", "js/errors.ts", "js/generated/layouts.ts"];
}

/** Leaves entries, and what all share, in their own files where others import them. */
const apart = (entries, common) => ({
  name: "each file apart",
  setup({ onResolve }) {
    const toShared = new Set(common.map((file) => fromRoot(file)));
    const toItself = new Set(entries.map((file) => fromRoot(file)));
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const source = join(resolveDir, path).replace(/\.js$/, ".ts");
      if (kind === "entry-point") return undefined;
      if (toItself.has(source)) return { path, external: true };
      // What is bundled into an entry lies in its directory, so that the way up is the same.
      const up = relative(resolveDir, fromRoot("js")) || ".";
      return toShared.has(source) ? { path: `${up}/shared.js`, external: true } : undefined;
    });
  },
});

/** One file to JavaScript, and nothing else. */
const transpile = (from, outfile) =>
  esbuild({ entryPoints: [from], outfile, format: "esm", target: "es2022" });

/** One known ID read and one made: enough to see that the module came through all the steps alive. */
async function tryPackage() {
  // In a process of its own: this one may build again, and would see the modules that it has already loaded.
  const program = `
    const { discord, sno } = await import(${JSON.stringify(pathToFileURL(join(dist, "index.js")).href)});
    const { timestamp, increment } = discord.inspect(175928847299117063n);
    if (timestamp !== 1462015105796 || increment !== 7) throw new Error("a known ID is misread");
    if (!sno.isValid(sno.next())) throw new Error("a fresh ID is refused");
  `;
  await run(process.execPath, ["--input-type=module", "--eval", program]);
}

await runAsProgram(import.meta.url, build);
