// The package in bundlers: a bundle must run, and contain only what is used.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import { build as vite } from "vite";
import webpack from "webpack";
import { entriesOf } from "../support/places.ts";
import { node, UserProject } from "../support/user-project.ts";

let project: UserProject;
before(async () => {
  project = await UserProject.make();
});
after(() => project?.remove());

describe("bundling a program with one entry, and running it", () => {
  const PROGRAM = `
    import { sno } from "graupel/sno";
    const id = sno.next();
    console.log(sno.isValid(id) ? "valid" : "invalid", id.length);
  `;
  let entry: string;
  before(() => {
    entry = project.write("program.js", PROGRAM);
  });
  /** Outside the project, so that an import that was not bundled fails. */
  const bundleIn = (name: string) => join(dirname(project.directory), "bundles", name);

  async function check(t: { diagnostic(line: string): void }, file: string) {
    const code = readFileSync(file);
    assert.doesNotMatch(code.toString(), /import\.meta/);
    t.diagnostic(`${code.length} bytes, ${gzipSync(code, { level: 9 }).length} with gzip`);
    assert.equal((await node(project.directory, file)).trim(), "valid 16");
  }

  test("esbuild", async (t) => {
    const outfile = bundleIn("esbuild.mjs");
    await esbuild.build({ entryPoints: [entry], bundle: true, minify: true, format: "esm", outfile });
    await check(t, outfile);
  });

  test("rollup", async (t) => {
    // Rollup cannot resolve packages by itself; this does what its plug-in does.
    const entries = entriesOf(project.installed);
    const packages = {
      name: "packages",
      resolveId: (id: string) => {
        const files = entries.get(id);
        return files === undefined ? null : join(project.installed, files.module);
      },
    };
    const file = bundleIn("rollup.mjs");
    const bundle = await rollup({
      input: entry,
      plugins: [packages],
      onwarn: (warning) => assert.fail(warning.message),
    });
    await bundle.write({ file, format: "es" });
    await bundle.close();
    await check(t, file);
  });

  test("webpack", async (t) => {
    const file = bundleIn("webpack.mjs");
    const compiler = webpack({
      mode: "production",
      context: project.directory,
      entry,
      target: ["web", "es2022"],
      output: { path: bundleIn("."), filename: "webpack.mjs" },
    });
    const stats = await new Promise<webpack.Stats | undefined>((done, fail) => {
      compiler?.run((error, result) => (error ? fail(error) : done(result)));
    });
    assert.deepEqual(stats?.toJson({ errors: true, warnings: true }).errors, []);
    assert.deepEqual(stats?.compilation.warnings, []);
    await check(t, file);
  });

  test("vite", async (t) => {
    await vite({
      root: project.directory,
      configFile: false,
      logLevel: "error",
      build: {
        outDir: bundleIn("vite"),
        emptyOutDir: true,
        modulePreload: false,
        rollupOptions: { input: entry, output: { entryFileNames: "vite.mjs" } },
      },
    });
    await check(t, bundleIn(join("vite", "vite.mjs")));
  });

  test("of the formats that are not used nothing is left", async () => {
    const bundle = async (entry: string) => {
      const contents = `import { twitter } from "${entry}"; console.log(twitter.parse("1"));`;
      const { outputFiles } = await esbuild.build({
        stdin: { contents, resolveDir: project.directory },
        bundle: true,
        minify: true,
        format: "esm",
        write: false,
      });
      return outputFiles[0]?.text ?? "";
    };
    const [all, own] = [await bundle("graupel"), await bundle("graupel/snowflake")];
    assert.match(own, /workerId/);
    for (const word of ["wallHi", "entropySize", "sequenceResetThreshold", "reference-24", "mastodon"]) {
      assert.ok(!all.includes(word) && !own.includes(word), word);
    }
    assert.equal(all.length, own.length);
  });

  test("an import that is not used leaves nothing behind", async () => {
    project.addPeers();
    const entries = entriesOf(project.installed);
    assert.ok(entries.size > 1);
    for (const name of entries.keys()) {
      const { outputFiles } = await esbuild.build({
        stdin: { contents: `import * as unused from "${name}";`, resolveDir: project.directory },
        bundle: true,
        // It is for servers, whose modules esbuild does not find.
        external: ["sequelize"],
        format: "esm",
        write: false,
        logLevel: "silent",
      });
      assert.equal(outputFiles[0]?.text.replace(/^\s*\/\/.*$/gm, "").trim(), "", name);
    }
  });
});
