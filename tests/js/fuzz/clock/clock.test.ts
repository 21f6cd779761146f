/**
 * Random clocks, processes and calls: no ID repeats, is out of order or does not fit its format.
 * `GRAUPEL_RUNS=100` searches longer.
 */
import { test } from "node:test";
import type { FormatUnderTest } from "../../support/formats.ts";
import { named, snowflakeSIs, tiny } from "../../support/layouts.ts";
import { check } from "../property.ts";
import { stories } from "./plan.ts";
import { Story } from "./story.ts";

const families: Record<string, readonly FormatUnderTest[]> = {
  ...Object.fromEntries(named().map((subject) => [subject.name, [subject]])),
  "Snowflake-SI": snowflakeSIs(),
  "narrow layouts": tiny(),
};

for (const [name, subjects] of Object.entries(families)) {
  test(`${name}: no ID twice, out of order or outside its format`, async () => {
    await check(name === "narrow layouts" ? 100 : 12, stories(subjects), (told) => new Story(told).play());
  });
}
