// Every vector of Ulid-Flake, through the published entry. `npm test` prints the table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { File } from "./vectors/data.ts";
import { ulidFlake, ulidFlakeScalable } from "./vectors/package.ts";
import { Tally } from "./vectors/tally.ts";
import { codec, config, fromInt, fromUnixEpochTime, parse, trace } from "./vectors/ulid-flake.ts";

test("Ulid-Flake vectors", async () => {
  const tally = new Tally(new File("ulid-flake"));
  assert.equal(ulidFlake.epoch, tally.file.head("epoch"));
  assert.equal(ulidFlakeScalable.epoch, tally.file.head("epoch"));
  await tally.section("codec", codec);
  await tally.section("parse", parse);
  await tally.section("from_int", fromInt);
  await tally.section("from_unix_epoch_time", fromUnixEpochTime);
  await tally.section("config", config);
  await tally.section("traces", trace);
  tally.report();
});
