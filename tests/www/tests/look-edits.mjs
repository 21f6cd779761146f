// Look inside: edits. An ID is known by its place, changes in its own form, says what changed, and can be had back.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { answer, DISCORD, ENTRY, enter, labels, RECENT, SNO, value } from "../lib/look.mjs";
import { test } from "../lib/test.mjs";

/** Changes a field, and waits until the text is another one. */
async function change(person, label, text) {
  const before = await person.value(ENTRY);
  await person.fill({ label }, text);
  await person.press("Tab");
  await person.until((before) => document.querySelector("textarea").value !== before, before);
  return person.value(ENTRY);
}

test("edits: a bit turns by the mouse and by the keyboard, and changes the ID", async (person) => {
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

test("edits: what a turned bit changed is marked, until something else is entered", async (person) => {
  await enter(person, DISCORD);
  await person.click('[data-bit="0"]');
  await person.click('[data-bit="50"]');
  const changed = () =>
    person.evaluate(() => [...document.querySelectorAll(".changed")].map(({ dataset }) => dataset.bit));
  deepEqual(await changed(), ["50", "0"]);
  deepEqual(await labels(person), [
    ["2016-04-30 11:18:25.796 2016-05-03 13:52:21.252", "time"],
    ["1", "worker"],
    ["0", "process"],
    ["7 6", "increment"],
  ]);
  equal(await person.text("del"), "2016-04-30 11:18:25.796");
  // Turned back, nothing has changed there.
  await person.click('[data-bit="50"]');
  deepEqual(await changed(), ["0"]);
  await person.fill(ENTRY, SNO);
  await person.gone(".changed");
  equal(await person.count("del"), 0);
});

test("edits: undo goes back step by step, and the original comes back", async (person) => {
  await enter(person, DISCORD);
  equal(await person.count({ role: "button", name: "Undo" }), 0);
  const states = [DISCORD];
  for (const bit of [0, 4, 12]) {
    await person.click(`[data-bit="${bit}"]`);
    states.push(await person.value(ENTRY));
  }
  await person.click({ role: "button", name: "Undo" });
  equal(await person.value(ENTRY), states[2]);
  await person.evaluate(() => document.querySelector('[data-bit="9"]').focus());
  await person.press("Control+z");
  equal(await person.value(ENTRY), states[1]);
  await person.click('[data-bit="30"]');
  await person.click({ role: "button", name: "Restore the original" });
  equal(await person.value(ENTRY), DISCORD);
  await person.gone({ role: "button", name: "Undo" });
  // The buttons are gone: the focus is in the bits.
  await person.until(() => document.activeElement.dataset.bit !== undefined);
  await person.press("Control+z");
  equal(await person.value(ENTRY), DISCORD);
});

test("edits: Ctrl+Z takes back what a field changed, also from the field and from the entry", async (person) => {
  await enter(person, DISCORD);
  for (const place of ["input[aria-label^=worker]", "textarea", '[data-bit="9"]']) {
    const first = await change(person, /^worker, 0/, "9");
    const second = await change(person, /^worker, 0/, "3");
    ok(first !== second && first !== DISCORD);
    await person.evaluate((place) => document.querySelector(place).focus(), place);
    for (const expected of [first, DISCORD]) {
      await person.press("Control+z");
      await person.until((id) => document.querySelector("textarea").value === id, expected);
      equal(await person.count({ role: "button", name: "Undo" }), expected === DISCORD ? 0 : 1, place);
    }
    equal(await value(person, /^worker, 0/), "1");
  }
});

test("edits: in a log, each changes the ID at its place, and no other", async (person) => {
  const log = (first, second) => `user=${first} to=1212161512043573248 again ${second}, of old`;
  await enter(person, log(RECENT, DISCORD));
  await person.find("[data-bit]");
  await person.click({ role: "button", name: new RegExp(DISCORD) });
  await person.until(() => document.querySelector(".answer").textContent.startsWith("Discord"));
  // A year in which nobody made IDs: alone in a log, this would be taken for no ID.
  const changed = await change(person, "time in UTC", "2150-01-01");
  const moved =
    (BigInt(Date.UTC(2150, 0, 1) - 1420070400000) << 22n) | (BigInt(DISCORD) & ((1n << 22n) - 1n));
  equal(changed, log(RECENT, moved));
  match(await answer(person), /^Discord ID, made 1 January 2150 00:00:00\.000 UTC, worker 1/);
  equal(await change(person, /^increment, 0/, "4095"), log(RECENT, moved | 4095n));
  await person.click({ role: "button", name: new RegExp(RECENT) });
  await person.until(() => document.querySelector(".answer").textContent.startsWith("sno"));
  equal(await person.count(".changed"), 0);
  const other = /user=(\w+) /.exec(await change(person, /^metabyte, 0 to/, "1"))[1];
  equal(await person.value(ENTRY), log(other, moved | 4095n));
  await person.click({ role: "button", name: "Restore the original" });
  equal(await person.value(ENTRY), log(RECENT, DISCORD));
});

test("edits: the ID keeps the form in which it was written", async (person) => {
  await person.open();
  for (const [text, after] of [
    ["0x271065ac1020007", "0x271065ac1020006"],
    ["0x271065AC1020007", "0x271065AC1020006"],
    ["0271065ac1020007", "0271065ac1020006"],
    ["175,928,847,299,117,063", "175,928,847,299,117,062"],
    [`<@${DISCORD}>`, "<@175928847299117062>"],
    [`{"id":"${DISCORD}"}`, '{"id":"175928847299117062"}'],
    ["[2,113,6,90,193,2,0,7]", "[2, 113, 6, 90, 193, 2, 0, 6]"],
  ]) {
    await person.fill(ENTRY, text);
    await person.click({ role: "button", name: /^(Could also be|Why)/ });
    await person.click({ label: /^Discord / });
    await person.click('[data-bit="0"]');
    equal(await person.value(ENTRY), after, text);
    match(await answer(person), /^Discord ID/);
  }
});

test("edits: what is refused says why, and changes nothing", async (person) => {
  await enter(person, DISCORD);
  const said = () => person.text("[role=alert].refused:not(:empty)");
  for (const [field, wrong, words] of [
    [/^increment, 0/, "4096", /Increment must be a whole number from 0 to 4,095: 4,096 is too large\./],
    [/^worker, 0/, "-1", /Enter a whole number from 0 to 31\./],
    [/^increment, 0/, "x", /Enter a whole number from 0 to 4,095\./],
    ["time in UTC", "2010-01-01", /The time is before this format’s first time, 1 January 2015 UTC\./],
    ["time in UTC", "2200-01-01", /past this format’s last time, 15 May 2154 07:35:11\.103 UTC\./],
    ["time in UTC", "2020-02-31", /Enter a date in UTC, such as 2025-01-31/],
    ["time in UTC", "2020-01-01T00:00", /Enter a date in UTC/],
    ["time in UTC", "Jan 1, 2020", /Enter a date in UTC/],
  ]) {
    await person.fill({ label: field }, wrong);
    await person.press("Tab");
    match(await said(), words);
    equal(await person.attribute({ label: field }, "aria-invalid"), "true");
    // It stays, to be mended.
    equal(await value(person, field), wrong);
    equal(await person.value(ENTRY), DISCORD);
  }
  match(await person.attribute("[role=alert] a", "href"), /docs\/errors\/#type$/);
  // Twitter's IDs have 63 bits.
  await person.click({ role: "button", name: /^Could also be/ });
  await person.click({ label: /^Twitter / });
  await person.click('[data-bit="63"]');
  match(await said(), /larger than the largest ID of this format, 9223372036854775807\./);
  equal(await person.value(ENTRY), DISCORD);
});

test("edits: what is being typed stays while something else is pointed out", async (person) => {
  await enter(person, DISCORD);
  await person.fill({ label: /^increment, 0/ }, "40");
  await person.evaluate(() =>
    document.querySelector("tr:nth-child(2)").dispatchEvent(new MouseEvent("mouseenter")),
  );
  await person.find("tr:nth-child(2).marked");
  equal(await value(person, /^increment, 0/), "40");
});

test("edits: a time is UTC, whatever the reader's zone, also as Unix milliseconds", async (person) => {
  await enter(person, DISCORD);
  await change(person, "time in UTC", "2020-01-01T12:30Z");
  equal(await value(person, "time in UTC"), "2020-01-01T12:30:00.000Z");
  await change(person, "time in UTC", "1462015105796");
  equal(await person.value(ENTRY), DISCORD);
});
