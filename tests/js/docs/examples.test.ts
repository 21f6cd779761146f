/**
 * Runs the examples of the README, the guides and the public docstrings, each in its own thread. They must print what their comments say.
 * For a comment that begins with "e.g.", only the shape must match.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import consumers from "node:stream/consumers";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { packageDirectory, root, testsJs } from "../support/places.ts";

const run = promisify(execFile);

const directory = mkdtempSync(join(tmpdir(), "graupel-examples-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** The packages that examples import beside this one: those that guides move from, and those that entries are for. */
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
const modules = join(directory, "node_modules");
for (const scope of ["@noble", "@sapphire"]) mkdirSync(join(modules, scope), { recursive: true });
symlinkSync(join(testsJs, "node_modules", "graupel"), join(modules, "graupel"));
for (const name of IMPORTED) symlinkSync(join(root, "node_modules", name), join(modules, name));

/** The JavaScript blocks of a text, whose lines may begin with ` * `. */
function blocks(text: string): string[] {
  const plain = text.replace(/^ *\* ?/gm, "");
  return [...plain.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);
}

/** The expected output: comments after a statement that prints, and whole-line comments below one. */
function expected(code: string): string[] {
  const lines: string[] = [];
  let printing = false;
  for (const line of code.split("\n")) {
    const below = /^\/\/ ?(.*)$/.exec(line);
    const beside = /console\.log\(.*\);\s*\/\/ (.*)$/.exec(line);
    if (below !== null && printing) {
      lines.push(below[1] as string);
    } else if (beside !== null) {
      lines.push(beside[1] as string);
    }
    printing = /console\.log\(.*\);$/.test(line) || (below !== null && printing);
  }
  return lines;
}

/** Characters by kind: digits, lower case, upper case. */
const shape = (text: string) => text.replace(/[0-9a-z]/g, "x").replace(/[A-Z]/g, "X");

async function check(code: string): Promise<void> {
  const program = join(directory, "example.mjs");
  writeFileSync(program, code);
  // A thread has its own globals, so that it shares no generator with others, and starts faster than a process.
  const thread = new Worker(program, { stdout: true, execArgv: [] });
  const [stdout, [exitCode]] = await Promise.all([consumers.text(thread.stdout), once(thread, "exit")]);
  assert.equal(exitCode, 0, code);
  const printed = stdout.trimEnd().split("\n");
  const wanted = expected(code);
  assert.equal(printed.length, wanted.length, `${code}\nprinted:\n${stdout}`);
  for (const [i, line] of wanted.entries()) {
    const example = /^e\.g\. (.*)$/.exec(line);
    if (example === null) {
      assert.equal(printed[i], line, code);
    } else {
      assert.equal(shape(printed[i] as string), shape(example[1] as string), code);
    }
  }
}

test("README", async (t) => {
  const examples = blocks(await readFile(join(root, "README.md"), "utf8"));
  assert.ok(examples.length >= 4);
  for (const code of examples) {
    await t.test(code.split("\n")[0] ?? "", () => check(code));
  }
});

/** Pages that compare or promise, and show no program. */
const WITHOUT_CODE = new Set(["drivers.md", "guarantees.md", "why.md"]);

test("guides and pages of the formats", async (t) => {
  const docs = join(root, "www", "docs");
  for (const file of (await readdir(docs, { recursive: true })).filter((name) => name.endsWith(".md"))) {
    const text = await readFile(join(docs, file), "utf8");
    const examples = blocks(text);
    // Blocks of a kind have tests of their own, which kill the recipes of restarts.md, and run others with real libraries.
    const shows = /^```[jt]s \S|^\$ npx graupel /m.test(text) || examples.length > 0;
    assert.equal(shows, !WITHOUT_CODE.has(file), `${file} has an example`);
    for (const code of examples) await t.test(`${file}: ${code.split("\n")[0]}`, () => check(code));
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
  const shown = [...text.matchAll(/^```text\n\$ npx graupel (.*)\n([\s\S]*?)^```$/gm)];
  assert.ok(shown.length >= 2);
  for (const [, command = "", printed] of shown)
    await t.test(command, async () => assert.equal(await answer(command), printed));
  const listed = [...text.matchAll(/^npx graupel ([^#\n]*)/gm)];
  assert.ok(listed.length >= 8);
  for (const [, command = ""] of listed)
    await t.test(command, async () => assert.notEqual(await answer(command), ""));
});

test("docstrings", async (t) => {
  const types = join(packageDirectory, "dist");
  let found = 0;
  for (const file of await readdir(types, { recursive: true })) {
    if (file.endsWith(".d.cts")) {
      for (const code of blocks(await readFile(join(types, file), "utf8"))) {
        found++;
        await t.test(`${file}: ${code.split("\n")[1] ?? ""}`, () => check(code));
      }
    }
  }
  assert.ok(found >= 10, `only ${found} docstring examples found`);
});
