// Lighthouse, with its own simulation of a phone, on what `npm run site` serves.

import { ok } from "node:assert/strict";
import { site } from "../../../www/build.mjs";
import { serveSite } from "../../../www/serve.mjs";
import { DOCUMENT, NAVIGATION } from "../lib/pages.mjs";
import { importTool } from "../lib/places.mjs";
import { test } from "../lib/test.mjs";

/** The lowest score allowed in each category. The speed score is only printed, because it depends on the load of the machine. */
const LEAST = 95;
const SPEED = "performance";

/** Only the test has a limit (suite.mjs), in milliseconds. */
const NEVER = { maxWaitForFcp: 3_600_000, maxWaitForLoad: 3_600_000 };

const [LOOK, MAKE, , CHOOSE] = NAVIGATION;

async function measure(url, port) {
  const { default: lighthouse } = await importTool("lighthouse");
  const { lhr } = await lighthouse(url, { port, output: "json", logLevel: "silent", ...NEVER });
  const scores = Object.values(lhr.categories).map(({ id, title, score }) => [
    title,
    Math.round(score * 100),
    id,
  ]);
  const less = Object.values(lhr.audits)
    .filter(
      ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== "informative",
    )
    .map(({ id, displayValue = "" }) => `${id} ${displayValue}`.trim());
  const good = scores.every(([, score, id]) => id === SPEED || score >= LEAST);
  return {
    good,
    words: scores.map(([title, score]) => `${title} ${score}`).join(", "),
    less: less.join("\n"),
  };
}

for (const { name, path } of [LOOK, MAKE, CHOOSE, DOCUMENT]) {
  test(`Lighthouse: ${name}`, { only: ["Chromium"] }, async (person) => {
    const host = await serveSite(site, 0);
    try {
      const { good, words, less } = await measure(host.address + path, person.driver.port());
      ok(good, `${words}\n${less}`);
      return words;
    } finally {
      await host.close();
    }
  });
}
