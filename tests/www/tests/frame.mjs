// What all pages share: the navigation, the policy, links.

import { equal, ok } from "node:assert/strict";
import { DOCUMENT, NAVIGATION } from "../lib/pages.mjs";
import { test } from "../lib/test.mjs";

for (const { name, path, heading } of [...NAVIGATION, DOCUMENT]) {
  test(`opens: ${name}`, async (person) => {
    await person.open(path);
    await person.find({ role: "heading", name: heading });
    await person.readyForOffline();
  });
}

test("the navigation leads to each page, and names the one that is open", async (person) => {
  await person.open();
  for (const { name, heading } of NAVIGATION.slice(1)) {
    await person.click({ role: "link", name, inside: "nav" });
    await person.find({ role: "heading", name: heading });
    equal(await person.text("nav [aria-current=page]"), name);
  }
  await person.click({ role: "link", name: "graupel" });
  await person.find({ role: "heading", name: NAVIGATION[0].heading });
  equal(await person.address(), "");
});

test("the first Tab leads past the navigation", async (person) => {
  await person.open("make/");
  await person.evaluate(() => document.activeElement.blur());
  await person.press("Tab");
  equal(await person.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await person.press("Enter");
  ok(await person.until(() => location.hash === "#main"));
});
