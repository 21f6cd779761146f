// The page Look inside: edits of an ID's bits and fields, in its text and in a log.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { change, enter, entered, focus, labels, others, turn, value } from "../lib/drawing.mjs";
import { DISCORD, ENTRY, SNO } from "../lib/pages.mjs";
import { test, testEverywhere } from "../lib/test.mjs";

testEverywhere("edits: mouse and keyboard turn a bit, and turn it back", async (person) => {
  await enter(person, DISCORD);
  const changed = () =>
    person.evaluate(() => [...document.querySelectorAll(".changed")].map(({ dataset }) => dataset.bit));
  equal(await person.count({ role: "button", name: "Undo" }), 0);
  await turn(person, 0);
  await entered(person, "175928847299117062");
  await turn(person, 50);
  deepEqual(await changed(), ["50", "0"]);
  const [time, ...fields] = await labels(person);
  deepEqual(time, ["2016-04-30 11:18:25.796 2016-05-03 13:52:21.252", "time"]);
  deepEqual(fields.at(-1), ["7 6", "increment"]);
  equal(await person.text("del"), "2016-04-30 11:18:25.796");
  await person.click({ role: "button", name: "Undo" });
  await entered(person, "175928847299117062");
  await focus(person, '[data-bit="0"]');
  await person.press("ArrowLeft", "ArrowLeft", " ");
  await entered(person, "175928847299117058");
  deepEqual(await changed(), ["2", "0"]);
  equal(await person.evaluate(() => document.activeElement.dataset.bit), "2");
  await person.press("Control+z");
  await entered(person, "175928847299117062");
  await person.click({ role: "button", name: "Restore the original" });
  await entered(person, DISCORD);
  await person.gone({ role: "button", name: "Undo" });
  // The buttons have disappeared, so the bits have the focus.
  await person.until(() => document.activeElement.dataset.bit !== undefined);
  await person.press("Control+z");
  equal(await person.value(ENTRY), DISCORD);
  await turn(person, 0);
  await person.fill(ENTRY, SNO);
  await person.gone(".changed");
  equal(await person.count("del"), 0);
});

testEverywhere("edits: Ctrl+Z undoes a field's change, wherever the focus is", async (person) => {
  await enter(person, DISCORD);
  for (const place of ["input[aria-label^=worker]", "textarea", '[data-bit="9"]']) {
    const first = await change(person, /^worker, 0/, "9");
    const second = await change(person, /^worker, 0/, "3");
    ok(first !== second && first !== DISCORD);
    await focus(person, place);
    for (const expected of [first, DISCORD]) {
      await person.press("Control+z");
      await entered(person, expected);
      equal(await person.count({ role: "button", name: "Undo" }), expected === DISCORD ? 0 : 1, place);
    }
    equal(await value(person, /^worker, 0/), "1");
  }
});

test("edits: what is refused says why, stays to be mended, and changes nothing", async (person) => {
  await enter(person, DISCORD);
  const said = () => person.text("[role=alert].refused:not(:empty)");
  for (const [field, wrong, words] of [
    [/^increment, 0/, "4096", /Increment must be a whole number from 0 to 4,095: 4,096 is too large\./],
    ["time in UTC", "2020-02-31", /Enter a date in UTC, such as 2025-01-31/],
  ]) {
    await person.fill({ label: field }, wrong);
    await person.press("Tab");
    match(await said(), words);
    equal(await person.attribute({ label: field }, "aria-invalid"), "true");
    equal(await value(person, field), wrong);
    equal(await person.value(ENTRY), DISCORD);
  }
  match(await person.attribute("[role=alert] a", "href"), /docs\/errors\/#type$/);
  // Twitter's IDs have 63 bits.
  await others(person);
  await person.click({ label: /^Twitter / });
  await turn(person, 63);
  match(await said(), /larger than the largest ID of this format, 9223372036854775807\./);
  equal(await person.value(ENTRY), DISCORD);
  // Pointing at another field keeps the text that is being typed.
  await person.fill({ label: /^sequence, 0/ }, "40");
  await person.evaluate(() =>
    document.querySelector("tr:nth-child(2)").dispatchEvent(new MouseEvent("mouseenter")),
  );
  await person.find("tr:nth-child(2).marked");
  equal(await value(person, /^sequence, 0/), "40");
});
