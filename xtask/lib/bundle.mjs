// Bundles js/ to the package's programs: ES modules and CommonJS, each with the core as WebAssembly
// and as JavaScript.
//
//   dist/sno.js, dist/sno.cjs             an entry on the core as WebAssembly, or on none
//   dist/pure/sno.js, dist/pure/sno.cjs   on the core as JavaScript dist/shared/
//   shared code: one file for each core, and one for entries without a core dist/graupel.global.js
//   everything in one script that makes a global variable, in ES2018, on the core as JavaScript
//   dist/cli/                             the command line

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { entries, withCore } from "./entries.mjs";
import { fromRoot, root, targetDir } from "./process.mjs";

/**
 * The cores: the directory of their entries, the path from there to the shared code, and the files
 * that belong to the other core.
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
/** Without and with CommonJS, which Jest and older tools need. */
const KINDS = [
  { format: "esm", ending: ".js", platform: "neutral" },
  // The target is for Browserify, which reads no later syntax. Minified, because the package
  // contains all of this twice.
  { format: "cjs", ending: ".cjs", platform: "node", target: "es2020", minifyWhitespace: true },
];

/** No source maps: they would be half of the package, and the ES modules are readable. */
const options = {
  absWorkingDir: root,
  bundle: true,
  // Inlines the numbers of js/generated/constants.ts.
  minifySyntax: true,
  target: "es2022",
  logLevel: "warning",
};

/** Imported on demand, because esbuild is not installed before the setup. */
const esbuild = async (own) => (await import("esbuild")).build({ ...options, ...own });

/**
 * An ES module, as esbuild prints it without spaces, as CommonJS. It reads each imported name once,
 * while esbuild's own CommonJS calls a getter at every use. The last statement never runs: Node
 * reads it to learn the names that `export *` adds.
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

/** A plugin that applies `commonJs` to the output of a build. */
const taken = {
  name: "CommonJS from ES modules",
  setup(build) {
    Object.assign(build.initialOptions, { format: "esm", write: false });
    build.onEnd(({ outputFiles }) => {
      for (const { path, text } of outputFiles) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, commonJs(text));
      }
    });
  },
};

/** A plugin that leaves the core that was translated as it is, because it is not for reading. */
const translated = {
  name: "the translated core as it is",
  setup(build) {
    build.initialOptions.write = false;
    build.onEnd(({ outputFiles }) => {
      const core = readFileSync(fromRoot("js", "generated", "translated.js"), "utf8").replace("export ", "");
      for (const { path, text } of outputFiles) {
        const end = text.indexOf("\n// js/core/");
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, core + text.slice(end));
      }
    });
  },
};

/** The sources of entries by name, for esbuild. */
const sourcesOf = (names) => Object.fromEntries(names.map((name) => [name, fromRoot(entries.get(name))]));

const exportsOf = (files) => files.map((file) => `export * from "./${file}";`).join("\n");

/**
 * Writes the entries without a core. They use the formats and generators that they get, so one file
 * serves both cores. Their errors are in one shared file, because a program with a lease store also
 * has a lease.
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
      // Each entry needs two files, its own and the shared one, because each file costs Node a
      // millisecond.
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
    // Peers stay external: the user's own copy is used.
    await bundleOthers(dist, { ...into, external: Object.keys(peerDependencies) }, ending);
  }
  await esbuild({
    format: "esm",
    platform: "neutral",
    outdir: join(dist, "cli"),
    // A program to run, not to read.
    minify: true,
    plugins: [apart(commonFiles(), "../shared/webassembly.js", (name) => `../${name}.js`, entries.keys())],
    entryPoints: { main: "js/cli/main.ts", demo: "js/cli/demo.ts" },
    external: ["node:*"],
  });
  // For pages without a bundler, and for webpack 4, which cannot parse later syntax. The core is
  // JavaScript because Chrome before 114 cannot compile a module of this size on the main thread,
  // and a page's policy may forbid WebAssembly.
  await esbuild({
    format: "iife",
    globalName: "graupel",
    platform: "browser",
    target: "es2018",
    // BigInts are written as calls; that they are missing at that time is known. The import of the
    // core only sets its position.
    logOverride: { bigint: "silent", "ignored-bare-import": "silent" },
    minify: true,
    plugins: [started("javascript")],
    // Here, too, the core comes first (see `commonFiles`).
    stdin: { contents: 'import "./js/core/javascript.ts"; export * from "./js/index.ts";', resolveDir: root },
    outfile: join(dist, "graupel.global.js"),
    banner: { js: `/*! graupel ${version}, MIT License */` },
    // In a bundler it is a CommonJS module, and defines no global variable.
    footer: { js: 'typeof module=="object"&&(module.exports=graupel);' },
  });
  // The tests in WebAssembly import it (xtask/src/runner.rs).
  await esbuild({
    entryPoints: [fromRoot("tests", "core", "wasm", "entropy.ts")],
    outfile: join(targetDir, "wasm-tests", "core", "entropy.js"),
    format: "esm",
  });
}

/** The files that all formats share; js/generated/constants.ts is inlined everywhere instead. */
function commonFiles() {
  const rooms = ["verbs", "core", "identity", "generator"].flatMap((room) =>
    readdirSync(fromRoot("js", room)).map((name) => `js/${room}/${name}`),
  );
  // The core comes first. In the middle, it would separate similar code, and gzip would need 90
  // more bytes for the module's text, and 270 more for the core as JavaScript.
  const core = ["js/generated/module.ts", "js/core/javascript.ts"];
  const others = ["js/generated/layouts.ts", ...rooms, "js/read/load.ts", "js/checks.ts", "js/errors.ts"];
  return [...new Set([...core, ...others])];
}

/** A plugin that starts the core with the file of this name in js/core/. */
const started = (name) => ({
  name: "the core's start",
  setup({ onResolve }) {
    onResolve({ filter: /\/webassembly\.js$/ }, () => ({ path: fromRoot("js", "core", `${name}.ts`) }));
  },
});

/**
 * A plugin that keeps imports of entries and of shared files instead of bundling them. `placeOf`
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
