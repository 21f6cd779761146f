// The clock on a format's page: how each policy reacts when the user sets it back.

import { equal, match, ok } from "node:assert/strict";
import { pages } from "../../../www/site/docs/pages.mjs";
import { test, testEverywhere } from "../lib/test.mjs";

const POLICIES = ["throw", "wait", "hold"];

async function openClock(person, page) {
  await person.open(`docs/formats/${page}/`);
  await person.evaluate(() => document.querySelector(".clock").scrollIntoView());
  await person.find(".clock[data-ready]");
}

const push = (person, name) => person.click({ role: "button", name, inside: ".pushes" });
const stateOf = (person, policy) => person.text(`[data-policy="${policy}"] .state`);
const lastOf = (person, policy) => person.text(`[data-policy="${policy}"] .last`);
const idOf = (person, policy) => person.text(`[data-policy="${policy}"] .last .id`);

test("clock: when it is set back by 1 s, sno throws, throws, holds, and toggles", async (person) => {
  await openClock(person, "sno");
  const before = await idOf(person, "hold");
  for (const policy of [...POLICIES, "tick-tock"]) equal(await stateOf(person, policy), "issued");
  await push(person, "1 s");
  equal(await person.text(".clock .now time"), "11:59:59.000");

  equal(await stateOf(person, "throw"), "threw CLOCK_BACKWARDS");
  equal(await lastOf(person, "throw"), "The clock is 1 s behind. More");
  match(await person.attribute('[data-policy="throw"] .last a', "href"), /docs\/errors\/#clock_backwards$/);
  equal(await stateOf(person, "wait"), "threw CLOCK_BACKWARDS");
  equal(await lastOf(person, "wait"), "It would have to wait for 1 s: longer than maxWaitMs, 100 ms. More");

  equal(await stateOf(person, "hold"), "issued at the held time, 1 s ahead");
  match(await lastOf(person, "hold"), /clock 11:59:59\.000 → ID 12:00:00\.000/);
  // sno's texts sort like the IDs: in the held tick, the ID has the next sequence number.
  const held = await idOf(person, "hold");
  ok(held > before && held.slice(0, -1) === before.slice(0, -1), `${held} after ${before}`);

  equal(await stateOf(person, "tick-tock"), "issued, the tick-tock bit toggled to 1");
  match(await lastOf(person, "tick-tock"), /clock 11:59:59\.000 → ID 11:59:59\.000/);
  const said = await person.evaluate(() => document.querySelector(".clock [role=status]").textContent);
  match(said, /^The clock went back by 1 s\. throw: threw CLOCK_BACKWARDS\..*tick-tock: issued/);
  const drawn = await person.attribute('[data-policy="throw"] .times', "aria-label");
  match(drawn, /^The last 13 steps: 12 IDs, 0 of them at a held time; errors: 1/);
});

test("clock: every format has its policies, and says which is the default", async (person) => {
  for (const page of Object.keys(pages).filter((page) => page !== "sno")) {
    await openClock(person, page);
    equal(await person.count(".lane"), 3, page);
    equal(await person.count(".lane .default"), 1, page);
    match(await person.text('[data-policy="hold"] h4'), /the default/);
    await push(person, "1 h");
    for (const policy of POLICIES) equal(await stateOf(person, policy), "threw CLOCK_BACKWARDS", page);
    match(await lastOf(person, "hold"), /^The clock is 1 h behind: more than maxAheadMs, 10 s\. More$/, page);
  }
  await openClock(person, "snowflake");
  await person.fill("Format", "discord");
  await person.find({ text: "the default", inside: '[data-policy="hold"]' });
  await openClock(person, "sno");
  await person.find({ text: "the default", inside: '[data-policy="tick-tock"]' });
});

testEverywhere("clock: it runs, pauses, and starts again; the slider pushes by any step", async (person) => {
  await openClock(person, "sonyflake");
  const shown = () => person.text(".clock .now time");
  equal(await shown(), "12:00:00.000");
  await person.click({ role: "button", name: "Run" });
  await person.until(() => document.querySelector(".clock .now time").textContent > "12:00:00.020");
  await person.click({ role: "button", name: "Pause" });
  const paused = await shown();
  // Enough frames for a running clock to advance.
  await person.evaluate(async () => {
    for (let i = 0; i < 40; i++) await new Promise(requestAnimationFrame);
  });
  equal(await shown(), paused);
  await person.click({ role: "button", name: "Start again" });
  equal(await shown(), "12:00:00.000");

  await person.evaluate(() => document.querySelector(".slider input").focus());
  await person.press("End");
  equal(await person.attribute(".slider input", "aria-valuetext"), "1 h");
  await person.press("Home");
  equal(await person.attribute(".slider input", "aria-valuetext"), "1 ms");
  await person.press("ArrowRight");
  equal(await person.attribute(".slider input", "aria-valuetext"), "2 ms");
  await person.click(".slider button");
  equal(await shown(), "11:59:59.998");
});
