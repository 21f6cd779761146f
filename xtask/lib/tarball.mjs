// The package as npm packs it.

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { npm, root, run } from "./process.mjs";

/**
 * Packs the package into an empty directory. Resolves to the tarball's path. `options`: as `run` takes them; `homepage`: another one
 * than package.json has.
 */
export async function packInto(directory, { homepage, ...options } = {}) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const from = options.cwd ?? root;
  const site = homepage ?? JSON.parse(readFileSync(join(from, "package.json"), "utf8")).homepage;
  if (site === undefined) await run(npm, ["pack", "--pack-destination", directory], options);
  else await packCopy(directory, site, from, options);
  const [name] = readdirSync(directory);
  return join(directory, name);
}

/** Packs a copy of what npm would pack, with the README's links to the site. */
async function packCopy(directory, homepage, from, options) {
  // Only now: the list of pages needs the package that was built.
  const { withAddresses } = await import("./addresses.mjs");
  const copy = mkdtempSync(join(tmpdir(), "graupel-pack-"));
  try {
    const listed = await run(npm, ["pack", "--dry-run", "--json"], options);
    for (const { path } of JSON.parse(listed)[0].files) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      copyFileSync(join(from, path), join(copy, path));
    }
    const readme = readFileSync(join(from, "README.md"), "utf8");
    writeFileSync(join(copy, "README.md"), withAddresses(readme, homepage));
    await run(npm, ["pack", "--pack-destination", directory], { ...options, cwd: copy });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Unpacks a tarball into an empty directory, as an installation would. */
export async function unpackInto(directory, tarball) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", directory, "--strip-components=1"]);
}
