// The README's links, for a reader who has only the package.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { root } from "../support/places.ts";
import { output, tarball } from "../support/user-project.ts";

const load = (name: string) => import(new URL(`../../../xtask/lib/${name}`, import.meta.url).href);
const { withAddresses, withoutAddresses } = (await load("addresses.mjs")) as {
  withAddresses(text: string, homepage: string): Promise<string>;
  withoutAddresses(text: string): string;
};
const { packInto } = (await load("tarball.mjs")) as {
  packInto(directory: string, options: { homepage?: string }): Promise<string>;
};

const directory = mkdtempSync(join(tmpdir(), "graupel-readme-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const { homepage } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { homepage?: string };
const own = readFileSync(join(root, "README.md"), "utf8");
const SITE = "https://ids.example/graupel";

/** The relative addresses of links and images. */
const relative = (text: string) =>
  [...text.replace(/```[\s\S]*?^```|`[^`\n]*`/gm, "").matchAll(/(?:\]\(|\b(?:src|href)=")([^)"\s#]+)/g)]
    .map(([, address = ""]) => address)
    .filter((address) => !/^[a-z]+:/.test(address));

const readmeOf = (packed: string) => output(["tar", "-xzOf", packed, "package/README.md"], root);

test("without a homepage, the README names files instead of linking to them", async () => {
  const readme = await readmeOf(tarball());
  assert.equal(readme, homepage === undefined ? withoutAddresses(own) : await withAddresses(own, homepage));
  const bare = withoutAddresses(own);
  assert.deepEqual(relative(bare), []);
  assert.ok(bare.includes("(`www/docs/errors.md`)"));
  assert.equal(withoutAddresses("`[a](b.md)` [c](https://c.example)"), "`[a](b.md)` [c](https://c.example)");
});

test("with a homepage, each kind of link leads to its pages", async () => {
  const packed = await packInto(join(directory, "pack"), { homepage: SITE });
  const readme = await readmeOf(packed);
  assert.deepEqual(relative(readme), []);
  for (const [text, wanted] of [
    ["[a](www/docs/errors.md#core)", `[a](${SITE}/docs/errors/#core)`],
    ['<img src="www/docs/bench.svg" alt="x">', `<img src="${SITE}/docs/files/bench.svg" alt="x">`],
    ["[how](xtask/build.mjs), *so*", "how (`xtask/build.mjs`), *so*"],
    ["[a](#limits)", "[a](#limits)"],
    ["[a](https://standardschema.dev)", "[a](https://standardschema.dev)"],
    ["```md\n[a](www/docs/errors.md)\n```", "```md\n[a](www/docs/errors.md)\n```"],
  ] as const)
    assert.equal(await withAddresses(text, `${SITE}/`), wanted);
  await assert.rejects(withAddresses("[a](www/docs/none.md)", SITE), /there is no such file/);
});
