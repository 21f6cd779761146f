// Bundlers. Each bundle runs in Node, in a folder without the package.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { tool as ownTool } from "../../../xtask/lib/process.mjs";
import { output } from "../../support/run.mjs";
import { everywhere, inOlder, installed, moduleOf, tool } from "../lib/places.mjs";
import {
  asCommonJs,
  bundled,
  ENTRIES,
  imports,
  ownVersionOf,
  print,
  program,
  RUN,
  versionOf,
} from "../lib/project.mjs";

/**
 * A bundler's API, from the repository's own tools or from the tools that package.json pins here.
 */
const own = (...path) => import(pathToFileURL(ownTool(join(...path))));
const pinned = (...path) => import(pathToFileURL(tool(...path)));

/** webpack and rspack, which have the same API. */
const webpackLike =
  (load, name) =>
  async ({ input, directory }) => {
    const bundler = (await load()).default;
    const options = {
      entry: input,
      mode: "production",
      target: "node20",
      context: directory,
      experiments: { outputModule: true },
      output: { path: join(directory, "out"), filename: "out.mjs", module: true, chunkFormat: "module" },
      performance: false,
    };
    await new Promise((done, fail) => {
      bundler(options, (error, stats) => {
        if (error) fail(error);
        else if (stats.hasErrors() || stats.hasWarnings())
          fail(new Error(`${name}: ${stats.toString({ all: false, errors: true, warnings: true })}`));
        else done();
      });
    });
    return "out.mjs";
  };

/** Rollup and rolldown, which have the same API. Every warning is an error. */
const rollupLike =
  (load, plugins = async () => []) =>
  async ({ input: from, out }) => {
    const { rollup, rolldown } = await load();
    const input = rolldown === undefined ? { input: from } : { input: from, platform: "node" };
    const onwarn = (warning) => {
      throw new Error(`a warning: ${warning.message}`);
    };
    const bundle = await (rollup ?? rolldown)({ ...input, plugins: await plugins(), onwarn });
    await bundle.write({ file: out, format: "es" });
    await bundle.close();
    return "out.mjs";
  };

/**
 * Rollup does not resolve packages by itself. This plugin resolves the `import` condition of
 * `exports`.
 */
const nodeResolve = async () => [
  {
    name: "node-resolve",
    resolveId(source) {
      return /^graupel/.test(source) ? join(installed, moduleOf(source)) : null;
    },
  },
];

/**
 * `out`: the output file. The rows with peers use CommonJS, because bundled packages call
 * `require`.
 */
const esbuild =
  (out, format) =>
  async ({ input, directory }) => {
    await bundled(input, join(directory, "out", out), {
      minify: true,
      platform: "node",
      target: "node20",
      format,
      absWorkingDir: directory,
      // A peer requires this package only when it is used.
      external: ["pg-hstore"],
    });
    return out;
  };

/**
 * `ssr`: builds for a server and bundles the package, too. Otherwise builds for a browser; the
 * result also runs in Node.
 */
const vite =
  (ssr) =>
  async ({ input, directory }) => {
    const { build } = await own("vite", "dist", "node", "index.js");
    const output = { entryFileNames: "out.mjs", format: "es" };
    await build({
      root: directory,
      configFile: false,
      logLevel: "error",
      ssr: { noExternal: true },
      build: {
        target: "esnext",
        outDir: "out",
        minify: true,
        modulePreload: false,
        ssr,
        rollupOptions: { input, output, preserveEntrySignatures: "strict" },
      },
    });
    return "out.mjs";
  };

/**
 * By default, Parcel does not read `exports`. It finds an entry by the package.json at the entry's
 * path.
 */
async function parcel({ directory }) {
  const args = ["build", "--no-cache", "--no-source-maps", "--no-autoinstall"];
  await output(process.execPath, [tool("parcel", "lib", "bin.js"), ...args], { cwd: directory });
  return "main.js";
}

/** Browserify supports only CommonJS and does not read `exports`. */
async function browserify({ input, directory }) {
  await asCommonJs(input, join(directory, "main.cjs"));
  mkdirSync(join(directory, "out"));
  const program = inOlder("browserify", "bin", "cmd.js");
  await output(process.execPath, [program, "main.cjs", "--outfile", "out/out.cjs"], { cwd: directory });
  return "out.cjs";
}

const PARCEL = JSON.stringify({
  name: "row",
  private: true,
  type: "module",
  targets: {
    out: {
      source: "main.mjs",
      distDir: "out",
      context: "node",
      outputFormat: "esmodule",
      includeNodeModules: true,
      optimize: true,
      isLibrary: false,
    },
  },
  engines: { node: ">= 20" },
});

/**
 * `own`: the bundler is one of the repository's own tools. `from`: finds the tool elsewhere.
 * `entries`: both cores by default.
 */
const BUNDLERS = [
  { host: "esbuild", bundle: esbuild("out.mjs", "esm"), own: true, quick: true },
  { host: "Vite", bundle: vite(false), own: true, quick: true },
  { host: "Vite", how: "build for a server", bundle: vite(true), own: true },
  {
    host: "webpack",
    bundle: webpackLike(() => own("webpack", "lib", "index.js"), "webpack"),
    own: true,
    quick: true,
  },
  {
    host: "Rollup",
    bundle: rollupLike(() => own("rollup", "dist", "es", "rollup.js"), nodeResolve),
    own: true,
    quick: true,
  },
  { host: "rolldown", bundle: rollupLike(() => pinned("rolldown", "dist", "index.mjs")) },
  {
    host: "rspack",
    name: "@rspack/core",
    bundle: webpackLike(() => pinned("@rspack", "core", "dist", "index.js"), "rspack"),
  },
  { host: "Parcel", bundle: parcel, files: { "package.json": PARCEL } },
  { host: "Browserify", bundle: browserify, from: inOlder },
  {
    host: "esbuild",
    how: "with peers, build",
    bundle: esbuild("out.cjs", "cjs"),
    own: true,
    loaded: { has: ["peers"] },
    entries: ENTRIES.slice(0, 1),
  },
];

function rowOf(bundler, { entry, core }) {
  const { host, how = "build", name = host.toLowerCase(), bundle, from, loaded, quick = false } = bundler;
  return {
    ...{ host, how: `${how}, ${entry}, run in Node`, core },
    quick: quick && entry === "graupel",
    version: () => (bundler.own ? ownVersionOf(name) : versionOf(name, from)),
    files: () => ({ ...program({ core, entry, ...loaded }), ...bundler.files }),
    async run(at) {
      const made = await bundle({ input: at("main.mjs"), out: at("out", "out.mjs"), directory: at() });
      const elsewhere = join(everywhere, "elsewhere");
      mkdirSync(elsewhere, { recursive: true });
      return output(process.execPath, [at("out", made)], { cwd: elsewhere });
    },
  };
}

/**
 * Vite's development server in SSR mode: it transforms the program, and Node loads the packages.
 */
const SSR = `import { createServer } from ${JSON.stringify(pathToFileURL(ownTool("vite/dist/node/index.js")))};
const server = await createServer({
  root: import.meta.dirname,
  configFile: false,
  appType: "custom",
  logLevel: "error",
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
});
try {
  const { result } = await server.ssrLoadModule("/program.mjs");
  ${print()}
} finally {
  await server.close();
}
`;

const ssrRow = ({ entry, core }) => ({
  ...{ host: "Vite", how: `SSR, dev, ${entry}, in Node`, core },
  version: () => ownVersionOf("vite"),
  files: () => ({
    ...program({ core, entry }),
    "program.mjs": `${imports(entry)}export const result = await ${RUN(core)};\n`,
    "host.mjs": SSR,
  }),
  run: (at) => output(process.execPath, [at("host.mjs")], { cwd: at() }),
});

export const rows = [
  ...BUNDLERS.flatMap((bundler) => (bundler.entries ?? ENTRIES).map((entry) => rowOf(bundler, entry))),
  ...ENTRIES.map(ssrRow),
];
