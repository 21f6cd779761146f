// The common parts of all pages: the header, printing and colours. offline.mjs tests the navigation.

import { deepEqual, equal, ok } from "node:assert/strict";
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

test("with a user's own colours, the open page, fields, marks and changes can still be told", async (person) => {
  const session = await person.driver.page().createCDPSession();
  const features = [{ name: "forced-colors", value: "active" }];
  await session.send("Emulation.setEmulatedMedia", { features });
  const linesOf = (selector) =>
    person.evaluate(
      (selector) =>
        [...document.querySelectorAll(selector)].map((element) => {
          const { borderBottomColor, borderLeftColor } = getComputedStyle(element);
          return `${borderBottomColor} ${borderLeftColor}`;
        }),
      selector,
    );
  await person.open("choose/");
  await person.find(".widths span");
  const tabs = await linesOf("nav a");
  equal(new Set(tabs).size, 2);
  equal(tabs.filter((line) => line === tabs[3]).length, 1);
  const fields = await linesOf(".compare tbody tr:first-child .widths span");
  equal(new Set(fields).size, 5);
  await person.open(`#id=${DISCORD}`);
  await person.click('[data-bit="3"]');
  await person.evaluate(() => document.querySelector('[data-bit="17"]').focus());
  const look = await person.evaluate(() => {
    const styleOf = (selector) => getComputedStyle(document.querySelector(selector));
    return [
      styleOf(".bits-segment.marked .bits-digits").outlineStyle,
      styleOf(".bits-digits").borderBottomWidth,
      styleOf(".changed").textDecorationLine,
      styleOf(".kind-machine .swatch").backgroundColor !== styleOf("html").backgroundColor,
    ];
  });
  deepEqual(look, ["solid", "3px", "underline", true]);
  await person.open("docs/restarts/");
  const open = await linesOf(".contents .wide li a[aria-current]");
  const others = await linesOf(".contents .wide li a:not([aria-current])");
  ok(!others.includes(open[0]), `${open} and ${others[0]}`);
});
