// `node xtask/reproducible.mjs`: builds the tarball twice, each time from a clean clone of the last
// commit, and compares the two byte by byte. The release publishes this tarball,
// target/reproducible/graupel-<version>.tgz.
//
// The two builds differ in everything that must have no effect: the path and its length, cargo's
// home, the file mode mask, the time zone and the language. All tools are pinned except Node and
// npm, which may compress differently in other versions or on other processors.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Refusal, root, run, runAsProgram, targetDir } from "./lib/process.mjs";
import { say, step } from "./lib/progress.mjs";
import { packInto } from "./lib/tarball.mjs";

/**
 * Removes the environment variables by which npm, an enclosing build or the user could affect the
 * two builds.
 */
function forget() {
  for (const name of Object.keys(process.env)) {
    const ours = /^(CARGO_TARGET_DIR|CARGO_ENCODED_RUSTFLAGS|RUSTFLAGS)$/.test(name);
    if (ours || (/^npm_/i.test(name) && name !== "npm_execpath")) delete process.env[name];
  }
}

/** Creates a second path to cargo's home. A leaked path then shows up without a second download. */
function otherCargoHome(place) {
  const home = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  mkdirSync(place, { recursive: true });
  for (const name of readdirSync(home)) symlinkSync(join(home, name), join(place, name));
  return place;
}

/** Clones, builds and packs the repository. Resolves to the tarball's path. */
async function make(clone, env, mask) {
  let tarball;
  const before = process.umask(mask);
  try {
    await step(`clone, build and pack in ${clone}`, async () => {
      const options = { cwd: clone, env };
      await run("git", ["clone", "--quiet", root, clone], { env });
      for (const script of ["setup.mjs", "build.mjs"]) {
        await run(process.execPath, [join("xtask", script)], options);
      }
      const changed = await run("git", ["status", "--porcelain"], options);
      if (changed !== "")
        throw new Refusal(`The build changed what is committed, such as a lock file:\n${changed}`);
      tarball = await packInto(`${clone}-packed`, options);
    });
  } finally {
    process.umask(before);
  }
  return tarball;
}

async function reproducible() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  say(`reproducible: ${git("log", "-1", "--format=%h %s")}`);
  if (git("status", "--porcelain") !== "") say("  uncommitted changes are left out");
  forget();
  // Use the real path. On some systems, the temporary directory is a link, so the two paths would
  // be resolved to the same one.
  const home = realpathSync(mkdtempSync(join(tmpdir(), "graupel-")));
  try {
    const first = await make(join(home, "a"), { TZ: "UTC", LC_ALL: "C" }, 0o022);
    const elsewhere = join(home, "another place", "with-a-longer-path", "b");
    const cargo = otherCargoHome(join(home, "cargo"));
    const env = { TZ: "Pacific/Kiritimati", LC_ALL: "C.UTF-8", CARGO_HOME: cargo };
    const second = await make(elsewhere, env, 0o002);
    const kept = join(targetDir, "reproducible");
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(kept, { recursive: true });
    copyFileSync(first, join(kept, basename(first)));
    const bytes = readFileSync(first);
    if (!bytes.equals(readFileSync(second))) {
      copyFileSync(second, join(kept, "second.tgz"));
      throw new Refusal(`The two tarballs differ; both are in ${kept}, for a program such as diffoscope.`);
    }
    say(`the same ${bytes.length} bytes twice, with Node ${process.versions.node}, now in ${kept}`);
    say(`sha256 ${createHash("sha256").update(bytes).digest("hex")}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

await runAsProgram(import.meta.url, reproducible);
