// The common parts of all pages: the header and printing. offline.mjs tests the navigation.

import { equal, ok } from "node:assert/strict";
import { DISCORD } from "../lib/pages.mjs";
import { test, testEverywhere } from "../lib/test.mjs";

testEverywhere("the first Tab leads past the navigation", async (person) => {
  await person.open("make/");
  await person.evaluate(() => document.activeElement.blur());
  await person.press("Tab");
  equal(await person.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await person.press("Enter");
  ok(await person.until(() => location.hash === "#main"));
});

testEverywhere("the header copies the command that installs the package", async (person) => {
  await person.open("docs/");
  equal(await person.text(".top .install"), "npm install graupel");
  await person.click(".top .install");
  await person.find({ text: /^copied/ });
  equal(await person.clipboard(), "npm install graupel");
});

test("on paper there are a page's words and drawings, and nothing to press", async (person) => {
  for (const [path, words] of [
    [`#id=${DISCORD}`, ".drawing [data-bit]"],
    ["docs/formats/snowflake/", ".prose h1"],
  ]) {
    await person.open(path);
    await person.find(words);
    await person.driver.page().emulateMediaType("print");
    ok((await person.count(words)) > 0, path);
    for (const gone of [".top nav", ".beside", ".foot", ".contents", ".copy", ".entry"])
      equal(await person.count(gone), 0, `${path}: ${gone}`);
    equal(
      await person.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
      "rgb(255, 255, 255)",
    );
    await person.driver.page().emulateMediaType(null);
  }
});
