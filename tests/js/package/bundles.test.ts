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
  /** Each bundler, which writes a file of `folder`. */
  const BUNDLERS: Readonly<Record<string, (folder: string, file: string) => Promise<unknown>>> = {
    esbuild: (folder, file) =>
      esbuild.build({
        entryPoints: [entry],
        bundle: true,
        minify: true,
        format: "esm",
        outfile: join(folder, file),
      }),
    async rollup(folder, file) {
      // Rollup cannot resolve packages by itself; this does what its plug-in does.
      const entries = entriesOf(project.installed);
      const resolveId = (id: string) => {
        const files = entries.get(id);
        return files === undefined ? null : join(project.installed, files.module);
      };
      const onwarn = (warning: { message: string }) => assert.fail(warning.message);
      const bundle = await rollup({ input: entry, plugins: [{ name: "packages", resolveId }], onwarn });
      await bundle.write({ file: join(folder, file), format: "es" });
      await bundle.close();
    },
    async webpack(path, filename) {
      const compiler = webpack({
        mode: "production",
        context: project.directory,
        entry,
        target: ["web", "es2022"],
        output: { path, filename },
      });
      const stats = await new Promise<webpack.Stats | undefined>((done, fail) => {
        compiler?.run((error, result) => (error ? fail(error) : done(result)));
      });
      const { errors, warnings } = stats?.toJson({ errors: true, warnings: true }) ?? {};
      assert.deepEqual([errors, warnings], [[], []]);
    },
    vite: (outDir, entryFileNames) =>
      vite({
        root: project.directory,
        configFile: false,
        logLevel: "error",
        build: {
          outDir,
          emptyOutDir: true,
          modulePreload: false,
          rollupOptions: { input: entry, output: { entryFileNames } },
        },
      }),
  };
  for (const [name, bundle] of Object.entries(BUNDLERS)) {
    test(name, async (t) => {
      // Outside the project, so that an import that was not bundled fails.
      const folder = join(dirname(project.directory), "bundles", name);
      await bundle(folder, "bundle.mjs");
      const file = join(folder, "bundle.mjs");
      const code = readFileSync(file);
      assert.doesNotMatch(code.toString(), /import\.meta/);
      t.diagnostic(`${code.length} bytes, ${gzipSync(code, { level: 9 }).length} with gzip`);
      assert.equal((await node(project.directory, file)).trim(), "valid 16");
    });
  }

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
