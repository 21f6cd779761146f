// TypeScript: the declarations of every entry, in every version and every mode of resolution, by the samples of tests/js/package, which `npm test`
// compiles with two of the versions; and under ESLint.

import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { output } from "../../support/run.mjs";
import { WITH_PEER } from "../entries.mjs";
import { installed, tool } from "../lib/places.mjs";
import { folder, versionOf } from "../lib/project.mjs";

/** What compiles with the language's own library alone; what must not is an error that the sample expects. */
const SAMPLES = ["sample", "refused", "leases", "branded", "shapes"];

/** A program of every entry, some of which need a package of the user's. What they export is not `any`, as it is where a declaration is not found. */
function programOfAll() {
  const stubs = readdirSync(installed, { recursive: true }).filter((file) => /\/package\.json$/.test(file));
  const names = ["graupel", ...stubs.map((file) => `graupel/${dirname(file)}`)];
  return `${names.map((name, i) => `import * as e${i} from "${name}";\n`).join("")}import { discord } from "graupel";
import { pgId } from "graupel/drizzle";
import { scalar } from "graupel/graphql";
import { sealed } from "graupel/sealed";
import { codec } from "graupel/zod";
type AnyIn<T> = { [K in keyof T]: 0 extends 1 & T[K] ? K : never }[keyof T];
export const none: [${names.map((_, i) => `AnyIn<typeof e${i}>`)}][number][] = [];
export const never: never[] = none;
export const drizzle = (): { readonly data: bigint } => pgId(discord)("id")._;
export const graphql = (value: unknown): bigint => scalar(discord, "ID").parseValue(value);
export const seal = (key: Uint8Array): string => sealed(discord, key).seal(1n);
export const zod = (text: string): bigint => codec(discord).decode(text);
// @ts-expect-error: not \`any\`
export const notDrizzle: symbol = pgId(discord)("id");
// @ts-expect-error: not \`any\`
export const notGraphql: symbol = scalar(discord, "ID").parseValue("1");
// @ts-expect-error: not \`any\`
export const notSealed: symbol = sealed(discord, new Uint8Array(16)).open("");
// @ts-expect-error: not \`any\`
export const notZod: symbol = codec(discord).decode("");
`;
}

const BASE = {
  target: "es2022",
  lib: ["es2022", "dom"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  esModuleInterop: true,
  skipLibCheck: false,
  // Libraries write the package's types into their own declarations.
  declaration: true,
  outDir: "out",
};

const NODE16 = { module: "node16", moduleResolution: "node16" };
const NODENEXT = { module: "nodenext", moduleResolution: "nodenext" };
const BUNDLER = { module: "esnext", moduleResolution: "bundler" };

/**
 * Modes of resolution, from the oldest to the newest, and the ending of a file. `since` and `until`: the major versions of TypeScript that know the
 * mode. `peers`: it is tried with all entries, whose peers' declarations take long to read.
 */
const MODES = {
  "node10, CommonJS": {
    options: { module: "commonjs", moduleResolution: "node10" },
    ending: ".ts",
    until: 6,
    peers: true,
  },
  "node16, CommonJS": { options: NODE16, ending: ".cts", peers: true },
  "node16, ES module": { options: NODE16, ending: ".mts" },
  "nodenext, CommonJS": { options: NODENEXT, ending: ".cts" },
  "nodenext, ES module": { options: NODENEXT, ending: ".mts", peers: true },
  "node20, CommonJS": { options: { module: "node20" }, ending: ".cts", since: 6 },
  "node20, ES module": { options: { module: "node20" }, ending: ".mts", since: 6 },
  bundler: { options: BUNDLER, ending: ".ts", peers: true },
  "bundler, CommonJS": { options: { ...BUNDLER, module: "commonjs" }, ending: ".ts", since: 6 },
  "bundler, preserve": { options: { module: "preserve" }, ending: ".ts", since: 6 },
  "bundler, without DOM": { options: { ...BUNDLER, lib: ["es2022"] }, ending: ".ts" },
};

/** The versions, by their packages' names: the major one, and what the table says. */
const VERSIONS = {
  "typescript-5.0": [5, "5.0"],
  typescript: [6, "6"],
  "typescript-7": [7, "7"],
};

/** What a compiler says of a program: lines that begin with a file. Compilers of errors end with 1 or 2, so another program starts it. */
async function complaintsOf(name, at) {
  const { bin } = JSON.parse(readFileSync(tool(name, "package.json"), "utf8"));
  const args = [tool(name, bin.tsc), "--project", at("tsconfig.json"), "--pretty", "false"];
  const start = `const { spawnSync } = require("node:child_process");
const { stdout, stderr, status } = spawnSync(process.execPath, ${JSON.stringify(args)}, { encoding: "utf8", maxBuffer: 1e9 });
console.log(status > 2 ? "compiler(1,1): " + stderr : stdout);`;
  const printed = await output(process.execPath, ["--eval", start], { cwd: at() });
  return printed.split("\n").filter((line) => /^\S+\(\d+,\d+\): |^error/.test(line));
}

/** The samples and the package's declarations have no errors; the peers' own may have some, as few of their users ask for (`skipLibCheck: false`). */
function rowOf(name, [mode, { options, ending, until, peers = false }]) {
  const [major, label] = VERSIONS[name];
  const run = async () => {
    const files = [...SAMPLES, ...(peers ? ["all"] : [])].map((file) => file + ending);
    // Version 6 wants to be told that the oldest mode is meant.
    const silence = major === 6 && until === 6 ? { ignoreDeprecations: "6.0" } : {};
    // What a package.json says where the file's own name does not say it.
    const type = /^(esnext|preserve)$/.test(options.module) ? "module" : "commonjs";
    const at = folder(`types ${name} ${mode}`, {
      "package.json": JSON.stringify({ name: "row", private: true, type }),
      [`all${ending}`]: programOfAll(),
      "tsconfig.json": JSON.stringify({ compilerOptions: { ...BASE, ...options, ...silence }, files }),
    });
    for (const file of SAMPLES)
      copyFileSync(fromRoot("tests", "js", "package", "samples", `${file}.ts`), at(file + ending));
    const complaints = await complaintsOf(name, at);
    const peerOf = (line) =>
      Object.values(WITH_PEER).find(({ peer }) => line.split("(")[0].includes(`/node_modules/${peer}/`))
        ?.peer;
    const failed = complaints.filter((line) => !peerOf(line)).map((message) => ({ name: "types", message }));
    const wrong = [...new Set(complaints.map(peerOf).filter(Boolean))];
    const remark = wrong.length > 0 && `errors in the declarations of ${wrong.join(", ")}`;
    const passed = files.length - Math.min(files.length, failed.length);
    return { version: versionOf(name), core: "both", passed, failed, ...(remark && { remark }) };
  };
  return { host: `TypeScript ${label}`, how: `types, ${mode}`, core: "both", run };
}

/** A program that takes methods from their objects, as ESLint's rule allows only those that say that they need no \`this\`. */
const UNBOUND = `import * as graupel from "graupel";
export const { next, nextText, nextMany, nextManyText, nextAsync, at, snapshot, stats } = graupel.sno.generator();
export const { parse, isValid, format, inspect, compose, range, compare, toBytes, fromBytes } = graupel.discord;
export const { toUUID, fromUUID, metabyte } = graupel.sno;
export const { withEpoch } = graupel.ulidFlake;
export const digits = graupel.nanoflake({ epoch: 0 }).format;
export const ids = (texts: string[]) => texts.filter(graupel.discord.isValid).map(graupel.discord.parse);
export const errors = (all: unknown[]) => all.filter(graupel.GraupelError.is);
`;

/** ESLint with the rule of typescript-eslint alone. A file that it must refuse shows that the rule runs. */
const typescriptEslint = (name) =>
  JSON.stringify(pathToFileURL(tool("@typescript-eslint", name, "dist", "index.js")));
const ESLINT = `import parser from ${typescriptEslint("parser")};
import plugin from ${typescriptEslint("eslint-plugin")};
export default [{
  files: ["*.ts"],
  languageOptions: { parser, parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
  plugins: { "@typescript-eslint": plugin },
  rules: { "@typescript-eslint/unbound-method": "error" },
}];
`;
const REFUSED = "class A { b() { return this; } }\nexport const { b } = new A();\n";

async function eslint() {
  const files = ["main.ts", "refused.ts"];
  const at = folder("eslint", {
    "main.ts": UNBOUND,
    "refused.ts": REFUSED,
    "eslint.config.mjs": ESLINT,
    "tsconfig.json": JSON.stringify({ compilerOptions: { ...BASE, ...NODENEXT }, files }),
  });
  const lint = (file) =>
    output(process.execPath, [tool("eslint", "bin", "eslint.js"), file], { cwd: at() }).then(
      () => "",
      ({ message }) => message,
    );
  const [said, refused] = [await lint("main.ts"), await lint("refused.ts")];
  if (!/unbound-method/.test(refused)) throw new Error(`the rule does not run: ${refused}`);
  if (said !== "") throw new Error(said);
  return { version: versionOf("eslint"), core: "WebAssembly", passed: 1 };
}

export const rows = [
  ...Object.entries(VERSIONS).flatMap(([name, [major]]) =>
    Object.entries(MODES)
      .filter(([, { since = 5, until = 7 }]) => since <= major && major <= until)
      .map((mode) => rowOf(name, mode)),
  ),
  { host: "ESLint", how: "typescript-eslint, unbound-method", core: "WebAssembly", run: eslint },
];
