// Releases: which tags are rejected, and what the workflows may do.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { root } from "../support/places.ts";

type Release = { tag?: string; manifest: { version: string; repository?: string }; changelog: string };
const { unready } = (await import(new URL("../../../xtask/release.mjs", import.meta.url).href)) as {
  unready(release: Release): string[];
};

test("a tag that is not ready is refused", () => {
  const manifest = { version: "1.2.3", repository: "github:example/ids" };
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-22\n\n- A\n\n## [1.2.2] - 2026-01-01\n";
  const ready: Release = { tag: "v1.2.3", manifest, changelog };
  assert.deepEqual(unready(ready), []);
  const wrong: [Partial<Release>, RegExp][] = [
    [{ tag: "v1.2.4" }, /the tag is v1\.2\.4, .* version 1\.2\.3/],
    [
      { changelog: changelog.replace(/## \[1\.2\.3\][\s\S]*(?=## )/, "") },
      /it has ## \[1\.2\.2\] - 2026-01-01/,
    ],
    [{ changelog: changelog.replace(" - 2026-11-22", "") }, /it has ## \[1\.2\.3\]$/],
    [{ changelog: "# Changelog\n" }, /it has none/],
    [{ changelog: changelog.replace("[Unreleased]\n", "[Unreleased]\n\n- B\n") }, /move them to 1\.2\.3/],
    [{ manifest: { version: "1.2.3" } }, /needs "repository"/],
  ];
  for (const [change, complaint] of wrong) {
    const found = unready({ ...ready, ...change });
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", complaint);
  }
});

describe("the workflows", () => {
  const directory = join(root, ".github", "workflows");
  const workflows = Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")]),
  );
  const release = workflows["release.yml"] ?? "";

  test("each action is pinned by its hash, and no checkout leaves a token behind", () => {
    assert.deepEqual(Object.keys(workflows).sort(), ["ci.yml", "release.yml"]);
    for (const [name, text] of Object.entries(workflows)) {
      const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
      assert.ok(used.length > 0, name);
      for (const action of used) assert.match(action, /^actions\/[a-z-]+@[0-9a-f]{40}$/, name);
      const checkouts = used.filter((action) => action.includes("checkout"));
      assert.equal(text.match(/persist-credentials: false/g)?.length, checkouts.length, name);
    }
  });

  test("the release: tested, made twice, then published with provenance by a job that runs nothing else", () => {
    const [build = "", publish = ""] = release.split(/^ {2}publish:$/m);
    const steps = ["node xtask/release.mjs", "npm test", "node xtask/reproducible.mjs", "upload-artifact"];
    const places = steps.map((step) => build.indexOf(step));
    assert.deepEqual(
      [...places].sort((a, b) => a - b),
      places,
    );
    assert.ok(!places.includes(-1));
    assert.match(publish, /needs: build\n/);
    assert.match(publish, /npm publish --provenance --access public .*\.tgz\n/);
    assert.match(publish, /id-token: write\n/);
    assert.doesNotMatch(build, /id-token|secrets\.|npm publish/);
    assert.doesNotMatch(publish, /npm (ci|install|test|run)|checkout/);
  });
});
