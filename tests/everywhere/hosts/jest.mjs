// Test runners: Jest with CommonJS, with jsdom and with ts-jest; Jest 27, which does not read
// `exports` and hides `crypto`; and Vitest.

import { readFileSync } from "node:fs";
import { pageOf, programsOf } from "../../support/pages.mjs";
import { output } from "../../support/run.mjs";
import { inOlder, tool } from "../lib/places.mjs";
import { asCommonJs, ENTRIES, imports, loadedBy, RUN, versionOf } from "../lib/project.mjs";
import { nodeOf } from "./runtimes.mjs";

/** Each runner prints in its own format, so the test writes its result to a file. */
const TEST = (entry, core) => `import { writeFileSync } from "fs";
${imports(entry)}test("graupel", async () => {
  writeFileSync("result.json", JSON.stringify(await ${RUN(core)}));
}, 900000);
`;

/** TypeScript compiles a test against the package's types. The checks have no types. */
const TYPED = (entry, core) => `import * as graupel from "${entry}";
declare function require(name: string): any;
declare function test(name: string, work: () => Promise<void>, ms: number): void;
const { check } = require("./checks.cjs");
// Compiled, not run: the types are there.
export const parse = (text: string): bigint => graupel.discord.parse(text);
test("graupel", async () => {
  require("fs").writeFileSync("result.json", JSON.stringify(await ${RUN(core)}));
}, 900000);
`;

const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "commonjs",
    moduleResolution: "node10",
    ignoreDeprecations: "6.0",
    strict: true,
    skipLibCheck: false,
    types: [],
  },
};

async function jest(at, config = {}, find = tool) {
  const all = { rootDir: at(), cacheDirectory: at("cache"), testEnvironment: "node", ...config };
  const program = find("jest", "bin", "jest.js");
  await output(process.execPath, [program, "--ci", "--config", JSON.stringify(all)], { cwd: at() });
  return versionOf("jest", find);
}

/**
 * The Jest of react-scripts 5. Its packages are given by path; by name, Jest would find the later
 * version's.
 */
const jest27 = (environment) => (at) => {
  const parts = {
    runner: inOlder("jest-runner"),
    testEnvironment: inOlder(`jest-environment-${environment}`),
  };
  return jest(at, parts, inOlder);
};

async function vitest(at) {
  // Current Vitest needs a later Node than this project.
  const { program } = await nodeOf("24");
  await output(program, [tool("vitest", "vitest.mjs"), "run", "--root", at(), "--globals"], { cwd: at() });
  return versionOf("vitest");
}

/** jsdom has no TextEncoder, which the etcd store needs. */
const WITHOUT_LEASES = { has: ["entries", "parts"] };

/** `test`: the test file. In files that end with js, the program is CommonJS, except for Vitest. */
const RUNNERS = [
  { host: "Jest", how: "CommonJS", quick: true, start: jest },
  {
    host: "Jest",
    how: "CommonJS, jsdom",
    loaded: WITHOUT_LEASES,
    start: (at) => jest(at, { testEnvironment: "jsdom" }),
  },
  {
    host: "Jest",
    how: "ts-jest, moduleResolution node10",
    test: "main.test.ts",
    start: (at) => jest(at, { transform: { "\\.ts$": ["ts-jest", { tsconfig: "tsconfig.json" }] } }),
  },
  { host: "Jest 27", how: "CommonJS", start: jest27("node") },
  { host: "Jest 27", how: "CommonJS, jsdom", loaded: WITHOUT_LEASES, start: jest27("jsdom") },
  { host: "Vitest", how: "import, in Node 24", test: "main.test.mjs", start: vitest },
];

/** A package.json without `type`, as in most Jest projects. */
const PLAIN = { "package.json": '{ "name": "row", "private": true }\n' };

const rowOf = ({ host, how, test = "main.test.js", quick = false, loaded, start }, { entry, core }) => ({
  ...{ host, how: `${how}, ${entry}`, core },
  quick: quick && entry === "graupel",
  files: () => ({
    ...PLAIN,
    "loaded.mjs": loadedBy({ entry, ...loaded }),
    ...(test.endsWith("mjs") ? { [test]: TEST(entry, core) } : { "program.mjs": TEST(entry, core) }),
    ...(test.endsWith("ts") && { [test]: TYPED(entry, core), "tsconfig.json": JSON.stringify(TSCONFIG) }),
  }),
  async run(at) {
    if (test.endsWith("ts")) await asCommonJs(at("checks.mjs"), at("checks.cjs"));
    else if (test.endsWith(".js")) await asCommonJs(at("program.mjs"), at(test));
    const version = await start(at);
    return { version, ...JSON.parse(readFileSync(at("result.json"), "utf8")) };
  },
});

/** The program in the testing guide, as one check. The runner fails if one of its tests fails. */
const guideOf = (host, kind, file, start) => ({
  ...{ host, how: "the guide to fake timers", core: "WebAssembly" },
  files: () => ({ ...PLAIN, [file]: programsOf(pageOf("testing.md")).get(kind) }),
  run: async (at) => ({ version: await start(at), passed: 1 }),
});

/** One of the peers is an ES module only, which Jest does not load. */
const PEERS = { how: "with peers, CommonJS", loaded: { has: ["peers"], without: ["sealed"] }, quick: false };

export const rows = [
  ...RUNNERS.flatMap((runner) => ENTRIES.map((one) => rowOf(runner, one))),
  { ...rowOf({ ...RUNNERS[0], ...PEERS }, ENTRIES[0]), how: PEERS.how },
  guideOf("Jest", "jest", "guide.test.js", jest),
  guideOf("Vitest", "vitest", "guide.test.mjs", vitest),
];
