// Makes sure that everything the build needs is there: looks for what must be installed by hand, adds what can
// be added. Plain Node, as it runs before anything is installed; quick when there is nothing to do.

import { existsSync, readFileSync } from "node:fs";
import { addCargoToPath, Failed, fromRoot, npm, Refusal, run, runAsProgram, tryRun } from "./lib/process.mjs";
import { say, step } from "./lib/progress.mjs";

const WASM = "wasm32-unknown-unknown";

/** Every check in turn; throws a `Refusal` that says what is missing and how to get it. */
export async function setup() {
  say("setup");
  checkNode();
  addCargoToPath();
  dropRustFlags();
  await checkRust();
  await checkLinker();
  await addWasmTarget();
  await installPackages();
  say("  everything is there");
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Refusal(
    `Node.js ${process.versions.node} is too old: graupel needs 20.19 or later; get it from https://nodejs.org.`,
  );
}

/** Flags from the environment take the place of those in .cargo/config.toml, without which the core does not compile. */
function dropRustFlags() {
  for (const name of ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"]) {
    if (process.env[name] === undefined) continue;
    say(`  leaving ${name} aside`);
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
  // Rustup is there, but not the toolchain under this name. It may be there under another one ("stable").
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
    "--no-self-update", // the user's rustup is none of our business
  ]);
}

/** Rustup would fetch a missing toolchain at this question, silently; it is better done with a line that says so. */
async function cargoWorks() {
  const env = { RUSTUP_AUTO_INSTALL: "0" };
  for (const program of ["cargo", "rustc"]) {
    if ((await tryRun(program, ["--version"], { env })) === undefined) return false;
  }
  return true;
}

/** Rust links native programs, the build helper and the tests among them, through the C compiler `cc`. */
async function checkLinker() {
  if (process.platform === "win32") return; // there the linker is found through the registry, by rustc itself
  if ((await tryRun("cc", ["--version"])) !== undefined) return;
  throw new Refusal(
    process.platform === "darwin"
      ? "A C linker is missing, which Rust needs: install Apple's command line tools with `xcode-select --install`."
      : "A C linker is missing, which Rust needs: install one, on Debian or Ubuntu with `apt install build-essential`.",
  );
}

/** The standard library for WebAssembly is a part of its own of the toolchain. */
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
    throw new Refusal(
      `\`rustup ${args.join(" ")}\` did not succeed; is the network there? It said: ${reason.trim()}`,
    );
  }
}

/** `npm ci`, if what is installed is not what the lockfile says. */
async function installPackages() {
  if (packagesMatch()) return;
  await step("install the development tools (npm ci)", async (onLine) => {
    // No package here needs its install script, and scripts of strangers are better not run.
    await run(npm, ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"], { onLine });
  });
}

/** Compares the lockfile with the record that npm keeps of what it installed. */
function packagesMatch() {
  const read = (path) => JSON.parse(readFileSync(path, "utf8")).packages;
  const record = fromRoot("node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = read(record);
  for (const [path, wanted] of Object.entries(read(fromRoot("package-lock.json")))) {
    if (path === "") continue;
    const found = installed[path];
    // What is optional may be missing: builds for other systems.
    if (found === undefined && wanted.optional) continue;
    if (found?.version !== wanted.version || !existsSync(fromRoot(path, "package.json"))) return false;
  }
  return true;
}

await runAsProgram(import.meta.url, setup);
