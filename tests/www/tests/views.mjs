// Pictures of the pages, for looking at: phone and desktop, light and dark. Last of all files: Firefox and WebKitGTK start again
// for the other colours.

import { KINDS, NAVIGATION, openUsed } from "../lib/pages.mjs";
import { test } from "../lib/test.mjs";

const SIZES = { phone: [390, 844], desktop: [1280, 900] };

for (const theme of ["light", "dark"]) {
  for (const page of KINDS) {
    const only = page === NAVIGATION[0] ? undefined : ["Chromium"];
    test(`pictures, ${theme}: ${page.name}`, { only }, async (person) => {
      await person.theme(theme);
      for (const [device, size] of Object.entries(SIZES)) {
        await person.resize(...size);
        await openUsed(person, page);
        const name = `${page.name.toLowerCase().replaceAll(" ", "-")}-${device}-${theme}`;
        const browser = person.browser === "Chromium" ? "" : `-${person.browser.toLowerCase()}`;
        await person.screenshot(`${name}${browser}.png`, { whole: true });
      }
    });
  }
}
