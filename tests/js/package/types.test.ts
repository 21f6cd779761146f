// The package's declarations as a user's compiler sees them.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type typescript from "typescript";
import { root } from "../support/places.ts";
import { UserProject } from "../support/user-project.ts";

/** `import` would make Node scan the whole of this large file for the names of exports. */
const ts: typeof typescript = createRequire(import.meta.url)("typescript");

const SAMPLES = join(root, "tests", "js", "package", "samples");

let project: UserProject;
before(async () => {
  project = await UserProject.make();
});
after(() => project?.remove());

/** Source files of libraries, which the programs share. Reading them takes the most time. */
const read = new Map<string, typescript.SourceFile | undefined>();

function hostOf(options: typescript.CompilerOptions): typescript.CompilerHost {
  const host = ts.createCompilerHost(options);
  const own = host.getSourceFile.bind(host);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
  host.getCurrentDirectory = () => project.directory;
  host.getSourceFile = (name, given, ...more) => {
    if (!name.includes("/node_modules/")) return own(name, given, ...more);
    const key = JSON.stringify([name, given, options.module]);
    if (!read.has(key)) read.set(key, own(name, given, ...more));
    return read.get(key);
  };
  return host;
}

/**
 * Compiles files in the user's project with the strictest settings. Fails with the compiler's
 * diagnostics.
 */
function compile(files: Readonly<Record<string, string>>, settings: Record<string, unknown>) {
  const paths = Object.entries(files).map(([file, text]) => project.write(file, text));
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // Checks the package's declarations, but not the compiler's.
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    noEmit: true,
    ...settings,
  };
  const { options, errors } = ts.convertCompilerOptionsFromJson(compilerOptions, project.directory);
  const host = hostOf(options);
  const found = [...errors, ...ts.getPreEmitDiagnostics(ts.createProgram(paths, options, host))];
  assert.equal(ts.formatDiagnostics(found, host), "");
}

/** The texts of samples, which are .ts files even if they are compiled as .cts. */
const samples = (...names: string[]) =>
  Object.fromEntries(
    names.map((file) => [file, readFileSync(join(SAMPLES, file.replace(".cts", ".ts")), "utf8")]),
  );

/** For each entry, an import, a format, and the fixed fields of a generator. */
const MAKERS = {
  sno: ["sno", "sno"],
  nanoflake: ["nanoflake", "nanoflake({ epoch: 0 })", "{ generatorId: 1 }"],
  snowflake: ["discord", "discord", "{ internalWorkerId: 1, internalProcessId: 1 }"],
  "snowflake-si": ["snowflakeSI", "snowflakeSI({ epoch: 1 })", "{ machineId: 1 }"],
  "ulid-flake": ["ulidFlake", "ulidFlake"],
} as const;

/**
 * A user's library. The compiler must infer the type of every export and write it into the
 * declarations.
 */
const library = (entry: string, [name, format, fixed = ""]: readonly string[]) =>
  `import { ${name} } from "${entry}";
export const format = ${format};
export const generator = format.generator(${fixed});
export const made = [generator.next(), generator.nextText(), generator.nextMany(2), generator.nextAsync()];
export const kept = { snapshot: generator.snapshot(), stats: generator.stats() };
export const read = { id: format.inspect(generator.next()), range: format.range(), layout: format.layout };
export const schema = { standard: format["~standard"], checked: format["~standard"].validate(1) };
export const composed = (fields: Parameters<typeof format.compose>[0]) => fields;
export const changed = (changes: Parameters<typeof format.with>[1]) => changes;
export const waiting = (options: NonNullable<Parameters<typeof generator.nextAsync>[0]>) => options.signal;
export const options = (...given: Parameters<typeof format.generator>) => given;
`;

/** A library for each entry, and one with custom layouts. */
const LIBRARIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(MAKERS).flatMap(([part, maker]) =>
      [`graupel/${part}`, `graupel/pure/${part}`].map((entry) => [entry, library(entry, maker)]),
    ),
  ),
  graupel: library("graupel", MAKERS.snowflake),
  "graupel/snowflake, own layouts": `import { mastodon, snowflake } from "graupel/snowflake";
export const own = snowflake({ epoch: 0, fields: { time: 41, region: 4, worker: 6, sequence: 12 } });
export const generator = own.generator({ region: 1, worker: 2 });
export const read = { id: own.inspect(1n), range: own.range() };
export const kept = { stats: generator.stats(), snapshot: generator.snapshot() };
export const free = mastodon.generator();
`,
};

const nodenext = { module: "nodenext", moduleResolution: "nodenext" };
const bundler = { module: "esnext", moduleResolution: "bundler" };

/** Samples that compile with only the language's own library. */
const SAMPLED = ["sample.ts", "refused.ts", "leases.ts", "branded.ts", "shapes.ts"];

// tests/everywhere/hosts/typescript.mjs compiles them in all versions and modes.
test("what must compile does, and what must not does not, as ES module and as CommonJS", () => {
  compile(samples(...SAMPLED), bundler);
  compile(samples(...SAMPLED.map((file) => file.replace(".ts", ".cts"))), nodenext);
});

test("declarations of a library that imports one entry", () => {
  // Each in a separate program: the imports of another file could lead the compiler to types that
  // this entry lacks.
  for (const text of Object.values(LIBRARIES))
    compile({ "library.ts": text }, { ...nodenext, declaration: true });
});

test("signals of the DOM's library and of Node's declarations", () => {
  compile(samples("signals.ts"), { ...bundler, lib: ["es2022", "dom"] });
  const typeRoots = [join(root, "node_modules", "@types")];
  // Node's declarations are not part of the package, so no declarations are checked here.
  compile(samples("signals.ts"), { ...nodenext, types: ["node"], typeRoots, skipLibCheck: true });
});

test("leases that end with their block", () => {
  compile(samples("disposed.ts", "leases.ts"), { ...nodenext, lib: ["es2022", "esnext.disposable"] });
});

test("no declaration has a BigInt literal, which compilers for less than ES2020 refuse", () => {
  const files = (readdirSync(project.installed, { recursive: true }) as string[]).filter((file) =>
    /\.d\.c?ts$/.test(file),
  );
  assert.ok(files.length > 90);
  for (const file of files) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(project.installed, file), "utf8"),
      ts.ScriptTarget.ES2022,
    );
    const check = (node: typescript.Node): void => {
      assert.ok(!ts.isBigIntLiteral(node), `${file}: ${node.getText(source)}`);
      ts.forEachChild(node, check);
    };
    check(source);
  }
});
