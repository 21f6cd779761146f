// Every vector of the Snowflake dialects, through the published entry. `npm test` prints the table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { File } from "./vectors/data.ts";
import { codec, config, DIALECTS, held, idAt, trace } from "./vectors/snowflake.ts";
import { Tally } from "./vectors/tally.ts";

test("Snowflake vectors", async () => {
  const tally = new Tally(new File("snowflake"));
  const epochs = [...DIALECTS].map(([name, { format }]) => [name, format.epoch]);
  assert.deepEqual(Object.fromEntries(epochs), tally.file.head("epochs"));
  await tally.section("codec", codec);
  await tally.section("traces", trace);
  await tally.section("held", held);
  await tally.section("id_at", idAt);
  await tally.section("config", config);
  tally.report();
});
