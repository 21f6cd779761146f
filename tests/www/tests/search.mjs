// The search on every page: with the keyboard, from any depth, and offline.

import { equal, match } from "node:assert/strict";
import { testEverywhere } from "../lib/test.mjs";

const results = "#site-results a";
const BOX = "Search the documentation";

/** Searches from the open page, with a key that also works while a text box has the focus. */
async function search(person, words) {
  await person.until(() => document.hasFocus() && document.readyState === "complete");
  await person.evaluate(() => {
    globalThis.isHeard = false;
    addEventListener(
      "keydown",
      () => {
        globalThis.isHeard = true;
      },
      { capture: true, once: true },
    );
  });
  // In an empty entry, "/" opens the search.
  const typed = await person.evaluate(() => Boolean(document.activeElement.value));
  // WebKit's driver may drop a key right after a page has opened.
  do await person.press(typed ? "Control+k" : "/");
  while (!(await person.evaluate(() => globalThis.isHeard)));
  await person.until(() => document.activeElement?.id === "site-query");
  await person.fill(BOX, words);
  await person.find(results);
}

testEverywhere("search: the keyboard leads to a section, without a network", async (person) => {
  await person.open("docs/");
  await person.readyForOffline();
  await person.offline(true);
  await person.open("docs/formats/sno/");
  await search(person, "what notBefore does");
  match(await person.text(results), /^Restart safely › What notBefore does/);
  match(
    await person.evaluate(() => document.getElementById("site-found").textContent),
    /^The first 12 of \d+ results$/,
  );
  await person.press("ArrowDown");
  await person.press("ArrowDown");
  await person.press("ArrowUp");
  await person.press("Enter");
  await person.find({ role: "heading", name: "Restart safely" });
  equal(await person.address(), "docs/restarts/#what-notbefore-does");
});

testEverywhere("search: found words are marked, and unknown ones are named", async (person) => {
  await person.open();
  await search(person, "statefulset");
  match(await person.text("#site-results mark"), /^StatefulSet/);
  await person.fill(BOX, "zzyzx");
  await person.find({ text: "No page contains “zzyzx”." });
  await person.gone(results);
  await person.fill(BOX, "statefulset");
  await person.find(results);
  await person.press("Escape");
  await person.gone(results);
  await person.click({ role: "button", name: /^Search/ });
  await person.find(results);
  await person.click({ role: "button", name: "Close" });
  await person.gone(results);
});
