// Installs everything that the build needs. Uses only Node's own modules, because it runs before
// anything is installed. It is fast if nothing has changed.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Absent, fromRoot, npm, Refusal, run, runAsProgram } from "./lib/process.mjs";
import { say, step } from "./lib/progress.mjs";

/**
 * Throws a `Refusal` if the user must install something. `workspaces`: additional workspaces whose
 * packages are needed.
 */
export async function setup(...workspaces) {
  say("setup");
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new Refusal(
      `Node.js ${process.versions.node} is too old: graupel needs 20.19 or later; get it from https://nodejs.org.`,
    );
  // These variables would override the flags in .cargo/config.toml, which the core needs.
  for (const name of ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"]) delete process.env[name];
  await installRust();
  await installPackages(workspaces);
  say("  everything is installed");
}

/** Rustup installs everything in rust-toolchain.toml when one of its programs is first called. */
async function installRust() {
  try {
    await run("cargo", ["--version"], { show: true });
  } catch (error) {
    if (!(error instanceof Absent)) throw error;
    throw new Refusal("Rust is missing: install it with rustup, see https://rustup.rs, then run this again.");
  }
}

/** No install scripts run: no package needs one, and they would be third-party code. */
const NPM_CI =
  "ci --include=dev --include-workspace-root --ignore-scripts --no-fund --no-audit --loglevel=error";
/** The record of the installation: the text of the lockfile and the workspaces. */
const record = fromRoot("node_modules", ".installed.json");

/**
 * Runs `npm ci` if the lockfile has changed or a workspace is missing. `npm ci` removes all
 * packages that it is not told to install, so the workspaces of earlier calls are included.
 */
async function installPackages(workspaces) {
  const lock = readFileSync(fromRoot("package-lock.json"), "utf8");
  const known = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : { workspaces: [] };
  const all = [...new Set([...known.workspaces, ...workspaces])].sort();
  if (known.lock === lock && all.length === known.workspaces.length) return;
  const which = all.length === 0 ? ["--workspaces=false"] : all.map((name) => `--workspace=${name}`);
  await step(`install ${["the build's tools", ...all].join(", ")} (npm ci)`, () =>
    run(npm, [...NPM_CI.split(" "), ...which], { show: true }),
  );
  writeFileSync(record, JSON.stringify({ lock, workspaces: all }));
}

await runAsProgram(import.meta.url, () => setup(...process.argv.slice(2)));
