// TypeScript: the declarations of every entry in every version and every module resolution mode.
// The samples are those of tests/js/package, which `npm test` compiles with one version.

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { WITH_PEER } from "../entries.mjs";
import { installed, tool } from "../lib/places.mjs";
import { versionOf } from "../lib/project.mjs";

/** Samples that compile with only the language's own library. They mark each expected error. */
const SAMPLES = ["sample", "refused", "leases", "branded", "shapes"];

/**
 * A program that imports every entry, including those with peers. It checks that no export is
 * `any`, which happens if a declaration is not found.
 */
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
export const column = pgId(discord)("id");
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
  // Libraries include the package's types in their own declarations.
  declaration: true,
  outDir: "out",
};

const NODE16 = { module: "node16", moduleResolution: "node16" };
const NODENEXT = { module: "nodenext", moduleResolution: "nodenext" };
const BUNDLER = { module: "esnext", moduleResolution: "bundler" };

/**
 * The module resolution modes, from the oldest to the newest, and the file extension. `since` and
 * `until`: the major versions of TypeScript that support the mode. `peers`: the row tests all
 * entries, including the peers' declarations, which take long to compile.
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

/** The versions by package name: the major version, and the label in the table. */
const VERSIONS = {
  "typescript-5.0": [5, "5.0"],
  typescript: [6, "6"],
  "typescript-7": [7, "7"],
};

/** The compiler errors of a program, which are lines that begin with a file name. */
function complaintsOf(name, at) {
  const { bin } = JSON.parse(readFileSync(tool(name, "package.json"), "utf8"));
  const args = [tool(name, bin.tsc), "--project", at("tsconfig.json"), "--pretty", "false"];
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd: at(), maxBuffer: 1e9 }, (error, stdout, stderr) => {
      // On errors, the compiler exits with 1 or 2.
      if (error !== null && ![1, 2].includes(error.code)) fail(new Error(stderr || error.message));
      else done(stdout.split("\n").filter((line) => /^\S+\(\d+,\d+\): |^error/.test(line)));
    });
  });
}

/**
 * The samples and the package's declarations must have no errors. Errors in the peers' own
 * declarations are ignored, because few users check them (`skipLibCheck: false`).
 */
function rowOf(name, [mode, { options, ending, until, peers = false }]) {
  const [major, label] = VERSIONS[name];
  const files = [...SAMPLES, ...(peers ? ["all"] : [])].map((file) => file + ending);
  // TypeScript 6 needs this flag for the oldest mode.
  const silence = major === 6 && until === 6 ? { ignoreDeprecations: "6.0" } : {};
  // Set `type` in package.json where the file name does not determine the module type.
  const type = /^(esnext|preserve)$/.test(options.module) ? "module" : "commonjs";
  const samples = fromRoot("tests", "js", "package", "samples");
  return {
    ...{ host: `TypeScript ${label}`, how: `types, ${mode}`, core: "both" },
    version: () => versionOf(name),
    files: () => ({
      "package.json": JSON.stringify({ name: "row", private: true, type }),
      "tsconfig.json": JSON.stringify({ compilerOptions: { ...BASE, ...options, ...silence }, files }),
      [`all${ending}`]: programOfAll(),
      ...Object.fromEntries(
        SAMPLES.map((file) => [file + ending, readFileSync(join(samples, `${file}.ts`), "utf8")]),
      ),
    }),
    async run(at) {
      const complaints = await complaintsOf(name, at);
      const peerOf = (line) =>
        Object.values(WITH_PEER).find(({ peer }) => line.split("(")[0].includes(`/node_modules/${peer}/`))
          ?.peer;
      const failed = complaints
        .filter((line) => !peerOf(line))
        .map((message) => ({ name: "types", message }));
      const wrong = [...new Set(complaints.map(peerOf).filter(Boolean))];
      const remark = wrong.length > 0 && `errors in the declarations of ${wrong.join(", ")}`;
      const passed = files.length - Math.min(files.length, failed.length);
      return { core: "both", passed, failed, ...(remark && { remark }) };
    },
  };
}

export const rows = [
  ...Object.entries(VERSIONS).flatMap(([name, [major]]) =>
    Object.entries(MODES)
      .filter(([, { since = 5, until = 7 }]) => since <= major && major <= until)
      .map((mode) => rowOf(name, mode)),
  ),
];
