/**
 * Runs the examples of the README, the guides and the public docstrings, each in its own thread.
 * They must print what their comments say. If a comment begins with "e.g.", only the shape must
 * match.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { on } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { blocksOf, codeOf, pageOf, printedBy, programsOf, project } from "../../support/pages.mjs";
import { packageDirectory, root, testsJs } from "../support/places.ts";
import { node } from "../support/user-project.ts";

const run = promisify(execFile);

const parent = mkdtempSync(join(tmpdir(), "graupel-examples-"));
after(() => rmSync(parent, { recursive: true, force: true }));

/**
 * The packages that examples import besides this one: packages to migrate from, and packages that
 * entries support.
 */
const IMPORTED = [
  "@noble/ciphers",
  "drizzle-orm",
  "graphql",
  "mongoose",
  "kysely",
  "@sapphire/snowflake",
  "flake-idgen",
  "nodejs-snowflake",
  "sequelize",
  "typeorm",
  "ulid",
  "uuid",
  "zod",
];
const { folder: directory, write } = project(parent, {
  graupel: join(testsJs, "node_modules", "graupel"),
  ...Object.fromEntries(IMPORTED.map((name) => [name, join(root, "node_modules", name)])),
});

/** The kinds of characters: digits and lower case become "x", upper case becomes "X". */
const shape = (text: string) => text.replace(/[0-9a-z]/g, "x").replace(/[A-Z]/g, "X");

/** Imports the programs of a page one after another, in one thread. */
const RUNNER = `
  import { format } from "node:util";
  import { parentPort, workerData } from "node:worker_threads";
  for (const file of workerData) {
    let printed = "";
    console.log = (...values) => (printed += format(...values) + "\\n");
    const error = await import(file).then(() => undefined, (error) => error.stack);
    parentPort.postMessage({ printed, error });
  }
  process.exit();`;
let written = 0;

/** Runs programs, and compares what each prints with its comments. */
async function check(t: TestContext, programs: readonly (readonly [name: string, code: string])[]) {
  if (programs.length === 0) return;
  const files = programs.map(([, code]) => pathToFileURL(write(`example-${written++}`, code)).href);
  // A thread has its own globals, and starts faster than a process.
  const env = { ...process.env, ID_KEY: Buffer.alloc(32, 7).toString("base64") };
  const thread = new Worker(write("runner", RUNNER), { workerData: files, execArgv: [], env });
  const results = on(thread, "message", { close: ["exit"] });
  for (const [name, code] of programs) {
    const { value } = await results.next();
    await t.test(name, () => {
      const { printed, error } = value?.[0] ?? assert.fail(`ended the thread: ${code}`);
      assert.equal(error, undefined, code);
      const lines = printed.trimEnd().split("\n");
      const wanted = printedBy(code);
      assert.equal(lines.length, wanted.length, `${code}\nprinted:\n${printed}`);
      for (const [i, line] of wanted.entries()) {
        const example = /^e\.g\. (.*)$/.exec(line);
        if (example === null) assert.equal(lines[i], line, code);
        else assert.equal(shape(lines[i] as string), shape(example[1] as string), code);
      }
    });
  }
}

test("README", async (t) => {
  const examples = codeOf(await readFile(join(root, "README.md"), "utf8"));
  assert.ok(examples.length >= 4);
  await check(
    t,
    examples.map((code) => [code.split("\n")[0] ?? "", code]),
  );
});

/** Pages without a program, which compare or make promises. */
const WITHOUT_CODE = new Set(["drivers.md", "guarantees.md", "why.md"]);

test("guides and pages of the formats", async (t) => {
  const docs = join(root, "www", "docs");
  for (const file of (await readdir(docs, { recursive: true })).filter((name) => name.endsWith(".md"))) {
    const text = await readFile(join(docs, file), "utf8");
    const examples = codeOf(text);
    // Blocks with a name have their own tests, which kill the recipes of restarts.md and run others
    // with real libraries.
    const shows = /^```[jt]s \S|^\$ npx graupel /m.test(text) || examples.length > 0;
    assert.equal(shows, !WITHOUT_CODE.has(file), `${file} has an example`);
    await check(
      t,
      examples.map((code) => [`${file}: ${code.split("\n")[0]}`, code]),
    );
  }
});

test("the page of the command line: each command works, and prints what is shown", async (t) => {
  const text = await readFile(join(root, "www", "docs", "command-line.md"), "utf8");
  const main = join(packageDirectory, "dist/cli/main.js");
  // The page's store needs a server; this one has the same records at any time.
  copyFileSync(join(testsJs, "cli", "stores", "orders.mjs"), join(directory, "store.mjs"));
  const options = { cwd: directory, env: { NO_COLOR: "1" } };
  const answer = async (command: string) =>
    (await run(process.execPath, [main, ...command.trim().split(" ")], options)).stdout;
  const shown = blocksOf(text).flatMap(
    ({ code }) => /^\$ npx graupel (.*)\n([\s\S]*)$/.exec(code)?.slice(1) ?? [],
  );
  assert.ok(shown.length >= 4);
  for (let i = 0; i < shown.length; i += 2)
    await t.test(shown[i], async () => assert.equal(await answer(shown[i] ?? ""), shown[i + 1]));
  const listed = [...text.matchAll(/^npx graupel ([^#\n]*)/gm)];
  assert.ok(listed.length >= 8);
  for (const [, command = ""] of listed)
    await t.test(command, async () => assert.notEqual(await answer(command), ""));
});

test("docstrings", async (t) => {
  const types = join(packageDirectory, "dist");
  const programs: [string, string][] = [];
  for (const file of await readdir(types, { recursive: true })) {
    if (file.endsWith(".d.cts")) {
      // Lines of comments begin with " * ".
      const comments = (await readFile(join(types, file), "utf8")).match(/\/\*\*[\s\S]*?\*\//g) ?? [];
      for (const code of comments.flatMap((text) => codeOf(text.replace(/^ *\/?\*+ ?/gm, "")))) {
        programs.push([`${file}: ${code.split("\n")[1] ?? ""}`, code]);
      }
    }
  }
  assert.ok(programs.length >= 10, `only ${programs.length} docstring examples found`);
  await check(t, programs);
});

const withoutSqlite =
  process.getBuiltinModule("node:sqlite" as "node:fs") === undefined && "this Node has no node:sqlite";
const sorted = (text: string) => text.trimEnd().split("\n").sort();

/**
 * Programs of several files, with the output of `node <file>` in any order. They run with real
 * threads and processes, and mostly wait.
 */
describe("the guide to threads and cluster", { concurrency: true }, () => {
  const page = pageOf("workers/threads-and-cluster.md");
  const files = programsOf(page, "file=");
  const runs = blocksOf(page).flatMap(({ code }) => {
    const [, name, printed] = /^\$ node (\S+)\n([\s\S]*)$/.exec(code) ?? [];
    return name === undefined ? [] : [{ name, printed: printed ?? "" }];
  });

  test("each program is run, or is part of one that is", () => {
    const ran = runs.map(({ name }) => name);
    const isPart = (name: string) => [...files.values()].some((code) => code.includes(`"${name}"`));
    for (const name of files.keys()) assert.ok(ran.includes(name) || isPart(name), name);
  });
  for (const { name, printed } of runs) {
    const code = files.get(name) ?? assert.fail(`there is no ${name}`);
    // `npm test` runs this file in a Node that has it.
    test(name, { skip: code.includes("node:sqlite") && withoutSqlite }, async () => {
      // Uses a new folder for each run, because programs leave files in it.
      const own = project(parent, { graupel: join(testsJs, "node_modules", "graupel") });
      for (const [file, text] of files) own.write(file, text);
      assert.deepEqual(sorted(await node(own.folder, name)), sorted(printed));
    });
  }
});
