// The pictures of www/docs show what the package answers today.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { timelines } from "../../../www/site/docs/timelines.mjs";
import { root } from "../support/places.ts";

for (const [name, draw] of Object.entries(timelines)) {
  test(`www/docs/${name}`, async () => {
    const drawn = await readFile(join(root, "www/docs", name), "utf8");
    assert.equal(drawn, draw(), "node www/site/docs/timelines.mjs writes it anew");
  });
}
