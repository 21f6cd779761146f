// The entries for databases, in real databases, and IDs in requests, through common drivers,
// libraries and frameworks.

import { readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { build as buildPackage } from "../../xtask/build.mjs";
import { Failed, fromRoot, run, targetDir, tool } from "../../xtask/lib/process.mjs";
import { say } from "../../xtask/lib/progress.mjs";
import { unpackInto } from "../../xtask/lib/tarball.mjs";
import { pack } from "../../xtask/suites.mjs";
import { fetched, installLibraries, libraries, systemHas } from "../everywhere/lib/tools.mjs";

export const workspaces = ["tests/www"];

const here = fromRoot("tests", "integrations");

/**
 * The user projects in tests/libraries, named after the versions of their libraries. "highest" runs
 * all files. The others rerun the files that test the package's peers; `tests` in their
 * package.json lists the prefixes of these files' paths.
 */
const PROJECTS = ["highest", "lowest", "next"];

/** The servers in leases/servers. The name of a file that needs one contains its name. */
const SERVERS = ["postgres", "mysql", "redis", "prometheus"];

/** The databases in which files with such a name run, one after the other. */
const DATABASES = {
  "databases.test.ts": ["postgres", "mysql", "sqlite"],
  "servers.test.ts": ["postgres", "mysql"],
};

export async function build() {
  await buildPackage();
  await pack();
}

/** The time limit of a file, in seconds. It only ends a hang. */
const LIMIT = 600;

/** Makes the tests import from a project. */
function use(versions) {
  const link = join(here, "node_modules");
  rmSync(link, { force: true });
  symlinkSync(join(libraries(versions), "node_modules"), link, "junction");
}

/** The project that the tests import from. */
let used;

export const prepare = () => installLibraries("stores");

/**
 * Installs a project: the libraries pinned in its package.json, and the package from its tarball.
 */
async function install(versions) {
  if (used === versions) return;
  await installLibraries(versions);
  const packed = join(targetDir, "pack");
  await unpackInto(
    join(libraries(versions), "node_modules", "graupel"),
    join(packed, readdirSync(packed)[0]),
  );
  use(versions);
  used = versions;
}

/** Restores the project that an editor and the next type check expect. */
export const finish = () => use("highest");

/** Runs a test file in Node 24, which the libraries need. */
async function runFile(file, database) {
  const server = database ?? file.split(/[\\/.]/).at(-3);
  if (SERVERS.includes(server)) await systemHas(await import(`../leases/servers/${server}.mjs`));
  const path = join("tests", "integrations", file);
  const args = ["--import", "tsx", "--test", "--test-reporter=spec", path];
  const node = await fetched("node-24", "bin/node");
  const env = database && { DATABASE: database };
  const report = await run(node, args, { env, seconds: LIMIT }).catch((error) => {
    if (error instanceof Failed) say(`\n=== ${file} ===\n${error.output}`);
    throw error;
  });
  return ["pass", "skipped"].map((word) => new RegExp(`ℹ ${word} \\d+`).exec(report)[0].slice(2)).join(", ");
}

/** The files that run in a project. */
function filesOf(versions) {
  const { tests = [""] } = JSON.parse(
    readFileSync(fromRoot("tests", "libraries", versions, "package.json"), "utf8"),
  );
  return readdirSync(here, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(join(here, entry.name)).map((file) => join(entry.name, file))
        : entry.name,
    )
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => tests.some((path) => file.startsWith(path)))
    .sort();
}

export function tests() {
  const testOf = (versions, name, work) => {
    const run = async () => {
      await install(versions);
      return work();
    };
    return { group: versions, name, lane: "projects", run };
  };
  const types = () => run(tool("typescript/bin/tsc"), ["--project", here]);
  return [
    testOf("highest", "types of these tests", types),
    ...PROJECTS.flatMap((versions) =>
      filesOf(versions).flatMap((file) =>
        (DATABASES[basename(file)] ?? [undefined]).map((database) =>
          testOf(versions, [file, database].filter(Boolean).join(" in "), () => runFile(file, database)),
        ),
      ),
    ),
  ];
}
