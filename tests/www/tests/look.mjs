// The page Look inside: the answer about an ID, its bits and fields, custom layouts and links.
// tests/js/www tests how IDs are found in a text.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import {
  answer,
  answers,
  bits,
  change,
  enter,
  entered,
  focus,
  labels,
  others,
  value,
} from "../lib/drawing.mjs";
import { DISCORD, ENTRY, RECENT, SNO } from "../lib/pages.mjs";
import { test, testEverywhere } from "../lib/test.mjs";

testEverywhere("look: the example fills the entry, and nothing leaves the page", async (person) => {
  await person.open();
  await person.readyForOffline();
  const before = person.server.log.length;
  equal(await person.evaluate(() => document.activeElement.tagName), "TEXTAREA");
  match(await person.text(".example"), /For example, 175928847299117063:.*Discord ID.*2016-04-30/s);
  await person.click({ role: "button", name: "Look inside this ID" });
  equal(await person.value(ENTRY), DISCORD);
  await person.gone(".example");
  match(
    await answer(person),
    /^Discord ID, Sure, 2016-04-30 11:18:25\.796 UTC, worker 1, process 0, increment 7$/,
  );
  equal(BigInt(`0b${await bits(person)}`), BigInt(DISCORD));
  deepEqual(await labels(person), [
    ["2016-04-30 11:18:25.796", "time"],
    ["1", "worker"],
    ["0", "process"],
    ["7", "increment"],
  ]);
  equal(await value(person, "time in UTC"), "2016-04-30 11:18:25.796");
  equal(await value(person, /^increment, 0/), "7");
  match(await person.text(".field-table"), /2015-01-01 UTC to 2154-05-15 07:35:11\.103 UTC/);
  match(await person.text(".encodings"), /0271065ac1020007/);
  // A browser may request the worker's script or the icon again. These are files of the site,
  // without any pasted text.
  const asked = person.server.log.slice(before).map(({ method, url }) => `${method} ${url}`);
  deepEqual(
    asked.filter((line) => !/^GET [^?]*\/(service-worker\.js|icon\.svg)$/.test(line)),
    [],
  );
});

test("look: what else it can be is folded; what somebody has chosen is no longer in doubt", async (person) => {
  await enter(person, "1186312361438670910");
  match(await answer(person), /^Twitter ID, Likely, /);
  equal(await person.evaluate(() => document.querySelector(".readings").open), false);
  await others(person);
  match(await person.text(".formats li:first-child"), /^\s*Twitter /);
  await person.click({ label: /^Discord / });
  match(await answer(person), /^Discord ID, Your choice, /);
  match(await person.text({ role: "button", name: /^Could also be/ }), /Twitter/);
  // The choice applies to the previous ID only.
  await person.fill(ENTRY, "1186312361438670910 and 175928847299117099");
  await person.click({ role: "button", name: /175928847299117099/ });
  await answers(person, "Discord ID");
  await person.until(() => !location.hash.includes("format"));
  await person.fill(ENTRY, "nothing in here is one");
  await person.find({ text: "No ID was found in this text." });
  equal(await person.count("[data-bit]"), 0);
});

test("look: what is probably no ID says what it is; what it would be is behind it, and drawn if somebody says so", async (person) => {
  await enter(person, "1714564800123");
  await answers(person, "Probably no ID");
  match(await person.text(".answer"), /It looks like a Unix time in milliseconds\./);
  match(await person.text(".answer .utc"), /2024-05-01 12:00:00\.123 UTC/);
  equal(await person.count("[data-bit]"), 0);
  await person.fill(ENTRY, "DEADBEEFDEADBEEF");
  await person.click({ role: "button", name: "If it were an ID" });
  equal(await person.count('[aria-labelledby="link"] a'), 0);
  await person.click({ label: /^Discord / });
  match(await answer(person), /^Discord ID, Your choice, /);
  equal(await person.count('[aria-labelledby="link"] a'), 1);
  equal((await bits(person)).length, 64);
});

test("look: a sno has 80 bits, keys that lead through them, and a UUID that leads back", async (person) => {
  await enter(person, SNO);
  match(
    await answer(person),
    /^sno ID, Likely, .*, tick-tock 0, metabyte 255, partition 39434, sequence 4147/,
  );
  equal((await bits(person)).length, 80);
  equal(await value(person, /^metabyte, 0 to/), "255");
  await focus(person, '[data-bit="5"]');
  for (const [key, bit] of [
    ["Home", "79"],
    ["ArrowLeft", "79"],
    ["ArrowRight", "78"],
    // On a wide screen, sno's rows have 40 bits.
    ["ArrowDown", "38"],
    ["ArrowUp", "78"],
    ["End", "0"],
    ["ArrowRight", "0"],
  ]) {
    await person.press(key);
    equal(await person.evaluate(() => document.activeElement.dataset.bit), bit, key);
  }
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(await person.text(".encodings"))[0];
  await person.fill(ENTRY, uuid);
  await person.until((id) => document.querySelector(".encodings").textContent.includes(id), SNO);
  match(await answer(person), /^sno ID, /);
});

testEverywhere("look: a copied encoding is read again, and edited in its form", async (person) => {
  await enter(person, DISCORD);
  await person.click({ role: "button", name: "Copy the ID as base 62" });
  await person.find({ text: "Copied" });
  equal(await person.clipboard(), "0Czks0tP37X");
  await person.fill(ENTRY, "0Czks0tP37X");
  await person.until((id) => document.querySelector(".encodings")?.textContent.includes(id), DISCORD);
  match(await answer(person), /^Discord ID, \w+, 2016-04-30 11:18:25\.796 UTC, worker 1, process 0/);
  await others(person);
  match(await person.text(".readings"), /It is written in base 62\./);
  equal(await change(person, /^increment, 0/, "8"), "0Czks0tP37Y");
});

test("look: an epoch and a layout of one's own stay in the fragment, the ID only if asked", async (person) => {
  await enter(person, "132633958810423296");
  await person.click({ text: "Your own epoch or layout" });
  await person.fill("Format", "Snowflake of your own");
  await person.fill("Epoch", "soon");
  const why = () => person.text(".field [role=alert]");
  match(await why(), /Enter a date in UTC, such as 2025-01-31/);
  await person.fill("Epoch", "2024-01-01");
  await person.fill("Fields, high to low", "time:41,worker:99,sequence:12");
  match(await why(), /The width of worker must be a whole number from 1 to 53: 99 is too large\./);
  match(await person.attribute(".field [role=alert] a", "href"), /docs\/errors\/#range$/);
  await person.fill("Fields, high to low", "time:41,region:4,worker:6,sequence:12");
  await answers(person, "Snowflake of your own");
  equal(await value(person, /^region, 0 to/), "3");
  // After this much typing, the address is updated a moment later.
  await person.until(() => location.hash.endsWith("sequence:12"));
  const address = await person.address();
  match(address, /^#[^?]*own=snowflake&epoch=2024-01-01&fields=time:41,region:4,worker:6,sequence:12/);
  ok(!address.includes("132633958810423296"), address);
  await person.click({ label: "Keep the ID in the address of this page" });
  await person.until(() => location.hash.includes("id=132633958810423296"));
  await person.reload();
  await answers(person, "Snowflake of your own");
  equal(await value(person, /^region, 0 to/), "3");
});

testEverywhere("look: the copied link opens the same format, layout and ID", async (person) => {
  await person.open("#own=nanoflake&epoch=2024-02-29");
  await person.fill(ENTRY, `first ${RECENT}, then ${DISCORD} and more`);
  await person.find("[data-bit]");
  await person.click({ role: "button", name: new RegExp(DISCORD) });
  const copy = async () => {
    // Otherwise, the message of the previous copy would be taken for this one.
    await person.gone({ text: "Copied" });
    await person.click({ role: "button", name: "Copy a link to this ID" });
    await person.find({ text: "Copied" });
    return person.clipboard();
  };
  // The link also contains the format if the user has not chosen one.
  match(await copy(), /#own=nanoflake&epoch=2024-02-29&format=own&id=175928847299117063$/);
  await others(person);
  await person.click({ label: /^Mastodon / });
  const shown = await answer(person);
  match(shown, /^Mastodon ID, /);
  const link = await copy();
  ok(!(await person.address()).includes(DISCORD));
  await person.open();
  await person.evaluate((link) => location.assign(link), link);
  await entered(person, DISCORD);
  equal(await answer(person), shown);
  equal(await person.value("Epoch"), "2024-02-29");
  await person.evaluate((id) => {
    location.hash = `format=twitter&id=${id}`;
  }, DISCORD);
  await answers(person, "Twitter ID");
});

test("look: what a link asks for and the page does not know is said", async (person) => {
  for (const [link, words] of [
    [`#format=foo&id=${DISCORD}`, /the format “foo”, which this page does not know/],
    [`#own=bar&id=${DISCORD}`, /a layout of the format “bar”, which this page does not know/],
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
