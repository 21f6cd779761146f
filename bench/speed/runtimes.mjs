// The Node versions that the bench runs on: exactly those that bench/package.json names. If this process has the same major
// version as one of them, it stands in for it.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Absent, Failed, fromRoot, npm, run, targetDir, tryRun } from "../../xtask/lib/process.mjs";
import { step } from "../../xtask/lib/progress.mjs";

const lineOf = (version) => version.split(".")[0];

/** The versions, lowest first: `"node": "24.1.2"`, or `"node-20": "npm:node@20.1.2"`. */
function pinned() {
  const { dependencies } = JSON.parse(readFileSync(fromRoot("bench", "package.json"), "utf8"));
  return Object.entries(dependencies)
    .filter(([name]) => /^node(-\d+)?$/.test(name))
    .map(([, wanted]) => wanted.split("@").at(-1))
    .sort((a, b) => lineOf(a) - lineOf(b));
}

/** The package with the program itself. The install script of `node` would put it on the path of every npm script. */
function programPackage() {
  const { platform, arch } = process;
  const prefix = platform === "darwin" && arch === "arm64" ? "node-bin" : "node";
  return [prefix, platform === "win32" ? "win" : platform, arch].join("-");
}

/** The program of a version, downloaded once into the build directory; or the reason why it is missing. */
async function fetched(version) {
  const name = programPackage();
  const directory = join(targetDir, "runtimes", version);
  const program = join(
    directory,
    "node_modules",
    name,
    "bin",
    process.platform === "win32" ? "node.exe" : "node",
  );
  const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  if (!existsSync(program)) {
    try {
      await step(`fetch Node ${version} (npm ${name})`, async (onLine) => {
        await run(npm, ["install", "--prefix", directory, ...flags, `${name}@${version}`], { onLine });
      });
    } catch (error) {
      if (error instanceof Failed || error instanceof Absent) return { version, missing: error.message };
      throw error;
    }
  }
  const said = await tryRun(program, ["--version"]);
  return said?.trim() === `v${version}` ? { version, program } : { version, missing: "it does not run here" };
}

/** Each version with its program, or with the reason why it is missing. `line`: only this major version, such as "24". */
export async function runtimes(line = "") {
  const wanted = pinned().filter((version) => line === "" || lineOf(version) === line);
  const here = process.versions.node;
  const found = [];
  for (const version of wanted) {
    const same = lineOf(version) === lineOf(here);
    found.push(same ? { version: here, program: process.execPath } : await fetched(version));
  }
  return found;
}
