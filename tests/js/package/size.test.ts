/**
 * The size of the package in a browser bundle. Each entry with all its exports, bundled, minified
 * and compressed, must be within its budget in package.json, in bytes. An entry that takes a format
 * is measured by what it adds to a page that has a format; peer dependencies do not count. The
 * budgets are a little above the sizes. If a size shrinks, lower its budget.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { sno } from "graupel/sno";
import { entriesOf, packageDirectory, root, testsJs } from "../support/places.ts";
import { replace } from "../support/replace.ts";
import { tarball } from "../support/user-project.ts";

const manifest = (directory: string) => JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
const { budgets } = manifest(root) as { budgets: Record<string, number> };
const { peerDependencies } = manifest(packageDirectory) as { peerDependencies: Record<string, string> };

const entries = [...entriesOf(packageDirectory).keys()];

const compressed = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }).length;

/** Most programs need nothing else from `graupel/lease`. */
const LEASE = 'export { lease } from "graupel/lease";';

/** The usual imports of a bot or a page that reads IDs. */
const READ = 'export { discord, timestamp } from "graupel/read";';

/** A page that uses all exports of an entry. */
const allOf = (entry: string) => `export * from "${entry}";`;

/**
 * Whether an entry takes a format. All entries without a core do, except `graupel/facts` and
 * `graupel/read`.
 */
const isGivenFormat = (entry: string) =>
  !/^graupel(\/(pure|facts|read)|$)/.test(entry) &&
  !entries.includes(entry.replace("graupel", "graupel/pure"));

/** The rest of a page with such an entry: a format and, for a lease store, a lease. */
const beside = (entry: string) =>
  entry.startsWith("graupel/lease/") ? allOf("graupel/snowflake") + LEASE : allOf("graupel/snowflake");

/** The bundled program of a page. */
async function pageOf(contents: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: testsJs },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    external: Object.keys(peerDependencies),
  });
  assert.equal(outputFiles.length, 1);
  return outputFiles[0]?.contents as Uint8Array;
}

/** The number of bytes that an entry adds to a page that already has the rest. */
async function added(entry: string, contents = allOf(entry)): Promise<number> {
  const [page, without] = [await pageOf(beside(entry) + contents), await pageOf(beside(entry))];
  // An empty bundle would fit any budget.
  assert.ok(page.length > without.length + 10, `${entry} adds ${page.length - without.length} bytes`);
  return compressed(page) - compressed(without);
}

/** Budgets for other things than entries. */
const OTHERS: Readonly<Record<string, () => number | Promise<number>>> = {
  // The package as it is downloaded, and as installed.
  "package, packed": () => readFileSync(tarball()).length,
  "package, installed": () =>
    readdirSync(packageDirectory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0),
  "WebAssembly module": () => {
    let module = new Uint8Array();
    const construct: ProxyHandler<typeof WebAssembly.Module>["construct"] = (target, [bytes]) => {
      module = bytes;
      return new target(bytes);
    };
    const restore = replace([WebAssembly, "Module", new Proxy(WebAssembly.Module, { construct })]);
    sno.next();
    restore();
    return compressed(module);
  },
  // For pages without a bundler: a whole file, already minified.
  "dist/graupel.global.js": () => compressed(readFileSync(join(packageDirectory, "dist/graupel.global.js"))),
  "lease of graupel/lease": () => added("graupel/lease", LEASE),
  "timestamp of discord, of graupel/read": async () => compressed(await pageOf(READ)),
};

test("every entry has a budget, and so have the package, the module that all share, and the file for pages", () => {
  assert.deepEqual(Object.keys(budgets).sort(), [...entries, ...Object.keys(OTHERS)].sort());
});

for (const [name, budget] of Object.entries(budgets)) {
  test(`${name} is within its ${budget} bytes`, async (t) => {
    const ofEntry = async () => (isGivenFormat(name) ? added(name) : compressed(await pageOf(allOf(name))));
    const size = await (OTHERS[name] ?? ofEntry)();
    t.diagnostic(`${name}: ${size} of ${budget} bytes`);
    assert.ok(isGivenFormat(name) || size > 1000, `${size} bytes cannot be all of it`);
    assert.ok(
      size <= budget,
      `${size} bytes are ${size - budget} over the budget of ${name}, in package.json`,
    );
  });
}

test("of the formats that are not used nothing is left, and nothing asks where the file is", async () => {
  const bundle = async (entry: string) =>
    String(Buffer.from(await pageOf(`import { twitter } from "${entry}"; console.log(twitter.parse("1"));`)));
  const [all, own] = [await bundle("graupel"), await bundle("graupel/snowflake")];
  assert.match(own, /workerId/);
  const others = ["wallHi", "entropySize", "sequenceResetThreshold", "reference-24", "mastodon"];
  for (const word of [...others, "import.meta"]) assert.ok(!all.includes(word) && !own.includes(word), word);
  assert.equal(all.length, own.length);
});

test("an import that is not used leaves nothing behind", async () => {
  for (const name of entries) {
    const page = await pageOf(`import * as unused from "${name}";`);
    assert.equal(String(Buffer.from(page)), "", name);
  }
});
