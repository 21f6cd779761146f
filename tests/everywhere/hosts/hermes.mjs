// Hermes, React Native's engine. It has no WebAssembly, no `crypto` and no modules. It runs the
// syntax that React Native's tools compile to.

import { output } from "../../support/run.mjs";
import { tool } from "../lib/places.mjs";
import { print, program, versionOf } from "../lib/project.mjs";
import { Skipped } from "../lib/tools.mjs";

const PROGRAMS = { linux: "linux64-bin/hermes", darwin: "osx-bin/hermes", win32: "win64-bin/hermes.exe" };

/** The path of the engine. */
function hermes() {
  const path = PROGRAMS[process.platform];
  if (process.arch !== "x64" || path === undefined)
    throw new Skipped("hermes-engine-cli has no program here");
  return tool("hermes-engine-cli", path);
}

/** Replaces react-native-get-random-values with a random source that is good enough for tests. */
const CRYPTO = `globalThis.crypto = {
  getRandomValues(bytes) {
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(Math.random() * 256);
    return bytes;
  },
};
`;

/**
 * Without `crypto`, calls that need random bits throw an error that names the package to install.
 * Everything else works. The engine alone does not identify itself as React Native, so the code
 * sets `navigator.product`.
 */
const BARE = `globalThis.navigator = { product: "ReactNative" };
import * as graupel from "graupel";
import { collisionRisk, lease, memory } from "graupel/lease";
import { same, tally } from "./entries.mjs";
const result = { core: "JavaScript", passed: 0, failed: [] };
const expect = (name, truth, message) => tally(result, name, () => same(truth, true, message));
let error;
try {
  graupel.sno.generator().next();
} catch (thrown) {
  error = thrown;
}
expect("the code", error !== undefined && error.code === "RANDOM_FAILED", error && error.code);
expect("what to install", /react-native-get-random-values/.test(error && error.message), error && error.message);
expect("discord", graupel.discord.generator({ internalWorkerId: 1, internalProcessId: 1 }).next() > 0, "no ID");
expect("a lease", lease(memory(), { format: graupel.discord, namespace: "a" }) instanceof Promise, "no promise");
expect("collisionRisk", collisionRisk({ bits: 5, processes: 8 }).toFixed(2) === "0.61", "wrong odds");
expect("sno with a partition", graupel.sno.generator({ partition: 1 }).next().length === 16, "no ID");
${print("globalThis.print")}
`;

/**
 * Metro with React Native's syntax and its conditions for `exports`. Without these conditions, it
 * reads the field `react-native`, also in the package.json at an entry's path. React Native
 * transpiles classes because engines such as this one do not support them.
 */
const METRO = (exported, endings) => `const Metro = require("metro");
const transform = { transform: { experimentalImportSupport: false, inlineRequires: false } };
(async () => {
  const defaults = await Metro.loadConfig({}, {
    projectRoot: __dirname,
    watchFolders: [__dirname + "/../.."],
    resolver: {
      unstable_enablePackageExports: ${exported},
      unstable_conditionNames: ["react-native"],
      resolverMainFields: ["react-native", "browser", "main"],
      sourceExts: ${JSON.stringify(endings)},
      useWatchman: false,
    },
    transformer: { getTransformOptions: async () => transform, enableBabelRCLookup: true },
    serializer: { getPolyfills: () => [], getModulesRunBeforeMainModule: () => [] },
    cacheStores: [],
    maxWorkers: 1,
    reporter: { update() {} },
  });
  await Metro.runBuild(defaults, { entry: "main.mjs", out: "bundle", dev: false, minify: false, platform: "android" });
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
`;

const BABEL =
  'module.exports = { presets: [["module:@react-native/babel-preset", { enableBabelRuntime: false }]] };\n';

/** The engine alone has no timers, so no lease can start. */
const { "main.mjs": main, ...loaded } = program({
  core: "JavaScript",
  tell: print("globalThis.print"),
  has: ["entries", "parts"],
});
const COMPLETE = { ...loaded, "crypto.mjs": CRYPTO, "main.mjs": `import "./crypto.mjs";\n${main}` };

const rowOf = (how, { files = COMPLETE, exported = true, endings = ["js", "mjs", "json"] } = {}) => ({
  ...{ host: "Hermes", how, core: "JavaScript" },
  version: () => versionOf("hermes-engine-cli"),
  files: () => ({
    "package.json": '{ "name": "row", "private": true }\n',
    "babel.config.js": BABEL,
    "metro.cjs": METRO(exported, endings),
    ...files,
  }),
  async run(at) {
    const engine = hermes();
    // Metro stores its cache in the folder for temporary files.
    await output(process.execPath, [at("metro.cjs")], { cwd: at(), env: { TMPDIR: at() } });
    return output(engine, [at("bundle.js")], { cwd: at() });
  },
});

export const rows = [
  rowOf("bundle by Metro, with exports"),
  rowOf("bundle by Metro, without exports", { exported: false }),
  rowOf("bundle by Metro, without exports, .mjs first", {
    exported: false,
    // The order that Expo uses.
    endings: ["mjs", "js", "json"],
  }),
  rowOf("without crypto: the error", { files: { "main.mjs": BARE } }),
];
