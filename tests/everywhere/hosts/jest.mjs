// Test runners: Jest with CommonJS, under jsdom and by ts-jest; Jest 27, which reads no `exports` and hides `crypto`; Vitest.

import { readFileSync } from "node:fs";
import { pageOf, programsOf } from "../../support/pages.mjs";
import { output } from "../../support/run.mjs";
import { inOlder, tool } from "../lib/places.mjs";
import { commonJs, ENTRIES, folder, PARTS, versionOf } from "../lib/project.mjs";
import { nodeOf } from "./node.mjs";

/** Runners print in their own ways, so the tests write their result to a file. */
const body = (core) => `
test("graupel", async () => {
  const result = await check(graupel, "${core}", vectors);
  require("fs").writeFileSync(__dirname + "/result.json", JSON.stringify(result));
}, 60000);
`;

const REQUIRED = (entry) => `const graupel = require("${entry}");
const { check } = require("./checks.cjs");
const vectors = require("./vectors.json");
`;

/** Each entry besides the first is there, and is of the same copy. */
const PARTED = (entry) => `${REQUIRED(entry)}
test.each(${JSON.stringify(PARTS)})("%s", (part, name) => {
  expect(require("${entry}" + part)[name]).toBe(graupel[name]);
});
`;

const TYPED = (entry) => `import * as graupel from "${entry}";
declare function require(name: string): any;
declare function test(name: string, work: () => Promise<void>, ms: number): void;
declare const __dirname: string;
const { check } = require("./checks.cjs");
const vectors = require("./vectors.json");
// Compiled, not run: the types are there.
export const parse = (text: string): bigint => graupel.discord.parse(text);
`;

const VITEST = (entry, core) => `import { writeFileSync } from "node:fs";
import { test } from "vitest";
import * as graupel from "${entry}";
import { check } from "./checks.mjs";
import vectors from "./vectors.mjs";
test("graupel", async () => {
  const result = await check(graupel, "${core}", vectors);
  writeFileSync(new URL("./result.json", import.meta.url), JSON.stringify(result));
}, 60000);
`;

/** A package.json without \`type\`, as most users of Jest have it. */
const PLAIN = '{ "name": "row", "private": true }\n';

const TS_JEST = { transform: { "\\.ts$": ["ts-jest", { tsconfig: "tsconfig.json" }] } };

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

export async function jest(at, config, find = tool) {
  const all = { rootDir: at(), cacheDirectory: at("cache"), testEnvironment: "node", ...config };
  const program = find("jest", "bin", "jest.js");
  await output(process.execPath, [program, "--ci", "--config", JSON.stringify(all)], { cwd: at() });
  return versionOf("jest", find);
}

/** That of react-scripts 5. Its parts by path: by name, Jest would find those of the later version. */
const jest27 = (environment) => (at) => {
  const parts = {
    runner: inOlder("jest-runner"),
    testEnvironment: inOlder(`jest-environment-${environment}`),
  };
  return jest(at, parts, inOlder);
};

async function vitest(at) {
  // Its versions of today need a later Node than this project.
  const { node } = await nodeOf("24");
  await output(node, [tool("vitest", "vitest.mjs"), "run", "--root", at(), "--globals"], { cwd: at() });
  return versionOf("vitest");
}

const RUNNERS = [
  {
    host: "Jest",
    how: "CommonJS",
    quick: true,
    files: (core, entry) => ({ "main.test.js": REQUIRED(entry) + body(core) }),
    start: jest,
  },
  {
    host: "Jest",
    how: "CommonJS, jsdom",
    files: (core, entry) => ({ "main.test.js": REQUIRED(entry) + body(core) }),
    start: (at) => jest(at, { testEnvironment: "jsdom" }),
  },
  {
    host: "Jest",
    how: "ts-jest, moduleResolution node10",
    files: (core, entry) => ({
      "main.test.ts": TYPED(entry) + body(core),
      "tsconfig.json": JSON.stringify(TSCONFIG),
    }),
    start: (at) => jest(at, TS_JEST),
  },
  {
    host: "Jest 27",
    how: "CommonJS",
    files: (core, entry) => ({ "main.test.js": PARTED(entry) + body(core) }),
    start: jest27("node"),
  },
  {
    host: "Jest 27",
    how: "CommonJS, jsdom",
    files: (core, entry) => ({ "main.test.js": PARTED(entry) + body(core) }),
    start: jest27("jsdom"),
  },
  {
    host: "Vitest",
    how: "import, in Node 24",
    files: (core, entry) => ({ "main.test.mjs": VITEST(entry, core) }),
    start: vitest,
  },
];

function rowOf({ host, how, quick = false, files, start }, { entry, core }) {
  const run = async () => {
    const at = folder(`${host} ${how} ${entry}`.replace(/\W+/g, "-"), {
      "package.json": PLAIN,
      ...commonJs(),
      ...files(core, entry),
    });
    const version = await start(at);
    return { version, ...JSON.parse(readFileSync(at("result.json"), "utf8")) };
  };
  return { host, how: `${how}, ${entry}`, core, quick: quick && entry === "graupel", run };
}

/** The program of the guide to tests, as one check: the runner fails if a test of it does. */
function guideOf(host, kind, file, start) {
  const run = async () => {
    const code = programsOf(pageOf("testing.md")).get(kind);
    return {
      version: await start(folder(`${kind}-guide`, { "package.json": PLAIN, [file]: code })),
      passed: 1,
    };
  };
  return { host, how: "the guide to fake timers", core: "WebAssembly", run };
}

export const rows = [
  ...RUNNERS.flatMap((runner) => ENTRIES.map((entry) => rowOf(runner, entry))),
  guideOf("Jest", "jest", "guide.test.js", jest),
  guideOf("Vitest", "vitest", "guide.test.mjs", vitest),
];
