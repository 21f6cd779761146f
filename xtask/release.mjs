// `node xtask/release.mjs v<version>`: refuses a tag that is not ready to be published. The release workflow runs it first.

import { readFileSync } from "node:fs";
import { fromRoot, Refusal, runAsProgram } from "./lib/process.mjs";
import { say } from "./lib/progress.mjs";

/** The repository of a manifest, as owner/name; undefined if there is none. */
function repositoryOf({ repository }) {
  const address = typeof repository === "string" ? repository : repository?.url;
  return address
    ?.replace(/\.git$/, "")
    .split(/[/:]/)
    .slice(-2)
    .join("/");
}

/**
 * What is not ready; empty if the tag can be published. `repository`: the one that publishes, as owner/name; undefined outside
 * a workflow.
 */
export function unready({ tag, manifest, changelog, repository }) {
  const { version } = manifest;
  const found = [];
  if (tag !== `v${version}`) found.push(`the tag is ${tag}, but package.json has version ${version}`);
  const [heading] = /^## \[(?!Unreleased).*$/m.exec(changelog) ?? ["none"];
  if (heading.replace(/\d{4}-\d\d-\d\d$/, "<date>") !== `## [${version}] - <date>`)
    found.push(`CHANGELOG.md needs "## [${version}] - <date>" as its newest version; it has ${heading}`);
  const [, unreleased = ""] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|(?![\s\S]))/m.exec(changelog) ?? [];
  if (unreleased.trim() !== "")
    found.push(`CHANGELOG.md has changes under "Unreleased": move them to ${version}`);
  if (manifest.homepage === undefined)
    found.push(`the README's links need the address of the site, as "homepage" in package.json`);
  const named = repositoryOf(manifest);
  if (repository !== undefined && named !== repository)
    found.push(
      `npm's provenance needs ${repository} as "repository" in package.json; it has ${named ?? "none"}`,
    );
  return found;
}

function release() {
  const found = unready({
    tag: process.argv[2],
    manifest: JSON.parse(readFileSync(fromRoot("package.json"), "utf8")),
    changelog: readFileSync(fromRoot("CHANGELOG.md"), "utf8"),
    repository: process.env.GITHUB_REPOSITORY,
  });
  if (found.length > 0) throw new Refusal(`Not ready to be published:\n  ${found.join("\n  ")}`);
  say(`${process.argv[2]} can be published`);
}

await runAsProgram(import.meta.url, release);
