// The declarations of the package as a user's compiler sees them, for each way of finding modules.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { root } from "../support/places.ts";
import { run, tool, UserProject } from "../support/user-project.ts";

const sample = join(root, "tests", "js", "package", "samples", "sample.ts");

let project: UserProject;
before(async () => {
  project = await UserProject.make();
});
after(() => project?.remove());

describe("types, checked as strictly as can be, the package's own included", () => {
  const settings = {
    node16: { module: "node16", moduleResolution: "node16" },
    nodenext: { module: "nodenext", moduleResolution: "nodenext" },
    bundler: { module: "esnext", moduleResolution: "bundler" },
  };
  for (const [name, setting] of Object.entries(settings)) {
    test(name, async () => {
      const compilerOptions = {
        ...setting,
        target: "es2022",
        lib: ["es2022", "dom"],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        // Of the declarations outside the sample, the package's own are in question, not the compiler's.
        skipDefaultLibCheck: true,
        noEmit: true,
      };
      project.write("sample.ts", readFileSync(sample, "utf8"));
      const config = JSON.stringify({ compilerOptions, files: ["sample.ts"] });
      const file = project.write(`tsconfig.${name}.json`, config);
      const tsc = tool("typescript", "bin", "tsc");
      const result = await run([...tsc, "--project", file, "--pretty", "false"], project.directory);
      assert.equal(result.stdout, "");
      assert.equal(result.code, 0, result.stderr);
    });
  }
});
