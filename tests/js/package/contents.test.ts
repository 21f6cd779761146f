// The package as a user gets it: the real tarball, installed into an empty project.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { transform } from "esbuild";
import { publint } from "publint";
import { ScriptTarget, transpile } from "typescript";
import { type FormatFacts, facts } from "../support/make.ts";
import { entriesOf, root } from "../support/places.ts";
import { node, npmProgram, output, run, tarball, tool, UserProject } from "../support/user-project.ts";
import exports from "./exports.json" with { type: "json" };

const FORMATS = Object.values(facts);

/**
 * The names that an entry exports for some formats. A second layout of a format has no name of its
 * own.
 */
const namesOf = (formats: readonly FormatFacts[]) => [...new Set(formats.map((one) => one.export))].sort();

/** The entries with the WebAssembly core, and their exports at run time. */
const WEBASSEMBLY: Readonly<Record<string, readonly string[]>> = {
  graupel: ["GraupelError", "identify", ...namesOf(FORMATS)].sort(),
  ...Object.fromEntries(
    FORMATS.map(({ entry }) => [entry, namesOf(FORMATS.filter((one) => one.entry === entry))]),
  ),
};

/**
 * The entries without a core, and their exports. `graupel/read` also exports the formats' names.
 */
const WITHOUT_CORE: Readonly<Record<string, readonly string[]>> = {
  ...exports,
  "graupel/read": [
    ...["GraupelError", "inspect", "isValid", "parse", "range", "timestamp", "withEpoch"],
    ...namesOf(FORMATS),
  ].sort(),
};

/**
 * All entries. `graupel/pure` has the entries with a core, with the JavaScript core instead.
 * Nothing else is published.
 */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  ...WITHOUT_CORE,
  ...Object.fromEntries(
    Object.entries(WEBASSEMBLY).flatMap(([entry, names]) => [
      [entry, names],
      [entry.replace("graupel", "graupel/pure"), names],
    ]),
  ),
};

const quiet = join(root, "tests", "js", "package", "samples", "quiet.mjs");

let project: UserProject;
before(async () => {
  project = await UserProject.install();
});
after(() => project?.remove());

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));

describe("what is in the tarball", () => {
  let files: string[];
  before(async () => {
    files = (await output(["tar", "-tzf", tarball()], root)).trim().split("\n").sort();
  });
  const text = (file: string) => readFileSync(file.replace(/^package/, project.installed), "utf8");

  test("only code, declarations, papers, and a package.json at the path of each entry for old resolvers", () => {
    const stubs = Object.keys(ENTRIES)
      .filter((entry) => entry !== "graupel")
      .map((entry) => `${entry.replace("graupel", "package")}/package.json`);
    const papers = ["package/LICENSE", "package/README.md", "package/package.json"];
    const others = files.filter((file) => !file.startsWith("package/dist/"));
    assert.deepEqual(others, [...papers, ...stubs].sort());
    const inDist = files.filter((file) => file.startsWith("package/dist/"));
    assert.deepEqual(
      inDist.filter((file) => !/\.(c?js|d\.c?ts)$/.test(file) || /\/(demo|tests?|spec)\b/.test(file)),
      [],
    );
  });

  test("declarations: once, only what an entry leads to, and nothing of the rooms inside", () => {
    const declarations = files.filter((file) => file.endsWith(".d.cts"));
    assert.deepEqual(
      declarations.filter((file) =>
        /\/(core|verbs|generator|cli)\/|\/(checks|sno\/(schema|generator))\.d\.cts$/.test(file),
      ),
      [],
    );
    const leadsTo = (file: string) =>
      [...text(file).matchAll(/"(\.\.?\/[^"]+)\.cjs"/g)].map(([, path = ""]) =>
        join(file, "..", `${path}.d.cts`),
      );
    const reached = new Set(
      [...entriesOf(project.installed).values()].map(({ types }) => join("package", types)),
    );
    for (const file of reached) for (const other of leadsTo(file)) reached.add(other);
    assert.deepEqual(declarations, [...reached].sort());
    for (const file of files.filter((name) => name.endsWith(".d.ts"))) {
      // The types of another package differ between the kinds of modules.
      const own = text(file.replace(/ts$/, "cts"));
      if (/^import .* from "[^.]/m.test(own)) assert.equal(text(file), own);
      else assert.match(text(file), /^export \* from "\.[^"]+\.cjs";\n$/, file);
    }
  });

  test("nothing about the machine that built it: no path, npm's own date, and fixed modes", async () => {
    assert.deepEqual(
      files.filter((file) => text(file).includes(root)),
      [],
    );
    const listed = (await output(["tar", "--utc", "-tvzf", tarball()], root)).trim().split("\n");
    for (const line of listed)
      assert.match(line, /^-rw(-r--r--|xr-xr-x) 0\/0 +\d+ 1985-10-26 08:15 package\//);
  });

  test("only with a repository, the README has relative links", () => {
    const { repository } = readJson(join(project.installed, "package.json"));
    const readme = text("package/README.md").replace(/```[\s\S]*?^```/gm, "");
    const isRelative = /\]\((?![a-z]+:|#)|\b(?:src|href)="/;
    assert.equal(isRelative.test(readme), repository !== undefined);
    assert.match(readme, /www\/docs\/errors\.md/);
  });

  test("the module stands in it once for each kind of file", () => {
    // No other code has thousands of characters without a space.
    const found = files.filter((file) => /\.c?js$/.test(file) && /"[!#-~]{4000}/.test(text(file)));
    assert.deepEqual(found, ["package/dist/shared/webassembly.cjs", "package/dist/shared/webassembly.js"]);
  });
});

describe("the manifest", () => {
  test("no dependencies, only peers that are optional, no scripts on installation", () => {
    const manifest = readJson(join(project.installed, "package.json"));
    for (const kind of ["dependencies", "optionalDependencies", "bundleDependencies"]) {
      assert.equal(manifest[kind], undefined, kind);
    }
    const optional = Object.keys(manifest.peerDependencies).map((name) => [name, { optional: true }]);
    assert.deepEqual(manifest.peerDependenciesMeta, Object.fromEntries(optional));
    for (const field of ["scripts", "devDependencies", "workspaces", "budgets", "private"]) {
      assert.equal(manifest[field], undefined, field);
    }
    // npm must not publish the repository's manifest, which lacks what the build adds.
    assert.equal(readJson(join(root, "package.json")).private, true);
    const installed = readdirSync(join(project.directory, "node_modules")).filter(
      (name) => !/^\./.test(name),
    );
    assert.deepEqual(installed, ["graupel"]);
  });

  test("the entries are those that are tested here", () => {
    assert.deepEqual([...entriesOf(project.installed).keys()].sort(), Object.keys(ENTRIES).sort());
  });

  test("one version everywhere", () => {
    const { version } = readJson(join(project.installed, "package.json"));
    const cargo = readFileSync(join(root, "Cargo.toml"), "utf8");
    const lock = readFileSync(join(root, "Cargo.lock"), "utf8");
    assert.equal(/\[workspace\.package\]\nversion = "(.+)"/.exec(cargo)?.[1], version);
    assert.equal(/name = "graupel"\nversion = "(.+)"/.exec(lock)?.[1], version);
    assert.equal(readJson(join(root, "package-lock.json")).version, version);
  });

  test("publint has nothing to say", async () => {
    const { messages } = await publint({ pkgDir: project.installed, strict: true, pack: false });
    assert.deepEqual(messages, []);
  });

  test("attw finds the types of every entry", async () => {
    const attw = tool("@arethetypeswrong", "cli", "dist", "index.js");
    const flags = ["--no-definitely-typed", "--format", "ascii", "--no-color"];
    const result = await run([...attw, ...flags, tarball()], root);
    assert.equal(result.code, 0, result.stdout + result.stderr);
  });
});

describe("loading", () => {
  before(() => project.addPeers());

  test("import and require of each entry, in a thread of its own, which has loaded nothing else", async () => {
    const alone = `
      const { parentPort, workerData: entry } = require("node:worker_threads");
      const required = Object.keys(require(entry)).sort();
      import(entry).then((imported) => parentPort.postMessage([Object.keys(imported).sort(), required]));
    `;
    const program = `
      const { once } = require("node:events");
      const { Worker } = require("node:worker_threads");
      (async () => {
        const found = {};
        for (const entry of ${JSON.stringify(Object.keys(ENTRIES))}) {
          const thread = new Worker(${JSON.stringify(alone)}, { eval: true, execArgv: [], workerData: entry });
          [found[entry]] = await once(thread, "message");
        }
        console.log(JSON.stringify(found));
      })();
    `;
    const printed = await node(project.directory, "--input-type=commonjs", "--eval", program);
    const twice = Object.entries(ENTRIES).map(([entry, names]) => [entry, [names, names]]);
    assert.deepEqual(JSON.parse(printed), Object.fromEntries(twice));
  });

  test("nothing else can be reached", async () => {
    const paths = ["dist/index.js", "pure/index", "lease/index", "shared/webassembly", "cli/main"];
    const program = `
      const codes = ${JSON.stringify(paths)}.map((path) => import("graupel/" + path).then(() => "in", ({ code }) => code));
      Promise.all(codes).then((all) => console.log(JSON.stringify(all)));
    `;
    for (const code of JSON.parse(await node(project.directory, "--eval", program)))
      assert.match(code, /^ERR_(PACKAGE_PATH_NOT_EXPORTED|MODULE_NOT_FOUND)$/);
  });

  test("imports, formats and generators instantiate nothing, read no clock, draw no randomness", async () => {
    const program = project.write("quiet.mjs", readFileSync(quiet, "utf8"));
    const printed = await node(project.directory, program, ...entriesOf(project.installed).keys());
    assert.deepEqual(printed.trim().split("\n"), [
      `made ${FORMATS.length + 13} generators, touched: `,
      "first use: module",
      "with the module: clock",
      "with the clock: randomness",
    ]);
  });
});

describe("the script for pages, dist/graupel.global.js", () => {
  let text: string;
  before(() => {
    text = readFileSync(join(project.installed, "dist", "graupel.global.js"), "utf8");
  });
  /** The globals that the script defines in a realm with `globals`. */
  const scripted = (globals: Record<string, unknown> = {}, script = text) => {
    const realm = createContext({ crypto, ...globals });
    const given = Object.keys(realm);
    runInContext(script, realm);
    return Object.entries(realm).filter(([name]) => !given.includes(name));
  };

  test("makes one global, with all exports", () => {
    const made = scripted();
    assert.deepEqual(
      made.map(([name]) => name),
      ["graupel"],
    );
    const graupel = made[0]?.[1] as typeof import("graupel");
    assert.deepEqual(Object.keys(graupel).sort(), ENTRIES.graupel);
    assert.ok(graupel.sno.isValid(graupel.sno.next()));
  });

  test("is a CommonJS module for bundlers", () => {
    const module = { exports: {} };
    scripted({ module });
    assert.deepEqual(Object.keys(module.exports).sort(), ENTRIES.graupel);
  });

  test("is ES2018: a translation to it changes nothing", async () => {
    const [old, today] = await Promise.all(
      ["es2018", "esnext"].map(async (target) => (await transform(text, { target })).code),
    );
    assert.equal(old, today);
    const { code } = await transform("a ??= 1n", { target: "es2018", logLevel: "silent" });
    assert.doesNotMatch(code, /\?\?|1n/);
  });

  test("works after a translation to ES5, which assigns static methods and takes iterables for arrays", () => {
    const script = transpile(text, { target: ScriptTarget.ES5 });
    assert.match(script, /__spreadArray\(/);
    const { sno } = Object.fromEntries(scripted({}, script)).graupel as typeof import("graupel");
    assert.equal(sno.fromUUID(sno.toUUID("brpk4q72xwf2m63l")), "brpk4q72xwf2m63l");
    assert.equal(sno.inspect("brpk4q72xwf2m63l").metabyte, 255);
    assert.ok(sno.isValid(sno.next()));
  });
});

test("the program: 20,000 IDs through a pipe", async () => {
  const npx = [...npmProgram("npx"), "--offline", "graupel", "generate", "sno", "-n", "20000"].join(" ");
  const linked = join("node_modules", ".bin", "graupel");
  const pipe = ["/bin/sh", "-c", `${npx} | ${linked} inspect --format sno --json`];
  const answers = (await output(pipe, project.directory)).trimEnd().split("\n");
  const ids = answers.map((line) => {
    const { input, format, text, error } = JSON.parse(line);
    assert.deepEqual([format, text, error], ["sno", input, undefined]);
    return text;
  });
  assert.equal(new Set(ids).size, 20_000);
});
