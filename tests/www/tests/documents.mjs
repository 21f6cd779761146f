// The documentation pages: contents, drawn layouts, code and wide tables.

import { equal, match, ok } from "node:assert/strict";
import { formatsOn, pages } from "../../../www/site/docs/pages.mjs";
import { test, testEverywhere } from "../lib/test.mjs";

/**
 * Firefox's message for a file that is loading, such as the icon, when the user leaves the page.
 */
const LEFT = /A ServiceWorker intercepted the request and encountered an unexpected error/;

/**
 * Opens a page and waits for its service worker, because WebKit reports an error if the user leaves
 * the page during the registration.
 */
async function settled(person, path) {
  person.expect(LEFT);
  await person.open(path);
  await person.readyForOffline();
}

/** Waits until a link has opened the page with this heading, and the page is complete. */
async function arrived(person, heading) {
  await person.find({ role: "heading", name: heading });
  await person.until(() => document.readyState === "complete");
}

test("documentation: the list of pages, the contents and links of the text lead on", async (person) => {
  for (const [name, heading] of [
    ["sno", "sno"],
    ["graupel/sno", "graupel/sno"],
    ["Changelog", "Changelog"],
    ["Restart safely", "Restart safely"],
  ]) {
    await settled(person, "docs/");
    await person.click({ role: "link", name, inside: "#main" });
    await arrived(person, heading);
  }
  // The contents are next to the text and show the open page and its sections.
  equal(await person.text(".contents [aria-current=page]"), "Restart safely");
  await person.click({ role: "link", name: "Save a mark", inside: ".contents .wide" });
  equal(await person.address(), "docs/restarts/#save-a-mark");
  // Only the group of the open page is expanded.
  equal(await person.count(".contents .wide details[open]"), 1);
  await person.click({ role: "link", name: "Where graupel runs", inside: ".contents .wide" });
  await arrived(person, "Where graupel runs");
  await person.click({ role: "button", name: "Formats", inside: ".contents .wide" });
  await person.click({ role: "link", name: "Sonyflake", inside: ".contents .wide" });
  await arrived(person, "Sonyflake");
  await person.open("docs/security/");
  await person.click("#main a[href$='guide/#limits']");
  await arrived(person, "Limits");
  equal(await person.address(), "docs/guide/#limits");
  const top = await person.until(() => document.getElementById("limits")?.getBoundingClientRect().top);
  ok(top < 200, `the section is at ${top}`);
  // The pages for contributors are linked in the footer.
  equal(await person.count({ role: "link", name: "Contributing", inside: ".contents" }), 0);
  await person.click({ role: "link", name: "For contributors", inside: ".foot" });
  await arrived(person, "For contributors");
  await person.click({ role: "link", name: "Architecture", inside: "main" });
  await arrived(person, "Architecture");
});

testEverywhere("documentation: a phone shows folded contents, and nothing too wide", async (person) => {
  await person.resize(390, 844);
  await settled(person, "docs/formats/snowflake/");
  ok(await person.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  equal(await person.count({ role: "link", name: "Sonyflake", inside: ".contents" }), 0);
  await person.click(".contents summary");
  await person.click({ role: "link", name: "Sonyflake", inside: ".contents" });
  await arrived(person, "Sonyflake");
});

test("formats: each is drawn with its fields, its time and its capacity", async (person) => {
  for (const page of Object.keys(pages)) {
    const formats = formatsOn(page).length;
    ok(formats > 0, page);
    await person.open(`docs/formats/${page}/`);
    equal(await person.count("figure.layout"), formats, page);
    // A drawing has two sizes, and only one is visible.
    equal(await person.count("figure.layout svg.bits"), formats, page);
    const ends = await person.evaluate(() =>
      ["#main pre", "#main svg.bits"].map((selector) => {
        const shown = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
        return shown.getBoundingClientRect().bottom;
      }),
    );
    ok(Math.max(...ends) < 900, `on the first screen of ${page}: an example and a drawing, to ${ends}`);
  }
  await person.open("docs/formats/snowflake/");
  const today = await person.text("figure.layout:nth-of-type(2) .today");
  ok(today.startsWith(`today, ${new Date().toISOString().slice(0, 10)}: `), today);
  ok(await person.evaluate(() => Number(document.querySelector(".gone").getAttribute("width")) > 0));
});

testEverywhere("documentation: code is coloured, and a button copies it", async (person) => {
  await person.open("docs/restarts/");
  // The first recipe's fence is "js recipe=ahead".
  equal(await person.text("pre code.language-js .hljs-keyword"), "import");
  const colours = await person.evaluate(() =>
    [".hljs-keyword", ".hljs-string", "pre"].map(
      (selector) => getComputedStyle(document.querySelector(selector)).color,
    ),
  );
  equal(new Set(colours).size, 3);
  await person.open("docs/platforms/");
  await person.click({ role: "button", name: "Copy this code" });
  await person.find({ text: "Copied" });
  match(await person.clipboard(), /^import \{ discord \} from "graupel";\n/);
});
