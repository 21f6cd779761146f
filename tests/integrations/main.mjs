// `npm run test:integrations`: the entries for databases, in real databases, and IDs in requests, through the drivers, libraries and frameworks that
// people have.
//
//     npm run test:integrations -- --only <text>    files whose paths contain the text, such as drizzle or mysql
//     npm run test:integrations -- --need           a server that is missing is a failure, as it is where CI is set
//     npm run test:integrations -- --built          the package as it was built the last time
//     npm run test:integrations -- --versions lowest    the libraries in that version alone: highest, lowest, or next

import { readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
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

/**
 * Users' projects, by the versions of their libraries: "highest" is everything; the others, a folder of the same name each, run the files again
 * that have to do with the peers of the package. `tests` of their package.json are the beginnings of these files' paths.
 */
const PROJECTS = {
  highest: { from: here, to: join(targetDir, "integrations") },
  lowest: { from: join(here, "lowest"), to: join(targetDir, "integrations-lowest") },
  next: { from: join(here, "next"), to: join(targetDir, "integrations-next") },
};

/** The server of a file, by its name; others need none. */
const SERVERS = {
  "postgres.test.ts": "postgres",
  "mysql.test.ts": "mysql",
  "redis.test.ts": "redis",
  "chromium.test.ts": "chromium",
};

/** Lets the tests import from a project. */
function use(versions) {
  const link = join(here, "node_modules");
  rmSync(link, { force: true });
  symlinkSync(join(PROJECTS[versions].to, "node_modules"), link, "junction");
}

/** Installs a project: the libraries that its package.json pins, and the package from its tarball. */
async function installProject(versions) {
  const { from, to } = PROJECTS[versions];
  await installIn(from, to, { what: `the libraries of databases, ${versions} versions` });
  const packed = join(targetDir, "pack");
  await unpackInto(join(to, "node_modules", "graupel"), join(packed, readdirSync(packed)[0]));
}

/** The files that run in a project. */
function filesOf(versions, only) {
  const { tests = [""] } = JSON.parse(readFileSync(join(PROJECTS[versions].from, "package.json"), "utf8"));
  return readdirSync(here, { recursive: true })
    .filter((file) => file.endsWith(".test.ts") && !file.startsWith("node_modules"))
    .filter((file) => file.includes(only) && tests.some((path) => file.startsWith(path)))
    .sort();
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

/** Whether a file of tests has passed; it is skipped where its server is missing. */
async function resultOf(file, isNeeded) {
  const server = SERVERS[file.split(/[\\/]/).at(-1)];
  const missing =
    server &&
    (await installed(await import(pathToFileURL(join(leases, "servers", `${server}.mjs`))), isNeeded));
  if (missing !== undefined) {
    say(missing);
    return isNeeded ? "failed" : "skipped";
  }
  return (await failureOf(relative(process.cwd(), join(here, file)))) ?? "passed";
}

/** Checks the types of the tests, and of the package with the libraries. */
async function types() {
  const tsc = fromRoot("node_modules", "typescript", "bin", "tsc");
  await step("types of these tests", () =>
    run(process.execPath, [tsc, "--project", join(here, "tsconfig.json")]),
  );
}

async function main() {
  const flag = { type: "boolean" };
  const text = { type: "string" };
  const { values } = parseArgs({ options: { only: text, versions: text, need: flag, built: flag } });
  const isNeeded = values.need || process.env.CI === "true";
  const chosen = values.versions === undefined ? Object.keys(PROJECTS) : [values.versions];
  const files = Object.fromEntries(
    chosen.map((versions) => [versions, filesOf(versions, values.only ?? "")]),
  );
  const runs = chosen.filter((versions) => files[versions].length > 0);
  if (runs.length === 0) throw new Refusal(`no file contains "${values.only}"`);
  const since = performance.now();
  await setup("tests/js", "tests/www");
  if (!values.built) {
    await build();
    await run(process.execPath, [fromRoot("xtask", "suites.mjs"), "pack"]);
  }
  await installIn(leases, leaseClients, { what: "the clients of stores" });
  const results = { passed: [], failed: [], skipped: [] };
  for (const versions of runs) {
    await installProject(versions);
    use(versions);
    if (versions === "highest") await types();
    for (const file of files[versions]) {
      const title = `${file}, ${versions} versions`;
      say(`\n=== ${title} ===`);
      results[await resultOf(file, isNeeded)].push(title);
    }
  }
  // What an editor, and the next check of types, want to see.
  use("highest");
  const seconds = Math.round((performance.now() - since) / 1000);
  const { passed, failed, skipped } = results;
  say(`\n${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped, in ${seconds} s`);
  for (const file of failed) say(`  FAILED  ${file}`);
  return failed.length === 0 ? 0 : 1;
}

await runAsProgram(import.meta.url, main);
