// The package as npm packs it.

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { npm, run } from "./process.mjs";

/** Packs the package into an empty directory. Resolves to the tarball's path. `options`: as `run` takes them. */
export async function packInto(directory, options) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  await run(npm, ["pack", "--pack-destination", directory], options);
  const [name] = readdirSync(directory);
  return join(directory, name);
}

/** Unpacks a tarball into an empty directory, as an installation would. */
export async function unpackInto(directory, tarball) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", directory, "--strip-components=1"]);
}
