// Lighthouse, with its own simulation of a phone, on what `npm run www` serves.

import { ok } from "node:assert/strict";
import { site } from "../../../www/build.mjs";
import { serveSite } from "../../../www/serve.mjs";
import { DOCUMENT, NAVIGATION } from "../lib/pages.mjs";
import { importTool } from "../lib/places.mjs";
import { test } from "../lib/test.mjs";

/** The least score of each category. */
const LEAST = 95;

/** A machine that is busy with something else is slow: the page is not, if one of so many measurements is good. */
const TRIES = 3;

const [LOOK, MAKE, , CHOOSE] = NAVIGATION;

async function measure(url, port) {
  const { default: lighthouse } = await importTool("lighthouse");
  const { lhr } = await lighthouse(url, { port, output: "json", logLevel: "silent" });
  const scores = Object.values(lhr.categories).map(({ title, score }) => [title, Math.round(score * 100)]);
  const less = Object.values(lhr.audits)
    .filter(
      ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== "informative",
    )
    .map(({ id, displayValue = "" }) => `${id} ${displayValue}`.trim());
  const good = scores.every(([, score]) => score >= LEAST);
  return {
    good,
    words: scores.map(([title, score]) => `${title} ${score}`).join(", "),
    less: less.join("\n"),
  };
}

for (const { name, path } of [LOOK, MAKE, CHOOSE, DOCUMENT]) {
  test(`Lighthouse: ${name}`, { only: ["Chromium"], alone: true, seconds: 150 }, async (person) => {
    const host = await serveSite(site, 0);
    try {
      const tried = [];
      while (tried.length < TRIES && !tried.at(-1)?.good)
        tried.push(await measure(host.address + path, person.driver.port()));
      const words = tried.map((one) => one.words).join("\n");
      ok(tried.at(-1).good, `${words}\n${tried.at(-1).less}`);
      return words;
    } finally {
      await host.close();
    }
  });
}
