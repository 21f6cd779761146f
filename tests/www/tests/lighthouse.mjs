// Lighthouse, with its own simulation of a phone, at a host's root, where it looks for robots.txt.

import { ok } from "node:assert/strict";
import { site } from "../../../www/build.mjs";
import { DOCUMENT, NAVIGATION } from "../lib/pages.mjs";
import { importTool } from "../lib/places.mjs";
import { serve } from "../lib/server.mjs";
import { test } from "../lib/test.mjs";

/** The least score of each category. */
const LEAST = 95;

const [LOOK, MAKE] = NAVIGATION;

for (const { name, path } of [LOOK, MAKE, DOCUMENT]) {
  test(`Lighthouse: ${name}`, { only: ["Chromium"], alone: true, seconds: 120 }, async (person) => {
    const { default: lighthouse } = await importTool("lighthouse");
    const server = await serve(site, { under: "/", watched: false });
    try {
      const flags = { port: person.driver.port(), output: "json", logLevel: "silent" };
      const { lhr } = await lighthouse(server.root + path, flags);
      const scores = Object.values(lhr.categories).map(({ title, score }) => [
        title,
        Math.round(score * 100),
      ]);
      const words = scores.map(([title, score]) => `${title} ${score}`).join(", ");
      const less = Object.values(lhr.audits)
        .filter(
          ({ score, scoreDisplayMode }) =>
            score !== null && score < 0.9 && scoreDisplayMode !== "informative",
        )
        .map(({ id, displayValue = "" }) => `${id} ${displayValue}`.trim());
      ok(
        scores.every(([, score]) => score >= LEAST),
        `${words}\n${less.join("\n")}`,
      );
      return words;
    } finally {
      await server.close();
    }
  });
}
