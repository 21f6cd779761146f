// Packs the package for publication. It is assembled in a separate directory, because the
// repository's package.json also describes the repository.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { entries, withCore } from "./entries.mjs";
import { npm, root, run, write } from "./process.mjs";

/** Code, which stays unchanged, and a link with its text. */
const LINK = /(```[\s\S]*?^```|`[^`\n]*`)|\[([^\]]*)\]\((?![a-z]+:|#)([^)\s#]+)[^)\s]*\)/gm;

/**
 * Returns a README without images and without relative links: each link becomes its text and the
 * name of the file.
 */
const withoutLinks = (text) =>
  text
    .replaceAll(/^<img [^>]*>\n\n?/gm, "")
    .replace(LINK, (_, code, words, file) => code ?? `${words} (\`${file}\`)`);

/** Assembles the package in `directory`, from the repository at `from`. */
function assemble(directory, from) {
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  const filter = (path) => basename(path) !== "demo.js";
  for (const path of ["dist", "LICENSE"])
    cpSync(join(from, path), join(directory, path), { recursive: true, filter });
  const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const { private: _, scripts, budgets, workspaces, devDependencies, ...published } = manifest;
  write(join(directory, "package.json"), json(published));
  for (const [path, stub] of stubs()) write(join(directory, path, "package.json"), json(stub));
  const readme = readFileSync(join(from, "README.md"), "utf8");
  // With a repository, npm's page of the package resolves relative links.
  write(join(directory, "README.md"), published.repository === undefined ? withoutLinks(readme) : readme);
}

/**
 * Returns a package.json for each entry's path, for resolvers that ignore `exports`: Browserify and
 * Jest 27 read `main`, Parcel reads `module`, Metro reads `react-native`, and TypeScript's "node10"
 * reads `types`.
 */
function stubs() {
  const all = [...entries.keys(), ...withCore.map((name) => `pure/${name}`)].filter(
    (name) => name !== "index",
  );
  return all.map((name) => {
    const path = name.replace(/\/index$/, "");
    const place = (ending, room = "") =>
      `${"../".repeat(path.split("/").length)}dist/${room}${name}${ending}`;
    const native = withCore.includes(name) && { "react-native": place(".js", "pure/") };
    return [path, { main: place(".cjs"), module: place(".js"), ...native, types: place(".d.ts") }];
  });
}

/**
 * Packs the package into an empty directory. Resolves to the tarball's path. `options`: the options
 * of `run`; `cwd` is the repository.
 */
export async function packInto(into, { cwd = root, ...options } = {}) {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const directory = mkdtempSync(join(tmpdir(), "graupel-pack-"));
  try {
    assemble(directory, cwd);
    await run(npm, ["pack", "--pack-destination", into], { ...options, cwd: directory });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return join(into, readdirSync(into)[0]);
}

/** Unpacks a tarball into an empty directory, as an installation would. */
export async function unpackInto(directory, tarball) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", directory, "--strip-components=1"]);
}
