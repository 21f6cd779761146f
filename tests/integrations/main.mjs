// `npm run test:integrations`: the entries for databases, in real databases, and IDs in requests, through the drivers, libraries and frameworks that
// people have.
//
//     npm run test:integrations -- --only <text>    files whose paths contain the text, such as drizzle or mysql
//     npm run test:integrations -- --need           a server that is missing is a failure, as it is where CI is set
//     npm run test:integrations -- --built          the package as it was built the last time

import { lstatSync, readdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../../xtask/build.mjs";
import { Failed, fromRoot, Refusal, run, runAsProgram, targetDir } from "../../xtask/lib/process.mjs";
import { say, step } from "../../xtask/lib/progress.mjs";
import { unpackInto } from "../../xtask/lib/tarball.mjs";
import { setup } from "../../xtask/setup.mjs";
import { fetched, installIn } from "../everywhere/lib/tools.mjs";
import { installed } from "../leases/lib/install.mjs";
import { tools as leaseClients, here as leases } from "../leases/lib/places.mjs";

const here = fromRoot("tests", "integrations");

/** A user's project: the libraries that package.json pins, and the package from its tarball. */
const project = join(targetDir, "integrations");

/** The server of a file, by its name; others need none. */
const SERVERS = {
  "postgres.test.ts": "postgres",
  "mysql.test.ts": "mysql",
  "redis.test.ts": "redis",
  "chromium.test.ts": "chromium",
};

/** Installs the project, and lets the tests import from it. */
async function installProject() {
  await installIn(leases, leaseClients, { what: "the clients of stores" });
  await installIn(here, project, { what: "the libraries of databases" });
  const packed = join(targetDir, "pack");
  const modules = join(project, "node_modules");
  await unpackInto(join(modules, "graupel"), join(packed, readdirSync(packed)[0]));
  const link = join(here, "node_modules");
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(modules, link, "junction");
}

/** Runs a file of tests; gives what went wrong. The libraries need a newer Node than the package does. */
async function failureOf(file) {
  try {
    const report = ["--test-reporter=spec", "--test-reporter-destination=stdout"];
    await run(await fetched("node-24", "bin/node"), ["--import", "tsx", "--test", ...report, file], {
      show: true,
    });
  } catch (error) {
    if (error instanceof Failed) return "failed";
    throw error;
  }
}

async function main() {
  const flag = { type: "boolean" };
  const { values } = parseArgs({ options: { only: { type: "string" }, need: flag, built: flag } });
  const isNeeded = values.need || process.env.CI === "true";
  const files = readdirSync(here, { recursive: true })
    .filter((file) => file.endsWith(".test.ts") && !file.startsWith("node_modules"))
    .filter((file) => file.includes(values.only ?? ""))
    .sort();
  if (files.length === 0) throw new Refusal(`no file contains "${values.only}"`);
  const since = performance.now();
  if (!values.built) {
    await setup();
    await build();
    await run(process.execPath, [fromRoot("xtask", "suites.mjs"), "pack"]);
  }
  await installProject();
  const tsc = fromRoot("node_modules", "typescript", "bin", "tsc");
  await step("types of these tests", () =>
    run(process.execPath, [tsc, "--project", join(here, "tsconfig.json")]),
  );
  const results = { passed: [], failed: [], skipped: [] };
  for (const file of files) {
    const server = SERVERS[file.split(/[\\/]/).at(-1)];
    const missing =
      server &&
      (await installed(await import(pathToFileURL(join(leases, "servers", `${server}.mjs`))), isNeeded));
    say(`\n=== ${file} ===`);
    if (missing !== undefined) say(missing);
    const result =
      missing === undefined
        ? ((await failureOf(relative(process.cwd(), join(here, file)))) ?? "passed")
        : isNeeded
          ? "failed"
          : "skipped";
    results[result].push(file);
  }
  const seconds = Math.round((performance.now() - since) / 1000);
  const { passed, failed, skipped } = results;
  say(`\n${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped, in ${seconds} s`);
  for (const file of failed) say(`  FAILED  ${file}`);
  return failed.length === 0 ? 0 : 1;
}

await runAsProgram(import.meta.url, main);
