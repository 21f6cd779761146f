// `node xtask/release.mjs v<version>`: fails if a tag is not ready to be published. The release
// workflow runs it first.

import { readFileSync } from "node:fs";
import { fromRoot, Refusal, runAsProgram } from "./lib/process.mjs";
import { say } from "./lib/progress.mjs";

/**
 * The reasons why a tag cannot be published; empty if it can. npm itself checks that this
 * repository may publish it.
 */
export function unready({ tag, manifest, changelog }) {
  const { version } = manifest;
  const found = [];
  if (tag !== `v${version}`) found.push(`the tag is ${tag}, but package.json has version ${version}`);
  const [heading] = /^## \[(?!Unreleased).*$/m.exec(changelog) ?? ["none"];
  if (heading.replace(/\d{4}-\d\d-\d\d$/, "<date>") !== `## [${version}] - <date>`)
    found.push(`CHANGELOG.md needs "## [${version}] - <date>" as its newest version; it has ${heading}`);
  const [, unreleased = ""] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|(?![\s\S]))/m.exec(changelog) ?? [];
  if (unreleased.trim() !== "")
    found.push(`CHANGELOG.md has changes under "Unreleased": move them to ${version}`);
  if (manifest.repository === undefined)
    found.push(`package.json needs "repository", by which npm resolves the README's links`);
  return found;
}

function release() {
  const found = unready({
    tag: process.argv[2],
    manifest: JSON.parse(readFileSync(fromRoot("package.json"), "utf8")),
    changelog: readFileSync(fromRoot("CHANGELOG.md"), "utf8"),
  });
  if (found.length > 0) throw new Refusal(`Not ready to be published:\n  ${found.join("\n  ")}`);
  say(`${process.argv[2]} can be published`);
}

await runAsProgram(import.meta.url, release);
