/**
 * The peer dependencies of entries: their versions, that entries import nothing else, and the error
 * if one is missing.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { entriesOf, packageDirectory, root } from "../support/places.ts";
import { run, UserProject } from "../support/user-project.ts";

type Names = Readonly<Record<string, string>>;

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const { peerDependencies: peers } = readJson(join(packageDirectory, "package.json")) as {
  readonly peerDependencies: Names;
};

const FILES = entriesOf(packageDirectory);
const ENTRIES = [...FILES].map(([entry, files]) => ({ entry, ...files }));
/** Entries that take a format. They have no counterpart in `graupel/pure`. */
const WITHOUT_CORE = ENTRIES.filter(
  ({ entry }) => !/^graupel(\/pure|$)/.test(entry) && !FILES.has(entry.replace("graupel", "graupel/pure")),
);

/** The packages that a program or a declaration file imports. */
function importedBy(file: string): string[] {
  const text = readFileSync(join(packageDirectory, file), "utf8").replace(/^\s*(\*|\/\*|\/\/).*$/gm, "");
  const names = [
    ...text.matchAll(/(?:\bfrom |\bimport |\bimport\(|\brequire\()"((?:@[\w.-]+\/)?[\w.-]+)[^"]*"/g),
  ].map(([, name = ""]) => name);
  return [...new Set(names.filter((name) => /^[@\w]/.test(name)))].sort();
}

/** The lists of entries that run on every host. */
const { ALONE, WITH_PEER } = (await import(
  pathToFileURL(join(root, "tests", "everywhere", "entries.mjs")).href
)) as {
  readonly ALONE: Readonly<Record<string, unknown>>;
  readonly WITH_PEER: Readonly<Record<string, { readonly peer: string }>>;
};

/** The entries for another package, and whether their program imports it. */
const ASKING = ENTRIES.flatMap(({ entry, module }) => {
  const peer = WITH_PEER[entry.replace("graupel/", "")]?.peer;
  return peer === undefined ? [] : [{ entry, peer, inProgram: importedBy(module).includes(peer) }];
});

test("no version of a peer conflicts with the package, prereleases included", () => {
  assert.deepEqual([...new Set(Object.values(peers))], ["*"]);
});

describe("imports", () => {
  test("programs and declarations import nothing but peers", () => {
    const files = (readdirSync(join(packageDirectory, "dist"), { recursive: true }) as string[]).filter(
      (file) => /\.(c?js|d\.c?ts)$/.test(file) && !/^(cli\/|graupel\.global)/.test(file),
    );
    assert.ok(files.length > 4 * WITHOUT_CORE.length);
    const imported = files.flatMap((file) => importedBy(join("dist", file)).map((name) => [file, name]));
    assert.deepEqual(
      imported.filter(([, name = ""]) => !(name in peers)),
      [],
    );
    // Every listed peer must be used.
    assert.deepEqual([...new Set(ASKING.map(({ peer }) => peer))].sort(), Object.keys(peers).sort());
  });

  test("the program of an entry has the user's copy, by import and by require", () => {
    for (const { module, commonJs } of ENTRIES) {
      assert.deepEqual(importedBy(commonJs), importedBy(module), module);
    }
    assert.deepEqual(importedBy("./dist/zod.cjs"), ["zod"]);
  });

  test("an entry that is given a format brings no core, and no other file but that of all refusals", () => {
    for (const { entry, module, commonJs } of WITHOUT_CORE) {
      for (const file of [module, commonJs]) {
        const text = readFileSync(join(packageDirectory, file), "utf8");
        assert.doesNotMatch(
          text,
          /\bnew WebAssembly\b|(\bfrom |\bimport |\brequire\()"\.(?!\.?\/shared\/refusals\.c?js")/,
          `${entry}: ${file}`,
        );
      }
    }
  });

  test("each entry is checked in every host, beside the package that it imports", () => {
    const own = WITHOUT_CORE.filter(({ entry }) => !/^graupel\/(facts|lease)/.test(entry));
    const listed = [...Object.keys(ALONE), ...Object.keys(WITH_PEER)].map((name) => `graupel/${name}`);
    assert.deepEqual(listed.sort(), own.map(({ entry }) => entry).sort());
    for (const { entry, module, types } of WITHOUT_CORE) {
      const asked = ASKING.filter((one) => one.entry === entry).map(({ peer }) => peer);
      for (const name of [...importedBy(module), ...importedBy(types)]) {
        assert.ok(asked.includes(name), `${entry} imports ${name}`);
      }
    }
  });
});

test("an entry beside a version without what it needs can be imported, and refuses when it is used", async () => {
  const project = await UserProject.make();
  try {
    const zod = join("node_modules", "zod");
    project.write(join(zod, "package.json"), '{ "name": "zod", "type": "module", "exports": "./index.js" }');
    project.write(join(zod, "index.js"), "export const z = { string() {}, bigint() {} };");
    const program = `import { codec } from "graupel/zod";
import { twitter } from "graupel/snowflake";
try { codec(twitter); } catch ({ message }) { console.log(message); }`;
    const command = [process.execPath, "--input-type=module", "--eval", program];
    const { stdout } = await run(command, project.directory);
    assert.match(stdout, /^graupel\/zod works with zod >=4\.1\.0: npm install zod@4 \[PEER\]$/m);
  } finally {
    project.remove();
  }
});

describe("if the package of an entry is missing, Node's error names it", () => {
  let project: UserProject;
  before(async () => {
    project = await UserProject.make();
  });
  after(() => project?.remove());

  for (const { entry, peer } of ASKING.filter(({ inProgram }) => inProgram))
    test(`${entry} without ${peer}`, async () => {
      for (const [kind, load] of [
        ["module", "await import"],
        ["commonjs", "require"],
      ]) {
        const program = ["--eval", `${load}("${entry}")`];
        const command = [process.execPath, `--input-type=${kind}`, ...program];
        const { code, stderr } = await run(command, project.directory);
        assert.equal(code, 1);
        assert.match(stderr, new RegExp(`Cannot find (?:module|package) '${peer}[/']`), kind);
      }
    });
});
