// The declarations of the package as a user's compiler sees them, for each way of finding modules.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
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

/** The language's libraries, which programs of one compiler share: reading them takes longer than all the rest. */
const libraries = new Map<string, typescript.SourceFile | undefined>();

function hostOf(ts: Compiler, options: typescript.CompilerOptions): typescript.CompilerHost {
  const host = ts.createCompilerHost(options);
  const own = host.getSourceFile.bind(host);
  // As tsc does. The oldest compiler always reads the comments.
  host.jsDocParsingMode = ts.JSDocParsingMode?.ParseForTypeErrors;
  host.getCurrentDirectory = () => project.directory;
  host.getSourceFile = (name, ...more) => {
    if (!/[/]lib[.][^/]*d[.]ts$/.test(name)) return own(name, ...more);
    if (!libraries.has(name)) libraries.set(name, own(name, ...more));
    return libraries.get(name);
  };
  return host;
}

/** Compiles samples in the user's project, as strictly as can be; fails with what the compiler says. */
function compile(ts: Compiler, files: readonly string[], settings: Record<string, unknown>) {
  // A sample is a .ts file, whatever it is compiled as.
  const paths = files.map((file) =>
    project.write(file, readFileSync(join(SAMPLES, file.replace(".cts", ".ts")), "utf8")),
  );
  const compilerOptions = {
    target: "es2022",
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // The package's own declarations are in question too, but not the compiler's.
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

const current = compiler("typescript");
const COMPILERS = { "TypeScript 5.0": compiler("typescript-5.0"), TypeScript: current };
const MODES = {
  node16: { module: "node16", moduleResolution: "node16" },
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};
/** Resolution without `exports`, which the current compiler calls deprecated. */
const NODE10 = { module: "commonjs", moduleResolution: "node10" };

for (const [title, ts] of Object.entries(COMPILERS)) {
  describe(`${title}: what must compile does, what must not does not`, () => {
    for (const [name, mode] of Object.entries(MODES)) {
      test(`${name}, with nothing but the language's own library`, () => {
        compile(ts, ["sample.ts", "refused.ts"], { ...mode, lib: ["es2022"] });
      });
    }

    test("node16, as CommonJS", () => {
      compile(ts, ["sample.cts", "refused.cts"], { ...MODES.node16, lib: ["es2022"] });
    });

    test("node10", () => {
      const quiet = ts === current ? { ignoreDeprecations: "6.0" } : {};
      compile(ts, ["sample.ts", "refused.ts"], { ...NODE10, ...quiet, lib: ["es2022"] });
    });

    test("signals of the DOM's library", () => {
      compile(ts, ["signals.ts"], { ...MODES.bundler, lib: ["es2022", "dom"] });
    });
  });
}

test("signals of Node's declarations", () => {
  const typeRoots = [join(root, "node_modules", "@types")];
  // Node's declarations are not the package's: with them, no declaration is checked.
  const node = { ...MODES.nodenext, lib: ["es2022"], types: ["node"], typeRoots, skipLibCheck: true };
  compile(current, ["signals.ts"], node);
});
