// The declarations of the package as a user's compiler sees them, for each way of finding modules.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { root } from "../support/places.ts";
import { run, tool, UserProject } from "../support/user-project.ts";

const SAMPLES = join(root, "tests", "js", "package", "samples");

let project: UserProject;
before(async () => {
  project = await UserProject.make();
});
after(() => project?.remove());

/** Compiles samples in the user's project, as strictly as can be; fails with what the compiler says. */
async function compile(compiler: string, files: readonly string[], settings: Record<string, unknown>) {
  // A sample is a .ts file, whatever it is compiled as.
  for (const file of files)
    project.write(file, readFileSync(join(SAMPLES, file.replace(".cts", ".ts")), "utf8"));
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
  const config = project.write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
  const tsc = tool(compiler, "bin", "tsc");
  const result = await run([...tsc, "--project", config, "--pretty", "false"], project.directory);
  assert.equal(result.stdout, "");
  assert.equal(result.code, 0, result.stderr);
}

/** The oldest compiler that the package supports, and the current one. */
const COMPILERS = { "TypeScript 5.0": "typescript-5.0", TypeScript: "typescript" };
const MODES = {
  node16: { module: "node16", moduleResolution: "node16" },
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};
/** Resolution without `exports`, which the current compiler calls deprecated. */
const NODE10 = { module: "commonjs", moduleResolution: "node10" };

for (const [title, compiler] of Object.entries(COMPILERS)) {
  describe(`${title}: what must compile does, what must not does not`, () => {
    for (const [name, mode] of Object.entries(MODES)) {
      test(`${name}, with nothing but the language's own library`, async () => {
        await compile(compiler, ["sample.ts", "refused.ts"], { ...mode, lib: ["es2022"] });
      });
    }

    test("node16, as CommonJS", async () => {
      await compile(compiler, ["sample.cts", "refused.cts"], { ...MODES.node16, lib: ["es2022"] });
    });

    test("node10", async () => {
      const quiet = compiler === "typescript" ? { ignoreDeprecations: "6.0" } : {};
      await compile(compiler, ["sample.ts", "refused.ts"], { ...NODE10, ...quiet, lib: ["es2022"] });
    });

    test("signals of the DOM's library", async () => {
      await compile(compiler, ["signals.ts"], { ...MODES.bundler, lib: ["es2022", "dom"] });
    });
  });
}

test("signals of Node's declarations", async () => {
  const typeRoots = [join(root, "node_modules", "@types")];
  // Node's declarations are not the package's: with them, no declaration is checked.
  const node = { ...MODES.nodenext, lib: ["es2022"], types: ["node"], typeRoots, skipLibCheck: true };
  await compile("typescript", ["signals.ts"], node);
});
