// What the tarball must not contain, so that anyone can reproduce it. (`node
// xtask/reproducible.mjs` builds and compares two tarballs, which takes minutes.)

import assert from "node:assert/strict";
import { test } from "node:test";
import { root } from "../support/places.ts";
import { output, tarball } from "../support/user-project.ts";

test("the tarball has nothing of the machine: npm's own date, and modes that do not depend on who packs", async () => {
  const listed = (await output(["tar", "--utc", "-tvzf", tarball()], root)).trim().split("\n");
  for (const line of listed) assert.match(line, /^-rw(-r--r--|xr-xr-x) 0\/0 +\d+ 1985-10-26 08:15 package\//);
});
