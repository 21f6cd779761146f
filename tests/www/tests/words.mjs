// Texts for users: no input, in any field, makes a page show text that only a developer
// understands.

import { deepEqual, match, ok } from "node:assert/strict";
import { DISCORD, ENTRY, SNO } from "../lib/pages.mjs";
import { test, testEverywhere } from "../lib/test.mjs";

/** Texts that users may enter, by mistake or on purpose. */
const BAD = [
  ...["", " ", "99999999999999999999", "time 41", "<b>[]{}</b>", "Ünïcödé ❄"],
  ..."x -1 0 1.5 1e3 NaN 2025-02-31 12/31/2025 time:41,worker:99,sequence:12 next:41,sequence:3".split(" "),
];

/** A control for dates accepts only these. */
const DATES = ["", "0001-01-01T00:00", "1970-01-01T00:00", "9999-12-31T23:59:59.999"];

/** Every page with inputs, with all parts open. */
const PAGES = `
#id=${DISCORD}
#id=${SNO}
#own=snowflake&epoch=2024-01-01&fields=time:41,worker:10,sequence:12&id=132633958810423296
#own=snowflake-si&epoch=2024-01-01&id=132633958810423
#own=nanoflake&epoch=2024-01-01&layout=foo&id=132633958810423296
make/
make/#format=snowflake
make/#format=nanoflake&form=radix
make/#format=snowflake-si
make/#format=twitter
make/#format=ulid-flake-scalable
range/#format=discord&from=2025-01-01&to=2025-02-01&zone=utc
range/#format=snowflake&from=2025-01-01&zone=utc
range/#format=sno&from=0001-01-01&to=275760-09-13&zone=utc
range/#format=foo&from=99999999999999999
choose/
choose/#bits=20&load=x&processes=-1&perSecond=0&machines=x&years=1e9
`
  .trim()
  .split("\n");

/**
 * Enters each text in each input of the page and collects invalid texts that the page shows. Runs
 * in the page.
 */
async function tryAll(bad, dates) {
  const NEVER = /NaN|undefined|\[object|plain object|Infinity|Invalid Date|\bnull\b|\b\d+n\b/;
  // Code may contain `undefined`.
  const NEVER_IN_CODE = /NaN|\[object|Infinity|Invalid Date/;
  // Unix times: IDs have more digits, and bit counts have fewer.
  const BARE = /(?<![\d,.])-?\d{12,14}(?![\d,.])/;
  const ATTRIBUTES = ["title", "aria-label", "aria-valuetext", "placeholder"];
  const main = document.querySelector("main");
  const found = new Set();
  const pause = () => new Promise((done) => setTimeout(done));

  const look = (what, entered) => {
    // Ignore the user's own text where the page quotes it.
    const check = (text, pattern) => {
      const own = text.replace(/“[^”]*”/g, "").replaceAll(entered.trim() || "“”", "");
      if (pattern.test(own)) found.add(`${what}: ${text}`);
    };
    for (const code of main.querySelectorAll("pre")) check(code.textContent, NEVER_IN_CODE);
    const words = main.cloneNode(true);
    for (const code of words.querySelectorAll("pre")) code.remove();
    for (const element of words.querySelectorAll("*")) {
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) check(node.data, NEVER);
      for (const name of ATTRIBUTES) check(element.getAttribute(name) ?? "", NEVER);
    }
    for (const element of words.querySelectorAll("small, [role=alert], .refused, .quiet"))
      check(element.textContent, BARE);
    if (document.getElementById("app").childElementCount === 0) found.add(`${what}: the page is empty`);
  };
  const enter = async (element, text) => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value").set.call(element, text);
    for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
    await pause();
    document.querySelector("form")?.requestSubmit();
    await pause();
  };
  const inputs = () => [
    ...main.querySelectorAll("input:not([type=checkbox], [type=radio], [type=file]), textarea"),
  ];
  const nameOf = (input) => input.getAttribute("aria-label") ?? input.labels[0].textContent;

  look("at first", "");
  let tried = 0;
  // A change may remove the input itself, for example that of a custom field.
  for (; tried < inputs().length; tried++) {
    const { value: before, type } = inputs()[tried];
    for (const text of type === "datetime-local" ? dates : bad) {
      const input = inputs()[tried];
      if (input === undefined) break;
      await enter(input, text);
      look(`${nameOf(input)}, "${text}"`, text);
    }
    if (inputs()[tried] !== undefined) await enter(inputs()[tried], before);
  }
  return { tried, found: [...found] };
}

for (const path of PAGES) {
  // Browsers differ in their inputs for dates.
  const register = path.startsWith("range/#format=discord") ? testEverywhere : test;
  register(`words: bad input in every field of ${path}`, async (person) => {
    await person.open(path);
    await person.find("main input, main textarea");
    await person.evaluate(() => {
      for (const details of document.querySelectorAll("main details")) details.open = true;
    });
    const { tried, found } = await person.evaluate(tryAll, BAD, DATES);
    ok(tried > 0);
    deepEqual(found, []);
    return `${tried} inputs, ${BAD.length} texts each`;
  });
}

test("words: what a link asks for and the page does not know is said", async (person) => {
  for (const [link, words] of [
    [`#format=foo&id=${DISCORD}`, /the format “foo”, which this page does not know/],
    [`#own=bar&id=${DISCORD}`, /a layout of “bar”, which this page does not know/],
    [`#format=sno&id=${DISCORD}`, /asks for sno, but this text is not such an ID/],
  ]) {
    await person.open(`?${encodeURIComponent(link)}${link}`);
    match(await person.text("[role=alert].refused:not(:empty)"), words);
    match(await person.text(".drawing .answer"), /^Discord ID/);
  }
  await person.fill(ENTRY, SNO);
  await person.gone("[role=alert].refused:not(:empty)");
  for (const page of ["make/", "range/"]) {
    await person.open(`${page}#format=foo`);
    match(await person.text("[role=alert]"), /asks for “foo”, which is not a format/);
    await person.fill("Format", "Discord");
    await person.gone("[role=alert]");
  }
});
