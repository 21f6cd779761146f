// Look inside: an ID, a log, its formats; bits and fields that change it; an epoch and a layout of one's own; what the address keeps.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "../lib/test.mjs";

const ENTRY = "An ID, or a text with IDs in it";

/** From the services' own documentation, and from tests/vectors. */
const DISCORD = "175928847299117063";
const SNO = "brpk4q72xwf2m63l";

const formats = (person) =>
  person.evaluate(() =>
    [...document.querySelectorAll(".formats strong")].map(({ textContent }) => textContent),
  );

/** The drawn bits as digits, high to low. */
const bits = (person) =>
  person.evaluate(() =>
    [...document.querySelectorAll("[data-bit]")].map(({ textContent }) => textContent).join(""),
  );

const value = (person, label) => person.value({ label });

async function enter(person, text) {
  await person.open();
  await person.fill(ENTRY, text);
}

test("look: the entry has the focus, and an example fills it", async (person) => {
  await person.open();
  equal(await person.evaluate(() => document.activeElement.tagName), "TEXTAREA");
  await person.click({ role: "button", name: "see an example" });
  equal(await person.value(ENTRY), DISCORD);
});

test("look: an ID of Discord, as its documentation takes it apart", async (person) => {
  await enter(person, DISCORD);
  await person.find({ role: "heading", name: /^discord/ });
  equal((await formats(person))[0], "discord");
  equal(BigInt(`0b${await bits(person)}`), BigInt(DISCORD));
  equal(await value(person, "time in UTC"), "2016-04-30T11:18:25.796Z");
  equal(await value(person, /^internalWorkerId/), "1");
  equal(await value(person, /^internalProcessId/), "0");
  equal(await value(person, /^increment/), "7");
  match(await person.text(".times"), /years ago/);
  match(await person.text(".formats"), /its time is 2016-04-30/);
  match(await person.text(".encodings"), /0271065ac1020007/);
});

test("look: a sno has 80 bits, its own fields, and a UUID that leads back to it", async (person) => {
  await enter(person, SNO);
  await person.find({ role: "heading", name: /^sno/ });
  equal((await bits(person)).length, 80);
  equal(await value(person, /^metabyte/), "255");
  equal(await value(person, /^partition/), "39434");
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(await person.text(".encodings"))[0];
  await person.fill(ENTRY, uuid);
  await person.find({ role: "heading", name: `sno ${SNO}` });
  match(await person.text(".foreign"), /UUID/);
});

test("look: quotes and a mention around an ID are no part of it", async (person) => {
  await enter(person, `<@!${DISCORD}>`);
  await person.find({ role: "heading", name: `discord ${DISCORD}` });
  await person.fill(ENTRY, `"${DISCORD}",`);
  await person.find({ role: "heading", name: `discord ${DISCORD}` });
});

test("look: the IDs of a log, those of other families by their names", async (person) => {
  await enter(
    person,
    [
      `2024-05-01T12:00:00.123Z INFO user=${DISCORD} request=01890a5d-ac96-774b-bcce-b302099a8057 authentication ok`,
      "DEBUG order 507f1f77bcf86cd799439011 trace 01ARZ3NDEKTSV4RRFFQ69G5FAV took 1234567890123 us",
      `WARN retry user=${DISCORD} of 1212161512043573248`,
    ].join("\n"),
  );
  await person.find({ role: "heading", name: "5 IDs in this text" });
  const found = await person.evaluate(() =>
    [...document.querySelectorAll(".found button")].map(({ textContent }) => textContent.replace(/, .*/, "")),
  );
  deepEqual(found, [
    `${DISCORD} discord`,
    "01890a5d-ac96-774b-bcce-b302099a8057 a UUID",
    "507f1f77bcf86cd799439011 a MongoDB ObjectId",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV a ULID",
    "1212161512043573248 discord",
  ]);
  await person.click({ role: "button", name: /^507f/ });
  match(await person.text(".foreign"), /a MongoDB ObjectId.*2012-10-17T/s);
  await person.click({ role: "button", name: /^1212/ });
  await person.click({ label: /^twitter/ });
  equal(await value(person, "time in UTC"), "2020-01-01T00:00:00.000Z");
});

test("look: a text without an ID says so", async (person) => {
  await enter(person, "nothing in here is one");
  await person.find({ text: "No ID was found in this text." });
  equal(await person.count("[data-bit]"), 0);
});

test("look: a bit turns by the mouse and by the keyboard, and changes the ID", async (person) => {
  await enter(person, DISCORD);
  await person.click('[data-bit="0"]');
  equal(await person.value(ENTRY), "175928847299117062");
  await person.evaluate(() => document.querySelector('[data-bit="0"]').focus());
  await person.press("ArrowLeft", "ArrowLeft");
  equal(await person.evaluate(() => document.activeElement.dataset.bit), "2");
  await person.press(" ");
  equal(await person.value(ENTRY), "175928847299117058");
  equal(await person.evaluate(() => document.activeElement.dataset.bit), "2");
  await person.press("ArrowUp");
  equal(await person.evaluate(() => document.activeElement.dataset.bit), "34");
});

test("look: a changed field changes the ID, also within a log", async (person) => {
  await enter(person, `user ${DISCORD} came`);
  await person.fill({ label: /^internalWorkerId/ }, "31");
  await person.press("Tab");
  await person.until((id) => !document.querySelector("textarea").value.includes(id), DISCORD);
  equal(await person.value(ENTRY), `user ${(BigInt(DISCORD) & ~(31n << 17n)) | (31n << 17n)} came`);
  await person.fill({ label: "time in UTC" }, "2020-01-01T00:00:00.000Z");
  await person.press("Tab");
  await person.until(() => /, 6 years ago|2020-01-01/.test(document.querySelector(".formats").textContent));
  equal(await value(person, "time in UTC"), "2020-01-01T00:00:00.000Z");
});

test("look: what is refused says why, and changes nothing", async (person) => {
  await enter(person, DISCORD);
  for (const [field, wrong, words] of [
    [/^increment/, "4096", /expected 0 to 4095, got 4096/],
    [/^internalWorkerId/, "-1", /internalWorkerId/],
    [/^increment/, "x", /increment/],
    ["time in UTC", "2010-01-01", /is before the epoch/],
    ["time in UTC", "yesterday", /NaN|time/],
  ]) {
    await person.fill({ label: field }, wrong);
    await person.press("Tab");
    match(await person.text("[role=alert].refused:not(:empty)"), words);
    equal(await person.value(ENTRY), DISCORD);
  }
  // Twitter's IDs have 63 bits.
  await person.click({ label: /^twitter/ });
  await person.click('[data-bit="63"]');
  await person.until(() => document.querySelector(".turned").textContent.length > 10);
  equal(await person.value(ENTRY), DISCORD);
});

test("look: an epoch and a layout of one's own stay in the fragment, the ID only if asked", async (person) => {
  await enter(person, "132633958810423296");
  await person.click({ text: "An epoch or a layout of your own" });
  await person.fill("Format", "Snowflake of your own");
  await person.fill("Epoch", "2024-01-01");
  await person.fill("Fields, high to low", "time:41,region:4,worker:6,sequence:12");
  await person.find({ role: "heading", name: /^snowflake/ });
  equal(await value(person, /^region/), "3");
  equal(await value(person, "time in UTC"), "2025-01-01T00:00:00.000Z");
  // After so much typing, the address follows a moment later.
  await person.until(() => location.hash.endsWith("sequence:12"));
  const address = await person.address();
  ok(!address.includes("132633958810423296") && !address.includes("?"), address);
  match(address, /^#.*own=snowflake&epoch=2024-01-01&fields=time:41,region:4,worker:6,sequence:12/);
  await person.click({ label: "with the ID in it" });
  await person.until(() => location.hash.includes("id=132633958810423296"));
  await person.reload();
  await person.find({ role: "heading", name: /^snowflake/ });
  equal(await value(person, /^region/), "3");
});

test("look: a layout that the package refuses says why", async (person) => {
  await person.open("#own=snowflake&epoch=2024-01-01&fields=time:41,worker:99,sequence:12");
  match(await person.text(".field [role=alert]"), /worker: expected 1 to 53, got 99/);
  await person.fill("Fields, high to low", "time 41");
  match(await person.text(".field [role=alert]"), /fields: expected/);
  await person.fill("Epoch", "soon");
  match(await person.text(".field [role=alert]"), /epoch: expected/);
});

test("look: another link to the page shows its ID and its format", async (person) => {
  await enter(person, SNO);
  await person.find({ role: "heading", name: /^sno/ });
  await person.evaluate((id) => {
    location.hash = `format=twitter&id=${id}`;
  }, DISCORD);
  await person.find({ role: "heading", name: `twitter ${DISCORD}` });
  equal(await person.value(ENTRY), DISCORD);
  ok((await person.address()).includes(`id=${DISCORD}`));
});

test("look: nothing that is pasted leaves the page", async (person) => {
  await person.open();
  await person.readyForOffline();
  const before = person.server.log.length;
  await person.fill(ENTRY, SNO);
  await person.find({ role: "heading", name: /^sno/ });
  await person.click('[data-bit="3"]');
  // A browser may ask for the worker's script or the icon again: a file of the site, and nothing of what was pasted.
  const asked = person.server.log.slice(before).map(({ method, url }) => `${method} ${url}`);
  deepEqual(
    asked.filter((line) => !/^GET [^?]*\/(service-worker\.js|icon\.svg)$/.test(line)),
    [],
  );
});
