// Every vector of sno, through the published entry. `npm test` prints the table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { File } from "./vectors/data.ts";
import { sno } from "./vectors/package.ts";
import { bounds, codec, compare, invalid, sort } from "./vectors/sno.ts";
import { newWithTime, trace } from "./vectors/sno-generator.ts";
import { overflowNotifications } from "./vectors/sno-overflow.ts";
import { autoPartition } from "./vectors/sno-partition.ts";
import { Tally } from "./vectors/tally.ts";

test("sno vectors", async () => {
  const tally = new Tally(new File("sno"));
  assert.equal(sno.epoch, tally.file.head("epoch"));
  assert.equal(sno.layout.tickMs, tally.file.head("tickMs"));
  await tally.section("codec", codec);
  await tally.section("compare", compare);
  await tally.section("sort", sort);
  await tally.section("invalid", invalid);
  await tally.section("bounds", bounds);
  await tally.section("new_with_time", newWithTime);
  await tally.section("traces", trace);
  await tally.section("overflow_notifications", overflowNotifications);
  await tally.section("auto_partition", autoPartition);
  tally.report();
});
