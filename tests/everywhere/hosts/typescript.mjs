// TypeScript: the declarations, in every version and every mode of resolution, and under ESLint; what is compiled also runs.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { output } from "../../support/run.mjs";
import { ALONE, WITH_PEER } from "../entries.mjs";
import { tool } from "../lib/places.mjs";
import { folder, print, resultIn, versionOf } from "../lib/project.mjs";
import { peerFolder } from "./peers.mjs";

const ENTRIES = ["", "/sno", "/nanoflake", "/snowflake", "/snowflake-si", "/ulid-flake"];

/** The entries of leases, which need no core. */
const LEASES = ["", "/conformance", "/etcd", "/mysql", "/postgres", "/redis", "/sqlite"];

const entriesOf = (pure) => [
  ...ENTRIES.map((entry) => `graupel${pure}${entry}`),
  ...LEASES.map((entry) => `graupel/lease${entry}`),
  ...Object.keys(ALONE).map((entry) => `graupel/${entry}`),
];

/** A user's program: every entry, in the types that its documentation promises. */
const PROGRAM = (pure) => `${entriesOf(pure)
  .map((entry, i) => `import * as g${i} from "${entry}";`)
  .join("\n")}
import { discord, GraupelError, nanoflake, sno, snowflake, snowflakeSI, ulidFlake } from "graupel${pure}";
import { branded, type IdType } from "graupel/branded";
import { decode } from "graupel/encode";
import { type Lease, type LeaseStore, lease } from "graupel/lease";
import { redis } from "graupel/lease/redis";
import { prefixed } from "graupel/prefixed";
import { jsonSchema, shape } from "graupel/schema";
import { sql } from "graupel/sql";
export const all = [${entriesOf(pure)
  .map((_, i) => `g${i}`)
  .join(", ")}] as const;
export const store: LeaseStore = redis(async () => "null");
export const leased = (worker: Lease): bigint =>
  discord.generator({ lease: worker }).next() + BigInt(worker.status.number ?? 0);
export const leasing = (): Promise<Lease> => lease(store, { format: discord, namespace: "orders" });
export const a = (): string => sno.next();
export const b = (): bigint => nanoflake({ epoch: 0 }).generator({ generatorId: 1 }).next();
export const c = (): number => snowflakeSI({ epoch: 0 }).generator({ machineId: 1 }).next();
export const d = (): string => ulidFlake.next();
export const e = (): { min: bigint; max: bigint } => discord.range(0, 1);
const own = snowflake({ epoch: 0, fields: { time: 41, worker: 10, sequence: 12 } });
export const f = (): number => own.inspect(1n).worker;
export const g = (error: unknown) => (GraupelError.is(error) ? error.code : undefined);
// @ts-expect-error: there is no such field
export const h = () => own.inspect(1n).no;
// @ts-expect-error: a generator needs its fixed fields
export const i = () => own.generator({});
export const j = (text: string): bigint => decode(discord, text, "base62");
export const k = (text: string): bigint => prefixed(discord, "msg_").parse(text);
export const l = (): string => jsonSchema(discord).pattern;
export const m = (): string => sql(discord, "mysql").timeOf("id");
export const n = (): unknown => shape({ id: discord })["~standard"].validate({});
const users = branded(discord, "User");
export const o = (text: string): IdType<typeof users> => users.parse(text);
// @ts-expect-error: an ID of something else
export const p = (id: bigint): IdType<typeof users> => id;
`;

/** A library of one entry, whose declarations name the types of what it exports. */
const LIBRARY = `import { discord } from "graupel/snowflake";
export const generator = discord.generator({ internalWorkerId: 1, internalProcessId: 1 });
export const read = { id: discord.inspect(1n), range: discord.range() };
export const kept = { stats: generator.stats(), snapshot: generator.snapshot() };
`;

/** A program that uses the library's declarations. */
const USER = `import { generator, kept, read } from "./out/library.mjs";
import { checkAlphabets } from "./checks.mjs";
import * as graupel from "graupel";
export const issued: number = kept.stats.issued + read.id.increment;
export const next: bigint = generator.next();
// @ts-expect-error: not \`any\`
export const no = read.range.no;
const result = checkAlphabets(graupel, "WebAssembly");
${print("console.log")}
`;

const BASE = {
  target: "es2022",
  lib: ["es2022", "dom"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  outDir: "out",
};

/** Runs what the compiler has made: each entry that it imports is there, and the root reads the alphabets. */
const RUN = (programs) => `import { checkAlphabets } from "./checks.mjs";
const result = { core: "both", passed: 0, failed: [] };
for (const [file, core] of ${JSON.stringify(programs)}) {
  const { all } = await import(file);
  const { passed, failed } = checkAlphabets(all[0], core);
  result.passed += passed + all.length;
  result.failed.push(...failed);
}
${print("console.log")}
`;

/**
 * Modes of resolution, from the oldest to the newest, and the kind of file that imports. `since` and `until`: the major versions
 * of TypeScript that know the mode. `peers`: it is tried with entries that have peers, too, whose declarations take long to read.
 */
const MODES = {
  "node10, CommonJS": {
    options: { module: "commonjs", moduleResolution: "node10" },
    file: "main.ts",
    until: 6,
    peers: true,
  },
  "node16, CommonJS": {
    options: { module: "node16", moduleResolution: "node16" },
    file: "main.cts",
    peers: true,
  },
  "node16, ES module": { options: { module: "node16", moduleResolution: "node16" }, file: "main.mts" },
  "nodenext, CommonJS": { options: { module: "nodenext", moduleResolution: "nodenext" }, file: "main.cts" },
  "nodenext, ES module": {
    options: { module: "nodenext", moduleResolution: "nodenext" },
    file: "main.mts",
    peers: true,
  },
  "node20, CommonJS": { options: { module: "node20" }, file: "main.cts", since: 6 },
  "node20, ES module": { options: { module: "node20" }, file: "main.mts", since: 6 },
  bundler: { options: { module: "esnext", moduleResolution: "bundler" }, file: "main.ts", peers: true },
  "bundler, CommonJS": {
    options: { module: "commonjs", moduleResolution: "bundler" },
    file: "main.ts",
    since: 6,
  },
  "bundler, preserve": { options: { module: "preserve" }, file: "main.ts", since: 6 },
  "bundler, without DOM": {
    options: { module: "esnext", moduleResolution: "bundler", lib: ["es2022"] },
    file: "main.ts",
  },
};

const VERSIONS = ["typescript-5.0", "typescript", "typescript-7"];

/** The version that a name stands for: 5 or 7 from an alias, such as typescript-7, else the current one. */
const lineOf = (name) => (name === "typescript" ? 6 : Math.floor(Number(name.split("-")[1])));

/** Where the compiler writes a file. */
const made = (file) => `./out/${file.replace(/ts$/, "js")}`;

/** What a package.json says where the file's own name does not say it. */
const typeOf = ({ module }) => (/^(esnext|preserve)$/.test(module) ? "module" : "commonjs");

const labelOf = (name) => (name === "typescript" ? "6" : name.split("-")[1]);

function compilerOf(name) {
  const { bin } = JSON.parse(readFileSync(tool(name, "package.json"), "utf8"));
  return tool(name, bin.tsc);
}

async function tsc(name, at, project) {
  await output(process.execPath, [compilerOf(name), "--project", at(project)], { cwd: at() });
}

function rowOf(name, [mode, { options, file, until }]) {
  const run = async () => {
    const version = versionOf(name);
    // Version 6 wants to be told that the oldest mode is meant.
    const silence = lineOf(name) === 6 && until === 6 ? { ignoreDeprecations: "6.0" } : {};
    const at = folder(`types ${name} ${mode}`.replace(/\W+/g, "-"), {
      "package.json": JSON.stringify({ name: "row", private: true, type: typeOf(options) }),
      "run.mjs": RUN([
        [made(file), "WebAssembly"],
        [made(`pure-${file}`), "JavaScript"],
      ]),
      [file]: PROGRAM(""),
      [`pure-${file}`]: PROGRAM("/pure"),
      "tsconfig.json": JSON.stringify({
        compilerOptions: { ...BASE, ...options, ...silence },
        files: [file, `pure-${file}`],
      }),
    });
    await tsc(name, at, "tsconfig.json");
    return { version, ...resultIn(await output(process.execPath, [at("run.mjs")], { cwd: at() })) };
  };
  return { host: `TypeScript ${labelOf(name)}`, how: `types, ${mode}`, core: "both", run };
}

/** Types of what the entries with a peer export. None of them may be `any`, as it is where a declaration is not found. */
const TYPED = {
  drizzle: `import { pgId } from "graupel/drizzle";
export const drizzle = (): { readonly data: bigint } => pgId(discord)("id")._;
// @ts-expect-error: not \`any\`
export const notDrizzle: symbol = pgId(discord)("id");
`,
  graphql: `import { scalar } from "graupel/graphql";
export const graphql = (value: unknown): bigint => scalar(discord, "ID").parseValue(value);
// @ts-expect-error: not \`any\`
export const notGraphql: symbol = scalar(discord, "ID").parseValue("1");
`,
  sealed: `import { sealed } from "graupel/sealed";
export const seal = (key: Uint8Array): string => sealed(discord, key).seal(1n);
// @ts-expect-error: not \`any\`
export const notSealed: symbol = sealed(discord, new Uint8Array(16)).open("");
`,
  zod: `import { codec } from "graupel/zod";
export const zod = (text: string): bigint => codec(discord).decode(text);
// @ts-expect-error: not \`any\`
export const notZod: symbol = codec(discord).decode("");
`,
};

/** A user's program of every entry with a peer. What these export is not `any` either. */
const PEERS_PROGRAM = `import { discord } from "graupel";
${Object.keys(WITH_PEER)
  .map((name) => `import * as ${name}Entry from "graupel/${name}";\n`)
  .join("")}type AnyIn<T> = { [K in keyof T]: 0 extends 1 & T[K] ? K : never }[keyof T];
export const none: [${Object.keys(WITH_PEER).map((name) => `AnyIn<typeof ${name}Entry>`)}][number][] = [];
export const never: never[] = none;
${Object.values(TYPED).join("")}`;

/** What a compiler says of a program: lines that begin with a file. Compilers of errors end with 1 or 2, so another program starts it. */
async function complaintsOf(name, at) {
  const args = [compilerOf(name), "--project", at("tsconfig.json"), "--pretty", "false"];
  const start = `const { spawnSync } = require("node:child_process");
const { stdout, stderr, status } = spawnSync(process.execPath, ${JSON.stringify(args)}, { encoding: "utf8", maxBuffer: 1e9 });
console.log(status > 2 ? "compiler(1,1): " + stderr : stdout);`;
  const printed = await output(process.execPath, ["--eval", start], { cwd: at(), seconds: 300 });
  return printed.split("\n").filter((line) => /^\S+\(\d+,\d+\): /.test(line));
}

/**
 * The entries with a peer. The program and the package's declarations have no errors; the peers' own may have some, as few of their
 * users ask for (`skipLibCheck: false`).
 */
function peersRow(name, [mode, { options, file, until }]) {
  const run = async () => {
    const silence = lineOf(name) === 6 && until === 6 ? { ignoreDeprecations: "6.0" } : {};
    const at = peerFolder(`types ${name} ${mode}`, {
      "package.json": JSON.stringify({ name: "row", private: true, type: typeOf(options) }),
      [file]: PEERS_PROGRAM,
      "tsconfig.json": JSON.stringify({
        compilerOptions: { ...BASE, ...options, ...silence, esModuleInterop: true, noEmit: true },
        files: [file],
      }),
    });
    const complaints = await complaintsOf(name, at);
    const ofPeers = (line) =>
      Object.values(WITH_PEER).some(({ peer }) => line.split("(")[0].includes(`/node_modules/${peer}/`));
    const failed = complaints.filter((line) => !ofPeers(line)).map((message) => ({ name: "types", message }));
    const peers = Object.values(WITH_PEER).filter(({ peer }) =>
      complaints.some((line) => line.includes(`/node_modules/${peer}/`)),
    );
    const remark =
      peers.length > 0 && `errors in the declarations of ${peers.map(({ peer }) => peer).join(", ")}`;
    const passed = failed.length > 0 ? 0 : Object.keys(WITH_PEER).length;
    return { version: versionOf(name), core: "both", passed, failed, ...(remark && { remark }) };
  };
  return { host: `TypeScript ${labelOf(name)}`, how: `types with peers, ${mode}`, core: "both", run };
}

/** A library is compiled to a program and its declarations, and another program is compiled with those. */
function libraryRow(name) {
  const run = async () => {
    const common = { ...BASE, module: "nodenext", moduleResolution: "nodenext" };
    const at = folder(`library ${name}`.replace(/\W+/g, "-"), {
      "library.mts": LIBRARY,
      "user.mts": USER,
      "library.json": JSON.stringify({
        compilerOptions: { ...common, declaration: true },
        files: ["library.mts"],
      }),
      // The checks have no types.
      "user.json": JSON.stringify({
        compilerOptions: { ...common, noImplicitAny: false, outDir: "." },
        files: ["user.mts"],
      }),
    });
    await tsc(name, at, "library.json");
    await tsc(name, at, "user.json");
    const printed = await output(process.execPath, [at("user.mjs")], { cwd: at() });
    return { version: versionOf(name), ...resultIn(printed) };
  };
  return { host: `TypeScript ${labelOf(name)}`, how: "declarations of a library", core: "WebAssembly", run };
}

/** A program that takes methods from their objects, as ESLint's rule allows only those that say that they need no \`this\`. */
const UNBOUND = `import * as graupel from "graupel";
import { check } from "./checks.mjs";
import vectors from "./vectors.mjs";
export const { next, nextText, nextMany, nextManyText, nextAsync, at, snapshot, stats } = graupel.sno.generator();
export const { parse, isValid, format, inspect, compose, range, compare, toBytes, fromBytes } = graupel.discord;
export const { toUUID, fromUUID, metabyte } = graupel.sno;
export const { withEpoch } = graupel.ulidFlake;
export const digits = graupel.nanoflake({ epoch: 0 }).format;
export const ids = (texts: string[]) => texts.filter(graupel.discord.isValid).map(graupel.discord.parse);
export const errors = (all: unknown[]) => all.filter(graupel.GraupelError.is);
void check(graupel, "WebAssembly", vectors).then((result) => {
  ${print("console.log")}
});
`;

/** ESLint with the rule of typescript-eslint alone. A file that it must refuse shows that the rule runs. */
const ESLINT = `import parser from ${JSON.stringify(pathToFileURL(tool("@typescript-eslint", "parser", "dist", "index.js")))};
import plugin from ${JSON.stringify(pathToFileURL(tool("@typescript-eslint", "eslint-plugin", "dist", "index.js")))};
export default [{
  files: ["*.ts"],
  languageOptions: { parser, parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
  plugins: { "@typescript-eslint": plugin },
  rules: { "@typescript-eslint/unbound-method": "error" },
}];
`;
const REFUSED = "class A { b() { return this; } }\nexport const { b } = new A();\n";

async function eslint() {
  const modules = { module: "nodenext", moduleResolution: "nodenext", outDir: "." };
  // The checks have no types.
  const compilerOptions = { ...BASE, ...modules, noImplicitAny: false };
  const at = folder("eslint", {
    "main.ts": UNBOUND,
    "refused.ts": REFUSED,
    "eslint.config.mjs": ESLINT,
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["main.ts", "refused.ts"] }),
  });
  const lint = (file) =>
    output(process.execPath, [tool("eslint", "bin", "eslint.js"), file], { cwd: at() }).then(
      () => "",
      ({ message }) => message,
    );
  const [refused, said] = [await lint("refused.ts"), await lint("main.ts")];
  if (!/unbound-method/.test(refused)) throw new Error(`the rule does not run: ${refused}`);
  if (said !== "") throw new Error(said);
  await tsc("typescript", at, "tsconfig.json");
  const printed = await output(process.execPath, [at("main.js")], { cwd: at() });
  return { version: versionOf("eslint"), ...resultIn(printed) };
}

export const rows = [
  ...VERSIONS.flatMap((name) => [
    ...Object.entries(MODES)
      .filter(([, { since = 5, until = 7 }]) => since <= lineOf(name) && lineOf(name) <= until)
      .flatMap((mode) => [rowOf(name, mode), ...(mode[1].peers ? [peersRow(name, mode)] : [])]),
    libraryRow(name),
  ]),
  { host: "ESLint", how: "typescript-eslint, unbound-method", core: "WebAssembly", run: eslint },
];
