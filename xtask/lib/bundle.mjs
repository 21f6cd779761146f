// Bundles js/ to the package's programs: ES modules and CommonJS, each with the core as WebAssembly and as JavaScript.
//
//   dist/**.js, dist/**.cjs             the core as WebAssembly
//   dist/pure/**.js, dist/pure/**.cjs   the core as JavaScript
//   dist/graupel.global.js              everything in one script that makes a global variable, in ES2018, on the core as JavaScript
//   dist/cli/**.js                      the command line
//   dist/**.d.ts, dist/**.d.cts         declarations, for both cores

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fromRoot, root, targetDir } from "./process.mjs";

/** A way to ship the package: its directory in dist/, and the file that starts its core. The other one's files stay out. */
const CORES = [
  { directory: ".", start: "webassembly", without: ["core/javascript", "generated/translated"] },
  {
    directory: "pure",
    start: "javascript",
    without: ["core/webassembly", "core/unpack", "generated/module"],
  },
];
/** Without and with CommonJS, which Jest and older tools need. */
const KINDS = [
  { format: "esm", ending: ".js", platform: "neutral" },
  // For Node, esbuild names the exports in a comment of code, as import of a CommonJS file needs. Without maps: for development
  // there are the ES modules, and maps are half of the tarball. The target is for Browserify, which reads no later syntax.
  { format: "cjs", ending: ".cjs", platform: "node", sourcemap: false, target: "es2020" },
];

/** Imported late: before the setup, esbuild is not installed. */
const esbuild = async (options) => (await import("esbuild")).build(options);

/** Writes everything but the ES modules' declarations, which are there already. */
export async function bundle(dist) {
  const { exports, bin, version, peerDependencies } = JSON.parse(
    readFileSync(fromRoot("package.json"), "utf8"),
  );
  const sourceOf = (file) => file.replace(/^(\.\/)?dist\/(.*)\.js$/, "js/$2.ts");
  const paths = Object.values(exports).flatMap(({ import: one }) => (one ? [one.default] : []));
  const all = paths.filter((path) => !path.startsWith("./dist/pure/")).map(sourceOf);
  const entries = all.filter((file) => paths.includes(file.replace(/^js\/(.*)\.ts$/, "./dist/pure/$1.js")));
  const options = {
    absWorkingDir: root,
    bundle: true,
    // Inlines the numbers of js/generated/constants.ts.
    minifySyntax: true,
    target: "es2022",
    sourcemap: "linked",
    logLevel: "warning",
    outbase: fromRoot("js"),
  };
  for (const core of CORES) {
    for (const { ending, ...kind } of KINDS) {
      // Each entry needs two files, its own and the shared one, because each file costs Node a millisecond.
      const common = commonFiles().filter(
        (file) => !core.without.some((name) => file.endsWith(`${name}.ts`)),
      );
      const into = {
        ...options,
        ...kind,
        outdir: join(dist, core.directory),
        outExtension: { ".js": ending },
      };
      const contents = common.map((file) => `export * from "./${file}";`).join("\n");
      await esbuild({
        ...into,
        plugins: [started(core.start)],
        entryNames: "shared",
        stdin: { contents, resolveDir: root },
      });
      await esbuild({
        ...into,
        plugins: [apart(entries, common, ending)],
        entryPoints: entries,
      });
    }
  }
  // The others have no core: they ask the formats and generators that they are given. So one file serves both cores.
  for (const { ending, ...kind } of KINDS) {
    await esbuild({
      ...options,
      ...kind,
      outdir: dist,
      outExtension: { ".js": ending },
      // The user's own copy.
      external: Object.keys(peerDependencies),
      entryPoints: all.filter((file) => !entries.includes(file)),
    });
  }
  await esbuild({
    ...options,
    format: "esm",
    platform: "neutral",
    outdir: dist,
    plugins: [apart(entries, commonFiles(), ".js")],
    entryPoints: [...Object.values(bin).map(sourceOf), "js/cli/demo.ts"],
    chunkNames: "cli/[hash]",
    splitting: true,
    external: ["node:*"],
  });
  // For pages without a bundler, and for webpack 4, which parses no later syntax. The core is JavaScript because browsers of that
  // time compile no module of this size on the main thread (Chrome below 114), and a page's policy may forbid WebAssembly.
  await esbuild({
    ...options,
    format: "iife",
    globalName: "graupel",
    platform: "browser",
    target: "es2018",
    // BigInts are written as calls; that they are missing at that time is known. The import of the core is only for its place.
    logOverride: { bigint: "silent", "ignored-bare-import": "silent" },
    minify: true,
    sourcemap: false,
    outbase: undefined,
    plugins: [started("javascript")],
    // The core comes first here, too (`commonFiles`).
    stdin: { contents: 'import "./js/core/javascript.ts"; export * from "./js/index.ts";', resolveDir: root },
    outfile: join(dist, "graupel.global.js"),
    banner: { js: `/*! graupel ${version}, MIT License */` },
    // A bundler gets the same as a CommonJS module, and nothing global.
    footer: { js: 'typeof module=="object"&&(module.exports=graupel);' },
  });
  // The tests in WebAssembly import it (xtask/src/runner.rs).
  await esbuild({
    entryPoints: [fromRoot("tests", "core", "wasm", "entropy.ts")],
    outfile: join(targetDir, "wasm-tests", "core", "entropy.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
  });
  declareCommonJs(dist);
}

/** The files that all formats share; js/generated/constants.ts is inlined everywhere instead. */
function commonFiles() {
  const rooms = ["verbs", "core", "identity", "generator"].flatMap((room) =>
    readdirSync(fromRoot("js", room)).map((name) => `js/${room}/${name}`),
  );
  // The core comes first: in the middle, it would separate similar code, and gzip would need 90 bytes more for the module's text, and 270
  // for the core as JavaScript.
  const core = ["js/generated/module.ts", "js/core/javascript.ts"];
  const others = ["js/generated/layouts.ts", ...rooms, "js/checks.ts", "js/errors.ts"];
  return [...new Set([...core, ...others])];
}

/** Starts the core with the file of this name in js/core/. */
const started = (name) => ({
  name: "the core's start",
  setup({ onResolve }) {
    onResolve({ filter: /\/webassembly\.js$/ }, () => ({ path: fromRoot("js", "core", `${name}.ts`) }));
  },
});

/** Keeps imports of entries and of shared files as imports, instead of bundling them. */
const apart = (entries, common, ending) => ({
  name: "each file apart",
  setup({ onResolve }) {
    const toShared = new Set(common.map((file) => fromRoot(file)));
    const toItself = new Set(entries.map((file) => fromRoot(file)));
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const source = join(resolveDir, path).replace(/\.js$/, ".ts");
      if (kind === "entry-point") return undefined;
      if (toItself.has(source)) {
        // What the build has generated is bundled with an entry at the top.
        const written = resolveDir === fromRoot("js", "generated");
        const here = written ? `./${relative(fromRoot("js"), source).replace(/\.ts$/, ".js")}` : path;
        return { path: here.replace(/\.js$/, ending), external: true };
      }
      // A bundled file is in the same directory as its entry, so the path upwards is the same.
      const up = relative(resolveDir, fromRoot("js")) || ".";
      return toShared.has(source) ? { path: `${up}/shared${ending}`, external: true } : undefined;
    });
  },
});

/** Declarations for CommonJS: the same, but a compiler reads them as CommonJS by their name. */
function declareCommonJs(dist) {
  for (const name of readdirSync(dist, { recursive: true })) {
    if (!name.endsWith(".d.ts") || name.startsWith("cli")) continue;
    const text = readFileSync(join(dist, name), "utf8");
    writeFileSync(
      join(dist, name.replace(/ts$/, "cts")),
      text.replace(/(["'])(\.\.?\/[^"']*)\.js\1/g, "$1$2.cjs$1"),
    );
  }
}
