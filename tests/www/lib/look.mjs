// What the tests of "Look inside" share.

export const ENTRY = "An ID, or a text with IDs in it";

/** From the services' own documentation, and from tests/vectors. */
export const DISCORD = "175928847299117063";
export const SNO = "brpk4q72xwf2m63l";
/** A sno of 1 May 2024: one of a time to come is no ID in a log. */
export const RECENT = "8kl8q6q22gf2m2i7";

/** Opens the page and enters a text. */
export async function enter(person, text) {
  await person.open();
  await person.fill(ENTRY, text);
}

/** The sentence about the ID that is shown. */
export const answer = async (person) =>
  (await person.text(".drawing .answer")).replace(/\s+/g, " ").replace(/ ,/g, ",");

/** The drawn bits as digits, high to low. */
export const bits = (person) =>
  person.evaluate(() =>
    [...document.querySelectorAll(".drawing [data-bit]")].map(({ textContent }) => textContent).join(""),
  );

/** What stands below the bits: values and words. */
export const labels = (person) =>
  person.evaluate(() =>
    [...document.querySelectorAll(".drawing .bits-label")].map((label) => [
      label.querySelector(".bits-value").textContent,
      label.querySelector(".bits-name").textContent,
    ]),
  );

export const value = (person, label) => person.value({ label });
