// Releases: which tags are rejected.

import assert from "node:assert/strict";
import { test } from "node:test";

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
