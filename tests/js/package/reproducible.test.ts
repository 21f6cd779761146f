// What `node xtask/reproducible.mjs` says about two tarballs. (The run itself builds twice, which takes minutes.)

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { root } from "../support/places.ts";
import { output, tarball } from "../support/user-project.ts";

const { differences } = (await import(new URL("../../../xtask/reproducible.mjs", import.meta.url).href)) as {
  differences(first: string, second: string): Promise<string>;
};

test("the tarball has nothing of the machine: npm's own date, and modes that do not depend on who packs", async () => {
  const listed = (await output(["tar", "--utc", "-tvzf", tarball()], root)).trim().split("\n");
  for (const line of listed) assert.match(line, /^-rw(-r--r--|xr-xr-x) 0\/0 +\d+ 1985-10-26 08:15 package\//);
});

test("what differs between two tarballs is said", async () => {
  const directory = mkdtempSync(join(tmpdir(), "graupel-tarballs-"));
  const bytes = gunzipSync(readFileSync(tarball()));
  /** The differences from a tarball in which `to` replaces `from`. Both are as long; in a header they also have the same checksum. */
  async function of(from: string, to: string, level = 9): Promise<string> {
    const changed = Buffer.from(bytes);
    changed.write(to, bytes.indexOf(from), "latin1");
    const other = join(directory, "other.tgz");
    writeFileSync(other, gzipSync(changed, { level }));
    return differences(tarball(), other);
  }
  try {
    assert.equal(await differences(tarball(), tarball()), "");
    assert.match(
      await of('"name": "graupel"', '"name": "graUpel"'),
      /^diff .*package\.json\n.*\n< +"name": "graupel",\n---\n> +"name": "graUpel",$/,
    );
    assert.match(await of("package/LICENSE", "package/LICESNE"), /Only in first: LICENSE/);
    assert.match(await of("000644", "000446"), /^-rw-r--r--.*\n-r--r--rw-/);
    assert.equal(await of("package", "package", 1), "the compression: every file is the same");
  } finally {
    rmSync(directory, { recursive: true });
  }
});
