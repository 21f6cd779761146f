// What all pages share: the navigation, the policy, links.

import { deepEqual, equal, ok } from "node:assert/strict";
import { DOCUMENT, KINDS, NAVIGATION } from "../lib/pages.mjs";
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

for (const [width, height] of [
  [1280, 800],
  [500, 800],
]) {
  test(`the header stays where it is from page to page, ${width} pixels wide`, async (person) => {
    await person.resize(width, height);
    const places = [];
    for (const { path } of KINDS) {
      await person.open(path);
      const place = await person.evaluate(() =>
        [".brand", "nav a", "nav li:last-child a", ".search-open"].map((selector) => {
          const { left, top } = document.querySelector(selector).getBoundingClientRect();
          return `${Math.round(left)} ${Math.round(top)}`;
        }),
      );
      places.push(place.join(", "));
    }
    deepEqual([...new Set(places)], [places[0]]);
    ok(
      (await person.evaluate(() => document.querySelector(".search-open").getBoundingClientRect().right)) <=
        width,
    );
  });
}

test("every page has the line that installs the package, and a click copies it", async (person) => {
  for (const { path } of KINDS) {
    await person.open(path);
    equal(await person.text(".top .install"), "npm install graupel", path);
  }
  await person.click(".top .install");
  await person.find({ text: /^copied/ });
  equal(await person.clipboard(), "npm install graupel");
});

test("contributors' pages are reached from the foot, and are not in the menu", async (person) => {
  await person.open("docs/restarts/");
  equal(await person.count({ role: "link", name: "Contributing", inside: ".contents" }), 0);
  await person.click({ role: "link", name: "For contributors", inside: ".foot" });
  await person.find({ role: "heading", name: "For contributors" });
  await person.click({ role: "link", name: "Architecture", inside: "main" });
  await person.find({ role: "heading", name: "Architecture" });
});

test("with a user's own colours, the open page and the fields can still be told", {
  only: ["Chromium"],
}, async (person) => {
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
  await person.open("docs/restarts/");
  const open = await linesOf(".contents .wide li a[aria-current]");
  const others = await linesOf(".contents .wide li a:not([aria-current])");
  ok(!others.includes(open[0]), `${open} and ${others[0]}`);
});
