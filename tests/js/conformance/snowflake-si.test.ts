// Every vector of Snowflake-SI, through the published entry. `npm test` prints the table.
import { test } from "node:test";
import { File } from "./vectors/data.ts";
import { codec, invalid, trace } from "./vectors/snowflake-si.ts";
import { Tally } from "./vectors/tally.ts";

test("Snowflake-SI vectors", async () => {
  const tally = new Tally(new File("snowflake-si"));
  await tally.section("codec", codec);
  await tally.section("invalid", invalid);
  await tally.section("traces", trace);
  tally.report();
});
