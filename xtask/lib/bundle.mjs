// Bundles js/ into the package's programs: the entries, as ES modules and CommonJS, each with the core
// as WebAssembly and as JavaScript (dist/pure/); the files that they share (dist/shared/); a script
// for pages (dist/graupel.global.js); and the command line (dist/cli/).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { entries, withCore } from "./entries.mjs";
import { fromRoot, root, targetDir, write } from "./process.mjs";

/**
 * The cores: the directory of their entries, the path from there to the shared code, and the files
 * that only the other core needs.
 */
const CORES = [
  { core: "webassembly", directory: ".", up: ".", without: ["core/javascript", "generated/translated"] },
  {
    core: "javascript",
    directory: "pure",
    up: "..",
    without: ["core/webassembly", "generated/module"],
  },
];
/** The package needs CommonJS, too, for Jest and for older tools. */
const KINDS = [
  { format: "esm", ending: ".js", platform: "neutral" },
  // Browserify cannot parse syntax later than this target. The output is minified, because the
  // package contains all of it twice.
  { format: "cjs", ending: ".cjs", platform: "node", target: "es2020", minifyWhitespace: true },
];

/** There are no source maps. They would be half of the package, and the ES modules are readable. */
const options = {
  absWorkingDir: root,
  bundle: true,
  // Inlines the numbers of js/generated/constants.ts.
  minifySyntax: true,
  target: "es2022",
  logLevel: "warning",
};

/** Imports esbuild on demand, because it is not installed before the setup. */
const esbuild = async (own) => (await import("esbuild")).build({ ...options, ...own });

/**
 * Converts an ES module, as esbuild prints it without spaces, to CommonJS. The result reads each
 * imported name once, while esbuild's own CommonJS calls a getter at every use. The last statement
 * never runs. Node parses it to find the names that `export *` adds.
 */
function commonJs(text) {
  const stars = [];
  const body = text
    .replace(/\bimport\{([^}]*)\}from("[^"]*");/g, (_, names, from) => {
      return `const{${names.replaceAll(" as ", ":")}}=require(${from});`;
    })
    .replace(/\bimport(?:\*as)? (\w+) from("[^"]*");/g, "const $1=require($2);")
    .replace(/\bexport\*from("[^"]*");/g, (_, from) => {
      stars.push(`...require(${from})`);
      return `Object.assign(exports,require(${from}));`;
    })
    .replace(/\bexport\{([^}]*)\};/g, (_, names) => {
      const pairs = names.split(",").map((pair) => pair.split(" as "));
      return pairs.map(([own, name = own]) => `exports.${name}=${own};`).join("");
    });
  return `"use strict";Object.defineProperty(exports,"__esModule",{value:!0});${body.trim()}0&&(module.exports={${stars}});\n`;
}

/** A plugin that changes the output of a build. */
const changed = (name, change) => ({
  name,
  setup(build) {
    Object.assign(build.initialOptions, { format: "esm", write: false });
    build.onEnd(({ outputFiles }) => {
      for (const { path, text } of outputFiles) write(path, change(text));
    });
  },
});
const taken = changed("CommonJS from ES modules", commonJs);
/** Nobody needs to read the translated core. */
const translated = changed("the translated core as it is", (text) => {
  const core = readFileSync(fromRoot("js", "generated", "translated.js"), "utf8").replace("export ", "");
  return core + text.slice(text.indexOf("\n// js/core/"));
});

/** The sources of entries by name, for esbuild. */
const sourcesOf = (names) => Object.fromEntries(names.map((name) => [name, fromRoot(entries.get(name))]));

const exportsOf = (files) => files.map((file) => `export * from "./${file}";`).join("\n");

/**
 * Writes the entries without a core. They use the formats and generators that the caller passes, so
 * one file works with both cores. Their errors are in one shared file, because a program with a
 * lease store also has a lease.
 */
async function bundleOthers(dist, into, ending) {
  const refusals = ["js/errors.ts", "js/checks.ts"];
  const stdin = { contents: exportsOf(refusals), resolveDir: root };
  await esbuild({ ...into, outdir: join(dist, "shared"), entryNames: "refusals", stdin });
  const others = [...entries.keys()].filter((name) => !withCore.includes(name));
  for (const [isThere, up] of [
    [(name) => name.includes("/"), ".."],
    [(name) => !name.includes("/"), "."],
  ]) {
    await esbuild({
      ...into,
      outdir: dist,
      plugins: [apart(refusals, `${up}/shared/refusals${ending}`, () => undefined), ...into.plugins],
      entryPoints: sourcesOf(others.filter(isThere)),
    });
  }
}

/** Writes all programs. */
export async function bundle(dist) {
  const { version, peerDependencies } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
  for (const { ending, ...kind } of KINDS) {
    const plugins = kind.format === "cjs" ? [taken] : [];
    const into = { ...kind, outExtension: { ".js": ending }, plugins };
    const lastOf = (core) => (kind.format === "esm" && core === "javascript" ? [translated] : plugins);
    for (const { core, directory, up, without } of CORES) {
      // Each entry consists of two files, its own and the shared one, because each file costs Node
      // a millisecond.
      const common = commonFiles().filter((file) => !without.some((name) => file.endsWith(`${name}.ts`)));
      await esbuild({
        ...into,
        outdir: join(dist, "shared"),
        plugins: [started(core), ...lastOf(core)],
        entryNames: core,
        stdin: { contents: exportsOf(common), resolveDir: root },
      });
      await esbuild({
        ...into,
        outdir: join(dist, directory),
        plugins: [apart(common, `${up}/shared/${core}${ending}`, (name) => `./${name}${ending}`), ...plugins],
        entryPoints: sourcesOf(withCore),
      });
    }
    // Peer dependencies stay external, so that the user's own copy is used.
    await bundleOthers(dist, { ...into, external: Object.keys(peerDependencies) }, ending);
  }
  await esbuild({
    format: "esm",
    platform: "neutral",
    outdir: join(dist, "cli"),
    // Nobody needs to read the command line's code.
    minify: true,
    plugins: [apart(commonFiles(), "../shared/webassembly.js", (name) => `../${name}.js`, entries.keys())],
    entryPoints: { main: "js/cli/main.ts", demo: "js/cli/demo.ts" },
    external: ["node:*"],
  });
  // For pages without a bundler, and for webpack 4, which cannot parse later syntax. The core is
  // JavaScript, because Chrome before 114 cannot compile a module of this size on the main thread,
  // and a page's policy may forbid WebAssembly.
  await esbuild({
    format: "iife",
    globalName: "graupel",
    platform: "browser",
    target: "es2018",
    // The code creates BigInts by calls, so the warnings about BigInt literals do not matter. The
    // import of the core only sets its position.
    logOverride: { bigint: "silent", "ignored-bare-import": "silent" },
    minify: true,
    plugins: [started("javascript")],
    // Here, too, the core comes first (see `commonFiles`).
    stdin: { contents: 'import "./js/core/javascript.ts"; export * from "./js/index.ts";', resolveDir: root },
    outfile: join(dist, "graupel.global.js"),
    banner: { js: `/*! graupel ${version}, MIT License */` },
    // In a bundler, the script is a CommonJS module and creates no global variable.
    footer: { js: 'typeof module=="object"&&(module.exports=graupel);' },
  });
  // The tests in WebAssembly import it (xtask/src/runner.rs).
  await esbuild({
    entryPoints: [fromRoot("tests", "core", "wasm", "entropy.ts")],
    outfile: join(targetDir, "wasm-tests", "core", "entropy.js"),
    format: "esm",
  });
}

/**
 * The files that all formats share. js/generated/constants.ts is not among them, because it is
 * inlined everywhere.
 */
function commonFiles() {
  const rooms = ["verbs", "core", "identity", "generator"].flatMap((room) =>
    readdirSync(fromRoot("js", room)).map((name) => `js/${room}/${name}`),
  );
  // Put the core first. In the middle, it would separate similar code, and gzip would need 90 more
  // bytes for the module's text and 270 more for the core as JavaScript.
  const core = ["js/generated/module.ts", "js/core/javascript.ts"];
  const others = ["read/load", "entropy", "checks", "errors"].map((name) => `js/${name}.ts`);
  return [...new Set([...core, "js/generated/layouts.ts", ...rooms, ...others])];
}

/** A plugin that starts the core with the given file in js/core/. */
const started = (name) => ({
  name: "the core's start",
  setup({ onResolve }) {
    onResolve({ filter: /\/webassembly\.js$/ }, () => ({ path: fromRoot("js", "core", `${name}.ts`) }));
  },
});

/**
 * A plugin that keeps imports of entries and shared files instead of bundling them. `placeOf`:
 * returns the path of an entry.
 */
const apart = (common, shared, placeOf, names = withCore) => ({
  name: "each file apart",
  setup({ onResolve }) {
    const toShared = new Set(common.map((file) => fromRoot(file)));
    const toItself = new Map([...names].map((name) => [fromRoot(entries.get(name)), placeOf(name)]));
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const source = join(resolveDir, path).replace(/\.js$/, ".ts");
      const place = toShared.has(source) ? shared : toItself.get(source);
      return place === undefined ? undefined : { path: place, external: true };
    });
  },
});
