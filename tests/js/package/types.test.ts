// The package's declarations as a user's compiler sees them, for each kind of module resolution.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type typescript from "typescript";
import { type Compiler, compiler } from "../support/compiler.ts";
import { root } from "../support/places.ts";
import { UserProject } from "../support/user-project.ts";

const SAMPLES = join(root, "tests", "js", "package", "samples");

let project: UserProject;
before(async () => {
  project = await UserProject.make();
});
after(() => project?.remove());

/**
 * Source files that programs with the same settings share, except the samples. Reading them takes
 * longer than everything else.
 */
const read = new Map<string, typescript.SourceFile | undefined>();

function hostOf(ts: Compiler, options: typescript.CompilerOptions): typescript.CompilerHost {
  const host = ts.createCompilerHost(options);
  const own = host.getSourceFile.bind(host);
  // Like tsc. The oldest compiler always parses the comments.
  host.jsDocParsingMode = ts.JSDocParsingMode?.ParseForTypeErrors;
  host.getCurrentDirectory = () => project.directory;
  host.getSourceFile = (name, given, ...more) => {
    if (!name.includes("/node_modules/")) return own(name, given, ...more);
    const key = JSON.stringify([ts.version, name, given, options.module, options.moduleResolution]);
    if (!read.has(key)) read.set(key, own(name, given, ...more));
    return read.get(key);
  };
  return host;
}

/**
 * Compiles files in the user's project with the strictest settings. Fails with the compiler's
 * diagnostics.
 */
function compile(ts: Compiler, files: Readonly<Record<string, string>>, settings: Record<string, unknown>) {
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
  const host = hostOf(ts, options);
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

const current = compiler("typescript");
const node16 = { module: "node16", moduleResolution: "node16" };
const nodenext = { module: "nodenext", moduleResolution: "nodenext" };
const bundler = { module: "esnext", moduleResolution: "bundler" };
/** Resolution without `exports`, which the current compiler deprecates. */
const node10 = { module: "commonjs", moduleResolution: "node10" };

/**
 * For the older compiler, `nodenext` means `node16`. tests/everywhere/hosts/typescript.mjs tests
 * more versions and modes, and all entries with their peers.
 */
const COMPILERS = {
  "TypeScript 5.0": { ts: compiler("typescript-5.0"), modes: { node10, node16, bundler } },
  TypeScript: {
    ts: current,
    modes: { node10: { ...node10, ignoreDeprecations: "6.0" }, nodenext, bundler },
  },
};

/** Samples that compile with only the language's own library. */
const SAMPLED = ["sample.ts", "refused.ts", "leases.ts", "branded.ts", "shapes.ts"];
const AS_COMMONJS = SAMPLED.map((file) => file.replace(".ts", ".cts"));

for (const [title, { ts, modes }] of Object.entries(COMPILERS)) {
  describe(`${title}: what must compile does, what must not does not`, () => {
    for (const [name, mode] of Object.entries(modes)) {
      test(`${name}, with nothing but the language's own library`, () =>
        compile(ts, samples(...SAMPLED), mode));

      test(`${name}, declarations of a library that imports one entry`, () => {
        // Each in a separate program: the imports of another file could lead the compiler to types
        // that this entry lacks.
        for (const text of Object.values(LIBRARIES))
          compile(ts, { "library.ts": text }, { ...mode, declaration: true });
      });
    }

    test("node16, as CommonJS", () => compile(ts, samples(...AS_COMMONJS), node16));

    test("signals of the DOM's library", () =>
      compile(ts, samples("signals.ts"), { ...bundler, lib: ["es2022", "dom"] }));
  });
}

for (const [name, mode] of Object.entries({ node16, nodenext, bundler }))
  test(`${name}: leases that end with their block, and the library that knows of it`, () => {
    const lib = ["es2022", "esnext.disposable"];
    compile(current, samples("disposed.ts", "leases.ts"), { ...mode, lib });
  });

test("no declaration has a BigInt literal, which compilers for less than ES2020 refuse", () => {
  const files = (readdirSync(project.installed, { recursive: true }) as string[]).filter((file) =>
    /\.d\.c?ts$/.test(file),
  );
  assert.ok(files.length > 90);
  for (const file of files) {
    const source = current.createSourceFile(
      file,
      readFileSync(join(project.installed, file), "utf8"),
      current.ScriptTarget.ES2022,
    );
    const check = (node: typescript.Node): void => {
      assert.ok(!current.isBigIntLiteral(node), `${file}: ${node.getText(source)}`);
      current.forEachChild(node, check);
    };
    check(source);
  }
});

test("signals of Node's declarations", () => {
  const typeRoots = [join(root, "node_modules", "@types")];
  // Node's declarations are not part of the package, so no declarations are checked here.
  compile(current, samples("signals.ts"), { ...nodenext, types: ["node"], typeRoots, skipLibCheck: true });
});
