// The entries for databases, in real databases, and IDs in requests, through the drivers, libraries and frameworks that people have.

import { readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { build as buildPackage } from "../../xtask/build.mjs";
import { fromRoot, run, targetDir, tool } from "../../xtask/lib/process.mjs";
import { unpackInto } from "../../xtask/lib/tarball.mjs";
import { pack } from "../../xtask/suites.mjs";
import { fetched, installIn, systemHas } from "../everywhere/lib/tools.mjs";
import { tools as leaseClients, here as leases } from "../leases/lib/places.mjs";

export const workspaces = ["tests/www"];

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

/** The names of files that need a server: that of leases/servers. */
const SERVERS = ["postgres", "mysql", "redis", "chromium"];

export async function build() {
  await buildPackage();
  await pack();
}

/** Lets the tests import from a project. */
function use(versions) {
  const link = join(here, "node_modules");
  rmSync(link, { force: true });
  symlinkSync(join(PROJECTS[versions].to, "node_modules"), link, "junction");
}

/** The project that the tests import from. */
let used;

export const prepare = () => installIn(leases, leaseClients, { what: "the clients of stores" });

/** Installs a project: the libraries that its package.json pins, and the package from its tarball. */
async function install(versions) {
  if (used === versions) return;
  const { from, to } = PROJECTS[versions];
  await installIn(from, to, { what: `the libraries of databases, ${versions} versions` });
  const packed = join(targetDir, "pack");
  await unpackInto(join(to, "node_modules", "graupel"), join(packed, readdirSync(packed)[0]));
  use(versions);
  used = versions;
}

/** What an editor, and the next check of types, want to see. */
export const finish = () => use("highest");

/** Runs a file of tests. The libraries need a newer Node than the package does. */
async function runFile(file) {
  const server = file.split(/[\\/.]/).at(-3);
  if (SERVERS.includes(server)) await systemHas(await import(`../leases/servers/${server}.mjs`));
  const path = join("tests", "integrations", file);
  const args = ["--import", "tsx", "--test", "--test-reporter=spec", path];
  const report = await run(await fetched("node-24", "bin/node"), args);
  return ["pass", "skipped"].map((word) => new RegExp(`ℹ ${word} \\d+`).exec(report)[0].slice(2)).join(", ");
}

/** The files that run in a project. */
function filesOf(versions) {
  const { tests = [""] } = JSON.parse(readFileSync(join(PROJECTS[versions].from, "package.json"), "utf8"));
  return readdirSync(here, { recursive: true })
    .filter((file) => file.endsWith(".test.ts") && !file.startsWith("node_modules"))
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
    ...Object.keys(PROJECTS).flatMap((versions) =>
      filesOf(versions).map((file) => testOf(versions, file, () => runFile(file))),
    ),
  ];
}
