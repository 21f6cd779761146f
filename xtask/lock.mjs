// `node xtask/lock.mjs [folder ...]`: writes each package-lock.json, or those in the given folders,
// from the package.json beside it. The files are the same on every machine, and work with every
// platform and registry. One is for the workspaces. The others are for users' projects in tests/,
// which need other versions of the same packages, or packages that the workspaces must not find.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fromRoot, npm, run, runAsProgram } from "./lib/process.mjs";

/** The platform of a package, from a name such as `rollup-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split("/").at(-1).replace("-windows-", "-win32-").replace(/-64$/, "-x64").split("-");
  const at = words.findIndex((word) =>
    /^(android|darwin|freebsd|linux|openbsd|openharmony|win32)$/.test(word),
  );
  if (words.includes("wasm32")) return { cpu: ["wasm32"] };
  if (at === -1) throw new Error(`cannot tell the platform of ${name}`);
  const [os, cpu, abi = ""] = words.slice(at);
  const libc =
    os !== "linux" ? undefined : /^musl/.test(abi) ? "musl" : /^gnu/.test(abi) ? "glibc" : undefined;
  return { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) };
}

async function lock() {
  const files = (await run("git", ["ls-files", "*package-lock.json"])).trim().split("\n");
  const given = process.argv.slice(2);
  for (const directory of given.length > 0 ? given : files.map(dirname)) await lockIn(fromRoot(directory));
}

async function lockIn(directory) {
  const file = join(directory, "package-lock.json");
  const flags = ["--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run(npm, ["install", ...flags, "--omit-lockfile-registry-resolved"], {
    cwd: directory,
  });
  const { packages, ...rest } = JSON.parse(readFileSync(file, "utf8"));
  /** Whether Node would find a package in this folder or in a parent folder. */
  const isFoundFrom = (path, name) =>
    Boolean(packages[join(path, "node_modules", name)]) ||
    (path !== "" && isFoundFrom(dirname(path).replace(/^\.$/, ""), name));
  for (const [path, entry] of Object.entries(packages)) {
    // Remove addresses: the hash identifies the package, and any configured registry has it. A
    // link, however, leads to a workspace.
    if (!entry.link) delete entry.resolved;
    // Remove the addresses of sponsors, which npm displays but does not need.
    delete entry.funding;
    // If a registry mirrors only some platforms, npm leaves the packages of the others out of the
    // lockfile, and `npm ci` then rejects it on every platform. An entry without a hash is valid,
    // and is downloaded only on its platform.
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isFoundFrom(path, name)) continue;
      const dev = entry.dev && { dev: true };
      packages[`node_modules/${name}`] = { version, ...dev, optional: true, ...platformOf(name) };
    }
  }
  const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify({ ...rest, packages: sorted }, null, 2)}\n`);
}

await runAsProgram(import.meta.url, lock);
