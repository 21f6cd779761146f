// Sets up everything that the build needs. Checks what a person must install, and installs the rest. Uses only Node's own
// modules, because it runs before anything is installed. Quick when there is nothing to do.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { addCargoToPath, Failed, fromRoot, npm, Refusal, run, runAsProgram, tryRun } from "./lib/process.mjs";
import { say, step } from "./lib/progress.mjs";

const WASM = "wasm32-unknown-unknown";

/**
 * Runs every check. Throws a `Refusal` that says what is missing, and how to get it. `workspaces`: those whose packages are needed, too.
 */
export async function setup(...workspaces) {
  say("setup");
  checkNode();
  addCargoToPath();
  dropRustFlags();
  await checkRust();
  await checkLinker();
  await addWasmTarget();
  await installPackages(workspaces);
  say("  everything is installed");
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Refusal(
    `Node.js ${process.versions.node} is too old: graupel needs 20.19 or later; get it from https://nodejs.org.`,
  );
}

/** Flags from the environment would replace those in .cargo/config.toml, which the core needs to compile. */
function dropRustFlags() {
  for (const name of ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"]) {
    if (process.env[name] === undefined) continue;
    say(`  ignoring ${name}`);
    delete process.env[name];
  }
}

/** The compiler that rust-toolchain.toml names. */
async function checkRust() {
  const wanted = /^channel = "(.+)"$/m.exec(readFileSync(fromRoot("rust-toolchain.toml"), "utf8"))[1];
  if (await cargoWorks()) return;
  if ((await tryRun("rustup", ["--version"])) === undefined) {
    throw new Refusal(`Rust is missing: install it with rustup, see https://rustup.rs, then run this again.`);
  }
  // Rustup has no toolchain of this name. The same version may have another name, such as "stable".
  for (const line of ((await tryRun("rustup", ["toolchain", "list"])) ?? "").split("\n")) {
    const name = line.split(" ")[0];
    if (name === "") continue;
    const version = await tryRun("rustup", ["run", name, "rustc", "--version"]);
    if (version?.startsWith(`rustc ${wanted} `)) {
      process.env.RUSTUP_TOOLCHAIN = name;
      if (await cargoWorks()) return;
    }
  }
  delete process.env.RUSTUP_TOOLCHAIN;
  await download(`install Rust ${wanted}`, [
    "toolchain",
    "install",
    wanted,
    "--profile",
    "minimal",
    "--component",
    "rustfmt,clippy",
    "--no-self-update", // do not change the user's rustup
  ]);
}

/** Without automatic installation: rustup would download a missing toolchain silently. */
async function cargoWorks() {
  const env = { RUSTUP_AUTO_INSTALL: "0" };
  for (const program of ["cargo", "rustc"]) {
    if ((await tryRun(program, ["--version"], { env })) === undefined) return false;
  }
  return true;
}

/** Rust links native programs, such as the build helper and the tests, with the C compiler `cc`. */
async function checkLinker() {
  if (process.platform === "win32") return; // rustc finds the linker by itself
  if ((await tryRun("cc", ["--version"])) !== undefined) return;
  throw new Refusal(
    process.platform === "darwin"
      ? "A C linker is missing, which Rust needs: install Apple's command line tools with `xcode-select --install`."
      : "A C linker is missing, which Rust needs: install one, on Debian or Ubuntu with `apt install build-essential`.",
  );
}

/** The toolchain has the standard library for WebAssembly as a separate part. */
async function addWasmTarget() {
  const present = async () => {
    const directory = await tryRun("rustc", ["--print", "target-libdir", "--target", WASM]);
    return directory !== undefined && existsSync(directory.trim());
  };
  if (await present()) return;
  if ((await tryRun("rustup", ["--version"])) === undefined) {
    throw new Refusal(
      `Rust's standard library for ${WASM} is missing: install it with your system's package manager ` +
        "(Debian: libstd-rust-dev-wasm32), or install Rust with rustup, see https://rustup.rs.",
    );
  }
  await download(`add the target ${WASM}`, ["target", "add", WASM]);
}

async function download(title, args) {
  try {
    await step(title, async (onLine) => {
      await run("rustup", args, { onLine, env: { RUST_BACKTRACE: "0" } });
    });
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const lines = error.output.trim().split("\n");
    const reason = lines.find((line) => line.startsWith("error:")) ?? lines.at(-1);
    throw new Refusal(`\`rustup ${args.join(" ")}\` failed. Is there a network? It said: ${reason.trim()}`);
  }
}

/** What is installed: the text of the lock file, and the workspaces. */
const record = fromRoot("node_modules", ".installed.json");

/** Runs `npm ci` if the lock file has changed, or a workspace is missing. It removes what it is not told to install. */
async function installPackages(workspaces) {
  const lock = readFileSync(fromRoot("package-lock.json"), "utf8");
  const known = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : { workspaces: [] };
  const all = [...new Set([...known.workspaces, ...workspaces])].sort();
  if (known.lock === lock && all.length === known.workspaces.length) return;
  const which = all.length === 0 ? ["--workspaces=false"] : all.map((name) => `--workspace=${name}`);
  await step(`install ${["the build's tools", ...all].join(", ")} (npm ci)`, async (onLine) => {
    // No package here needs its install script, so none runs: they are code of strangers.
    const flags = "--include=dev --include-workspace-root --ignore-scripts --no-audit --no-fund".split(" ");
    await run(npm, ["ci", ...flags, ...which], { onLine });
  });
  writeFileSync(record, JSON.stringify({ lock, workspaces: all }));
}

await runAsProgram(import.meta.url, () => setup(...process.argv.slice(2)));
