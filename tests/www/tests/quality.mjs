// Checks every kind of page: axe-core finds nothing, nothing scrolls sideways, the Tab key reaches
// every control, Lighthouse's scores are high, and the first load is small.

import { deepEqual, equal, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import { site } from "../../../www/build.mjs";
import { serveSite } from "../../../www/serve.mjs";
import { allPages, DOCUMENT, KINDS, NAVIGATION, openUsed } from "../lib/pages.mjs";
import { test, testEverywhere } from "../lib/test.mjs";

const PHONE = [360, 780];
const DESKTOP = [1280, 900];

/** The maximum compressed size of the tool's first load, in bytes. */
const FIRST_LOAD = 62_600;

/** The minimum Lighthouse score in a category. */
const LEAST = 95;

/** The axe-core findings on the open page, one per line. */
async function findingsOn(person) {
  const { violations } = await person.driver.page().evaluate(() =>
    globalThis.axe.run(document, {
      resultTypes: ["violations"],
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.length} times, ${nodes[0].html.slice(0, 120)}`);
}

/** The driver evaluates it, because the page's policy would block it. */
const loadAxe = (person) => person.driver.page().evaluate(axe.source);

/** Waits until the page has loaded and drawn everything. */
async function isComplete(person) {
  await person.readyForOffline();
  await person.driver.page().waitForNetworkIdle();
  await person.evaluate(async () => {
    for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame);
  });
}

/** Sets the system's colour theme. */
const emulate = (person, theme) =>
  person.driver.page().emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);

/** How far the page extends beyond the window's right edge, in pixels, and which elements do. */
const beyond = (person) =>
  person.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return "";
    const found = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    const words = found.slice(0, 3).map((element) => element.outerHTML.slice(0, 100));
    return `${scrollWidth - clientWidth} px beyond: ${words.join(" | ")}`;
  });

for (const page of KINDS) {
  test(`axe-core, light and dark, phone and desktop, with pictures to look at: ${page.name}`, async (person) => {
    const found = [];
    await openUsed(person, page);
    await loadAxe(person);
    for (const theme of ["light", "dark"]) {
      await emulate(person, theme);
      for (const size of [PHONE, DESKTOP]) {
        await person.resize(...size);
        equal(await beyond(person), "");
        for (const line of await findingsOn(person)) found.push(`${theme}, ${size[0]} px: ${line}`);
        const picture = `${page.name.toLowerCase().replaceAll(" ", "-")}-${size[0]}-${theme}.png`;
        await person.screenshot(picture, { fullPage: true });
      }
    }
    deepEqual(found, []);
  });
}

/** Reference pages share a template, so one page of each kind represents the others. */
const looksNew = (path, i, all) =>
  !path.startsWith("docs/reference/") || all.findIndex((other) => sortOf(other) === sortOf(path)) === i;
const sortOf = (path) => path.split("/").at(-3);

/** Runs in the page. Shows the content of another page. */
function exchange(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  document.querySelector("main").replaceWith(body.querySelector("main"));
}

test("every page: no sideways scrolling on a phone, and axe-core", async (person) => {
  const found = [];
  await person.resize(...PHONE);
  const pages = allPages();
  const looked = pages.filter(looksNew);
  for (const [i, path] of pages.entries()) {
    // A page like the one before is not loaded: only its content is exchanged.
    if (looked.includes(path)) await person.open(path);
    else await person.evaluate(exchange, readFileSync(join(site, path, "index.html"), "utf8"));
    const wide = await beyond(person);
    if (wide !== "") found.push(`${path}: ${wide}`);
    if (!looked.includes(path)) continue;
    // The themes alternate, because pages differ only in their text.
    await emulate(person, i % 2 === 0 ? "light" : "dark");
    await loadAxe(person);
    for (const line of await findingsOn(person)) found.push(`${path}: ${line}`);
  }
  deepEqual(found, []);
  return `${pages.length} pages, ${looked.length} of them with axe-core`;
});

for (const page of NAVIGATION) {
  testEverywhere(`in use: Tab reaches every control: ${page.name}`, async (person) => {
    await person.resize(...DESKTOP);
    await openUsed(person, page);
    // Numbers the controls in document order. The Tab key reaches one radio button of each group.
    const all = await person.evaluate(() => {
      const controls =
        "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex='0']";
      const found = [...document.querySelectorAll(controls)].filter(
        (element) => element.tabIndex >= 0 && element.checkVisibility(),
      );
      const names = [];
      for (const element of found) {
        if (element.dataset.tab !== undefined) continue;
        const together = element.matches("[type=radio]")
          ? document.getElementsByName(element.name)
          : [element];
        for (const one of together) one.dataset.tab = names.length;
        names.push(element.outerHTML.slice(0, 100));
      }
      // Start at the top of the page.
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute("tabindex");
      return names;
    });
    const reached = new Set();
    const unmarked = [];
    for (let presses = 0; presses < 2 * all.length + 10 && reached.size < all.length; presses += 1) {
      await person.press("Tab");
      const { tab, marked } = await person.evaluate(() => {
        const element = document.activeElement;
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return {
          tab: element.dataset.tab,
          marked: (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none",
        };
      });
      if (tab === undefined) continue;
      reached.add(Number(tab));
      if (!marked) unmarked.push(all[tab]);
    }
    deepEqual(
      all.filter((_, i) => !reached.has(i)),
      [],
    );
    deepEqual(unmarked, []);
    return `${all.length} controls`;
  });
}

/**
 * Lighthouse's simulation of a phone. The performance score is only printed, because it depends on
 * the machine's load.
 */
for (const { name, path } of [NAVIGATION[0], DOCUMENT]) {
  test(`Lighthouse: ${name}`, async (person) => {
    const { default: lighthouse } = await import("lighthouse");
    const host = await serveSite(site, 0);
    try {
      // Only the test has a time limit (suite.mjs). These limits are in milliseconds.
      const never = { maxWaitForFcp: 3_600_000, maxWaitForLoad: 3_600_000 };
      const options = { port: person.driver.port(), output: "json", logLevel: "silent", ...never };
      const { lhr } = await lighthouse(host.address + path, options);
      const scores = Object.values(lhr.categories).map(({ id, score }) => [id, Math.round(score * 100)]);
      const less = Object.values(lhr.audits).filter(
        ({ score, scoreDisplayMode: mode }) => score !== null && score < 0.9 && mode !== "informative",
      );
      for (const [id, score] of scores)
        ok(id === "performance" || score >= LEAST, `${id} ${score}: ${less.map((audit) => audit.id)}`);
      return scores.map((one) => one.join(" ")).join(", ");
    } finally {
      await host.close();
    }
  });
}

test("the first load of the tool has few bytes", async (person) => {
  await person.open();
  await isComplete(person);
  const names = await person.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const paths = new Set(names.map((name) => name.replace(person.server.root, "")));
  const files = ["index.html", "manifest.webmanifest", ...[...paths].sort()];
  const sizes = [...new Set(files)].map((path) => [
    path,
    gzipSync(readFileSync(join(site, path)), { level: 9 }).length,
  ]);
  const sum = sizes.reduce((sum, [, size]) => sum + size, 0);
  ok(sum < FIRST_LOAD, `${sum} bytes: ${sizes.map(([path, size]) => `${path} ${size}`).join(", ")}`);
  return `${sum} bytes of ${FIRST_LOAD}: ${sizes.map(([path, size]) => `${path} ${size}`).join(", ")}`;
});
