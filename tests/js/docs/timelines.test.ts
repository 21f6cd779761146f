// The pictures of www/docs show what the package answers today.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../support/places.ts";

const program = pathToFileURL(join(root, "www/site/docs/timelines.mjs")).href;
const { timelines } = (await import(program)) as {
  timelines: Readonly<Record<string, () => string | Promise<string>>>;
};

for (const [name, draw] of Object.entries(timelines)) {
  test(`www/docs/${name}`, async () => {
    const drawn = await readFile(join(root, "www/docs", name), "utf8");
    assert.equal(drawn, await draw(), "node www/site/docs/timelines.mjs writes it anew");
  });
}
