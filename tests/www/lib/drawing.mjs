// The page Look inside from a user's view: the entered text, the answer and the drawn bits.

import { ENTRY } from "./pages.mjs";

/** Opens the page and enters a text. */
export async function enter(person, text) {
  await person.open();
  await person.fill(ENTRY, text);
}

/**
 * The answer card of the shown ID as a sentence: the format, the certainty, the time in UTC, and
 * the fields.
 */
export async function answer(person) {
  await person.find(".drawing .answer");
  return person.evaluate(() =>
    [".kind strong", ".state", ".utc span", ".parts"]
      .flatMap((part) => document.querySelector(`.drawing .answer ${part}`)?.textContent ?? [])
      .join(", "),
  );
}

/** Waits until the answer starts with this text. */
export const answers = (person, start) =>
  person.until((start) => document.querySelector(".answer")?.textContent.startsWith(start), start);

/** Waits until the entry contains this text. */
export const entered = (person, text) =>
  person.until((text) => document.querySelector("textarea")?.value === text, text);

/** The drawn bits as digits, from high to low. */
export const bits = (person) =>
  person.evaluate(() =>
    [...document.querySelectorAll(".drawing [data-bit]")].map(({ textContent }) => textContent).join(""),
  );

/** The labels below the bits: values and words. */
export const labels = (person) =>
  person.evaluate(() =>
    [...document.querySelectorAll(".drawing .bits-label")].map((label) => [
      label.querySelector(".bits-value").textContent,
      label.querySelector(".bits-name").textContent,
    ]),
  );

export const value = (person, label) => person.value({ label });
export const focus = (person, selector) =>
  person.evaluate((selector) => document.querySelector(selector).focus(), selector);
export const turn = (person, bit) => person.click(`[data-bit="${bit}"]`);
export const others = (person) => person.click({ role: "button", name: /^(Could also be|Why)/ });

/** Changes a field and waits until the entry's text changes. */
export async function change(person, label, text) {
  const before = await person.value(ENTRY);
  await person.fill({ label }, text);
  await person.press("Tab");
  await person.until((before) => document.querySelector("textarea").value !== before, before);
  return person.value(ENTRY);
}
