// Look inside: the answer about an ID in the first screen, its bits and fields; an epoch and a layout of one's own; links. Edits are in
// look-edits.mjs.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { answer, bits, DISCORD, ENTRY, enter, labels, RECENT, SNO, value } from "../lib/look.mjs";
import { test } from "../lib/test.mjs";

/** IDs of other families, from their specifications and packages, with what the page says of them. */
const OTHERS = [
  ["C232AB00-9414-11EC-B3C8-9F6BDECED846", 128, /^UUID v1, made 22 February 2022 19:22:22\.000 UTC/],
  ["1EC9414C-232A-6B00-B3C8-9F6BDECED846", 128, /^UUID v6, made 22 February 2022 19:22:22\.000 UTC/],
  ["017f22e2-79b0-7cc3-98c4-dc0c0c07398f", 128, /^UUID v7, made 22 February 2022 19:22:22\.000 UTC/],
  ["01ARZ3NDEKTSV4RRFFQ69G5FAV", 128, /^ULID, made 30 July 2016 23:54:10\.259 UTC/],
  ["507f1f77bcf86cd799439011", 96, /^ObjectId, made 17 October 2012 21:13:27\.000 UTC, counter 4427793/],
  ["0ujtsYcgvSTl8PAuAdqWYSMnLOv", 160, /^KSUID, made 10 October 2017 04:00:47\.000 UTC/],
  [
    "9m4e2mr0ui3e8a215n4g",
    96,
    /^xid, made 22 March 2011 17:50:19\.000 UTC, machine 60f486, process 58408, counter 4271561/,
  ],
];

test("look: the entry has the focus, and an example is drawn and fills it", async (person) => {
  await person.open();
  equal(await person.evaluate(() => document.activeElement.tagName), "TEXTAREA");
  match(await person.text(".example"), /For example, 175928847299117063:.*Discord ID, made 30 April 2016/s);
  equal(await person.count(".example button"), 0);
  await person.click({ role: "button", name: "Look inside this one" });
  equal(await person.value(ENTRY), DISCORD);
  await person.gone(".example");
});

test("look: an ID of Discord, as its documentation takes it apart", async (person) => {
  await enter(person, DISCORD);
  match(
    await answer(person),
    /^Discord ID, made 30 April 2016 11:18:25\.796 UTC, worker 1, process 0, increment 7 \d+ years ago$/,
  );
  equal(BigInt(`0b${await bits(person)}`), BigInt(DISCORD));
  deepEqual(await labels(person), [
    ["2016-04-30 11:18:25.796", "time"],
    ["1", "worker"],
    ["0", "process"],
    ["7", "increment"],
  ]);
  equal(await value(person, "time in UTC"), "2016-04-30T11:18:25.796Z");
  equal(await value(person, /^worker, 0/), "1");
  equal(await value(person, /^process, 0/), "0");
  equal(await value(person, /^increment, 0/), "7");
  match(await person.text(".field-table"), /1 January 2015 UTC to 15 May 2154 07:35:11\.103 UTC/);
  match(await person.text(".encodings"), /0271065ac1020007/);
});

test("look: what somebody has chosen is no longer in doubt", async (person) => {
  await enter(person, "1186312361438670910");
  match(await answer(person), /^Perhaps a Twitter ID, /);
  await person.click({ role: "button", name: /^Could also be/ });
  await person.click({ label: /^Discord / });
  match(await answer(person), /^Discord ID, /);
  await person.click({ label: /^Twitter / });
  match(await answer(person), /^Twitter ID, /);
  // Nobody has said anything of the next one.
  await person.fill(ENTRY, "80351110224678912");
  match(await answer(person), /^Perhaps a Discord ID, /);
});

for (const [device, width, height] of [
  ["a phone", 390, 844],
  ["a desktop", 1280, 800],
])
  test(`look: the answer and all bits are in the first screen of ${device}`, async (person) => {
    await person.resize(width, height);
    for (const id of [DISCORD, SNO]) {
      await enter(person, id);
      await person.find("[data-bit]");
      const bottom = await person.evaluate(
        () => document.querySelector(".drawing .bits").getBoundingClientRect().bottom + scrollY,
      );
      ok(bottom <= height, `the bits of ${id} end at ${bottom}`);
      ok(
        (await person.evaluate(
          () => document.querySelector(".drawing summary").getBoundingClientRect().top,
        )) < height,
      );
    }
  });

test("look: a sno has 80 bits, its own fields, and a UUID that leads back to it", async (person) => {
  await enter(person, SNO);
  match(await answer(person), /^sno ID, made .*, tick-tock 0, metabyte 255, partition 39434, sequence 4147/);
  equal((await bits(person)).length, 80);
  equal(await value(person, /^metabyte, 0 to/), "255");
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(await person.text(".encodings"))[0];
  await person.fill(ENTRY, uuid);
  await person.until((id) => document.querySelector(".encodings").textContent.includes(id), SNO);
  match(await answer(person), /^sno ID, /);
});

test("look: an ID has its texts of graupel/encode, which are copied and lead back to it", async (person) => {
  for (const [name, text, last, way] of [
    ["base 62", "0Czks0tP37X", "0Czks0tP37Y", "in base 62"],
    ["base 58", "1QgmVVkniES", "1QgmVVkniET", "in base 58"],
    ["Crockford 32", "04W86BB0G4007", "04W86BB0G4008", "in Crockford’s base 32"],
  ]) {
    await enter(person, DISCORD);
    await person.click({ role: "button", name: `Copy the ID as ${name}` });
    await person.find({ text: "Copied" });
    equal(await person.clipboard(), text);
    await person.fill(ENTRY, text);
    await person.until((id) => document.querySelector(".encodings")?.textContent.includes(id), DISCORD);
    match(await answer(person), /^Discord ID, made 30 April 2016 11:18:25\.796 UTC, worker 1, process 0/);
    await person.click({ role: "button", name: /^Could also be/ });
    match(await person.text(".readings"), new RegExp(`It is written ${way}\\.`));
    // An edit is written as the text was.
    await person.fill({ label: /^increment, 0/ }, "8");
    await person.press("Tab");
    await person.until((last) => document.querySelector("textarea").value === last, last);
  }
});

test("look: IDs of other families have the same drawing and time, to be read", async (person) => {
  await person.open();
  for (const [id, width, words] of OTHERS) {
    await person.fill(ENTRY, id);
    await person.until(
      (id) => document.querySelector(".encodings")?.textContent.toLowerCase().includes(id),
      id.toLowerCase(),
    );
    match(await answer(person), words);
    equal((await bits(person)).length, width, id);
    ok((await labels(person)).length > 0, id);
    equal(await person.count("button[data-bit]"), 0);
    equal(await person.count(".field-table"), 0);
  }
});

test("look: a field is pointed out in the sentence, the bits and the fields, from each of them", async (person) => {
  await enter(person, DISCORD);
  // The example, which is drawn before, has no fields.
  await person.find(".field-table");
  const marked = () =>
    person.evaluate(() => ({
      part: [...document.querySelectorAll(".part.marked")].map(({ dataset }) => dataset.field),
      bits: [...document.querySelectorAll(".bits-segment.marked")].map(({ title }) => title),
      row: [...document.querySelectorAll("tr.marked th")].map((row) => row.textContent.trim()),
    }));
  const field = "internalProcessId";
  // On a desktop, its five bits are in one row.
  const all = { part: [field], bits: ["process"], row: [`process ${field}`] };
  for (const selector of [`.part[data-field="${field}"]`, '[data-bit="12"]', "tr:nth-child(3) input"]) {
    await person.evaluate((selector) => document.querySelector(selector).focus(), selector);
    await person.find(`.part.marked[data-field="${field}"]`);
    deepEqual(await marked(), all, selector);
  }
  await person.evaluate(() => document.activeElement.blur());
  for (const selector of [
    `.part[data-field="${field}"]`,
    '.bits-segment[title="process"]',
    "tr:nth-child(3)",
  ]) {
    await person.evaluate((selector) => {
      document.querySelector(selector).dispatchEvent(new MouseEvent("mouseenter"));
    }, selector);
    await person.find(`.part.marked[data-field="${field}"]`);
    deepEqual(await marked(), all, selector);
    await person.evaluate((selector) => {
      document.querySelector(selector).dispatchEvent(new MouseEvent("mouseleave"));
    }, selector);
    await person.gone(".part.marked");
  }
  await person.click(`.part[data-field="${field}"]`);
  equal(await person.evaluate(() => document.activeElement.dataset.bit), "16");
});

test("look: what else it can be is folded into one row, with the evidence", async (person) => {
  await enter(person, DISCORD);
  const row = { role: "button", name: /^Could also be .*Twitter/ };
  equal(await person.evaluate(() => document.querySelector(".readings").open), false);
  await person.click(row);
  match(await person.text(".formats li:first-child"), /^\s*Discord .*30 April 2016/);
  await person.click({ label: /^Twitter / });
  match(await answer(person), /^Twitter ID, made /);
  match(await person.text({ role: "button", name: /^Could also be/ }), /Discord/);
  // It was chosen for this ID, and not for all that come.
  await person.fill(ENTRY, "1212161512043573248 and 175928847299117099");
  await person.click({ role: "button", name: /175928847299117099/ });
  await person.until(() => document.querySelector(".answer").textContent.startsWith("Discord ID"));
  await person.until(() => !location.hash.includes("format"));
});

test("look: quotes and a mention around an ID are no part of it; the host of an address is evidence", async (person) => {
  await enter(person, `<@!${DISCORD}>`);
  match(await answer(person), /^Discord ID, /);
  await person.fill(ENTRY, `"${DISCORD}",`);
  match(await answer(person), /^Discord ID, /);
  await person.fill(ENTRY, "https://twitter.com/graupel/status/1580661436132757506");
  await person.until(() =>
    document.querySelector(".answer").textContent.startsWith("Twitter ID, made 13 October 2022"),
  );
});

test("look: a text without an ID says so", async (person) => {
  await enter(person, "nothing in here is one");
  await person.find({ text: "No ID was found in this text." });
  equal(await person.count("[data-bit]"), 0);
});

test("look: the keys of the bits: arrows, Home and End", async (person) => {
  await enter(person, SNO);
  await person.evaluate(() => document.querySelector('[data-bit="5"]').focus());
  const at = () => person.evaluate(() => document.activeElement.dataset.bit);
  for (const [key, bit] of [
    ["Home", "79"],
    ["ArrowLeft", "79"],
    ["ArrowRight", "78"],
    // sno's rows have 40 bits on a wide screen.
    ["ArrowDown", "38"],
    ["ArrowUp", "78"],
    ["End", "0"],
    ["ArrowRight", "0"],
    ["ArrowLeft", "1"],
  ]) {
    await person.press(key);
    equal(await at(), bit, key);
  }
});

test("look: with the system's few colours, fields and marks are lines", {
  only: ["Chromium"],
}, async (person) => {
  await enter(person, DISCORD);
  await person.driver.page().emulateMediaFeatures([{ name: "forced-colors", value: "active" }]);
  await person.click('[data-bit="3"]');
  await person.evaluate(() => document.querySelector('[data-bit="17"]').focus());
  const look = await person.evaluate(() => {
    const styleOf = (selector) => getComputedStyle(document.querySelector(selector));
    return {
      forced: matchMedia("(forced-colors: active)").matches,
      marked: styleOf(".bits-segment.marked .bits-digits").outlineStyle,
      line: styleOf(".bits-digits").borderBottomWidth,
      swatch: styleOf(".kind-machine .swatch").backgroundColor,
      paper: styleOf("html").backgroundColor,
      changed: styleOf(".changed").textDecorationLine,
    };
  });
  deepEqual([look.forced, look.marked, look.line, look.changed], [true, "solid", "3px", "underline"]);
  ok(look.swatch !== look.paper, look.swatch);
  await person.screenshot("look-inside-forced-colors.png");
  await person.driver.page().emulateMediaFeatures([]);
});

test("look: an epoch and a layout of one's own stay in the fragment, the ID only if asked", async (person) => {
  await enter(person, "132633958810423296");
  await person.click({ text: "An epoch or a layout of your own" });
  await person.fill("Format", "Snowflake of your own");
  await person.fill("Epoch", "2024-01-01");
  await person.fill("Fields, high to low", "time:41,region:4,worker:6,sequence:12");
  await person.until(() =>
    /^Snowflake of your own, made 1 January 2025/.test(document.querySelector(".answer").textContent),
  );
  equal(await value(person, /^region, 0 to/), "3");
  // After so much typing, the address follows a moment later.
  await person.until(() => location.hash.endsWith("sequence:12"));
  const address = await person.address();
  ok(!address.includes("132633958810423296") && !address.includes("?"), address);
  match(address, /^#.*own=snowflake&epoch=2024-01-01&fields=time:41,region:4,worker:6,sequence:12/);
  await person.click({ label: "Keep the ID in the address of this page" });
  await person.until(() => location.hash.includes("id=132633958810423296"));
  await person.reload();
  match(await answer(person), /^Snowflake of your own, /);
  equal(await value(person, /^region, 0 to/), "3");
});

test("look: the copied link opens what is shown: format, layout and the chosen ID", async (person) => {
  await person.open("#own=nanoflake&epoch=2024-02-29");
  await person.fill(ENTRY, `first ${RECENT}, then ${DISCORD} and more`);
  await person.find("[data-bit]");
  await person.click({ role: "button", name: new RegExp(DISCORD) });
  const copy = async () => {
    // A word of the copy before would be taken for this one's.
    await person.gone({ text: "Copied" });
    await person.click({ role: "button", name: "Copy a link to this ID" });
    await person.find({ text: "Copied" });
    return person.clipboard();
  };
  // Also where nobody chose the format.
  match(await copy(), /#own=nanoflake&epoch=2024-02-29&format=own&id=175928847299117063$/);
  await person.click({ role: "button", name: /^Could also be/ });
  await person.click({ label: /^Mastodon / });
  const shown = await answer(person);
  match(shown, /^Mastodon ID, /);
  const link = await copy();
  ok(!(await person.address()).includes(DISCORD));
  await person.open();
  await person.evaluate((link) => location.assign(link), link);
  await person.until((id) => document.querySelector("textarea")?.value === id, DISCORD);
  equal(await answer(person), shown);
  equal(await person.value("Epoch"), "2024-02-29");
});

test("look: what a link asks for and the page does not know is said", async (person) => {
  for (const [link, words] of [
    [`#format=foo&id=${DISCORD}`, /the format “foo”, which this page does not know/],
    [`#own=bar&id=${DISCORD}`, /a layout of “bar”, which this page does not know/],
    [`#format=sno&id=${DISCORD}`, /asks for sno, but this text is no such ID/],
  ]) {
    await person.open(`?${encodeURIComponent(link)}${link}`);
    match(await person.text("[role=alert].refused:not(:empty)"), words);
    match(await answer(person), /^Discord ID/);
  }
  await person.fill(ENTRY, SNO);
  await person.gone("[role=alert].refused:not(:empty)");
  for (const page of ["make/", "range/"]) {
    await person.open(`${page}#format=foo`);
    match(await person.text("[role=alert]"), /asks for “foo”, which is no format/);
    await person.fill("Format", "Discord");
    await person.gone("[role=alert]");
  }
});

test("look: a layout that is refused says why", async (person) => {
  await person.open("#own=snowflake&epoch=2024-01-01&fields=time:41,worker:99,sequence:12");
  const why = () => person.text(".field [role=alert]");
  match(await why(), /The width of worker must be a whole number from 1 to 53: 99 is too large\./);
  match(await person.attribute(".field [role=alert] a", "href"), /docs\/errors\/#range$/);
  await person.fill("Fields, high to low", "time 41");
  match(await why(), /Enter names and widths, such as time:41/);
  await person.fill("Epoch", "soon");
  match(await why(), /Enter a date in UTC, such as 2025-01-31/);
});

test("look: another link to the page shows its ID and its format", async (person) => {
  await enter(person, SNO);
  match(await answer(person), /^sno ID/);
  await person.evaluate((id) => {
    location.hash = `format=twitter&id=${id}`;
  }, DISCORD);
  await person.until(() => document.querySelector(".answer").textContent.startsWith("Twitter ID"));
  equal(await person.value(ENTRY), DISCORD);
  ok((await person.address()).includes(`id=${DISCORD}`));
});

test("look: a link that is followed as soon as the page is drawn is not lost", async (person) => {
  // Runs before the browser paints the entry for the first time.
  const follow = (hash) => {
    const seen = new MutationObserver(() => {
      if (document.querySelector("textarea") === null) return;
      seen.disconnect();
      location.hash = hash;
    });
    seen.observe(document, { childList: true, subtree: true });
  };
  const { server } = person;
  const read = async (path) => (await fetch(server.root + path)).text();
  const [script] = /assets\/[^"]+\.js/.exec(await read(""));
  server.change(script, `(${follow})("format=twitter&id=${DISCORD}");\n${await read(script)}`);
  await person.open();
  await person.until((id) => document.querySelector("textarea")?.value === id, DISCORD);
  match(await answer(person), /^Twitter ID/);
});

test("look: nothing that is pasted leaves the page", async (person) => {
  await person.open();
  await person.readyForOffline();
  const before = person.server.log.length;
  await person.fill(ENTRY, SNO);
  await person.find("button[data-bit]");
  await person.click('[data-bit="3"]');
  // A browser may ask for the worker's script or the icon again: a file of the site, and nothing of what was pasted.
  const asked = person.server.log.slice(before).map(({ method, url }) => `${method} ${url}`);
  deepEqual(
    asked.filter((line) => !/^GET [^?]*\/(service-worker\.js|icon\.svg)$/.test(line)),
    [],
  );
});
