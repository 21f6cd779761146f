// `npm run lock`: makes package-lock.json anew from package.json, such that it is the same wherever it was made
// and works wherever it is used.

import { readFileSync, writeFileSync } from "node:fs";
import { fromRoot, npm, run, runAsProgram } from "./lib/process.mjs";

const file = fromRoot("package-lock.json");

/** What a name such as `rollup-linux-arm64-musl` says about where the package belongs. */
function platformOf(name) {
  const words = name.split("/").at(-1).split("-");
  const at = words.findIndex((word) =>
    /^(android|darwin|freebsd|linux|openbsd|openharmony|win32)$/.test(word),
  );
  if (at === -1) throw new Error(`cannot tell the platform of ${name}`);
  const [os, cpu, abi = ""] = words.slice(at);
  const libc =
    os !== "linux" ? undefined : /^musl/.test(abi) ? "musl" : /^gnu/.test(abi) ? "glibc" : undefined;
  return { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) };
}

async function lock() {
  const flags = ["--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run(npm, ["install", ...flags, "--omit-lockfile-registry-resolved"]);
  const { packages, ...rest } = JSON.parse(readFileSync(file, "utf8"));
  for (const [path, entry] of Object.entries(packages)) {
    // The address that a package came from: its hash says what it must be, the configured registry where it is.
    delete entry.resolved;
    // The addresses of its sponsors, which npm shows and never needs.
    delete entry.funding;
    // A registry that mirrors only some platforms leaves the others' builds out of the lockfile, which `npm ci`
    // then refuses on every platform. Named without a hash they are in order, and fetched only where they belong.
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const nested = `${path}/node_modules/${name}`;
      if (packages[`node_modules/${name}`] || packages[nested]) continue;
      packages[`node_modules/${name}`] = { version, dev: true, optional: true, ...platformOf(name) };
    }
  }
  const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify({ ...rest, packages: sorted }, null, 2)}\n`);
}

await runAsProgram(import.meta.url, lock);
