/** The short form of `npm run storm`: some stories of each format. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { twitter } from "graupel/snowflake";
import type { Finding } from "./finding.ts";
import { FAMILIES } from "./formats.ts";
import { Issued } from "./issued.ts";
import { tellStories } from "./run.ts";

const IDS = 20_000;

for (const [format, { kind, subject }] of Object.entries(FAMILIES)) {
  test(`${format}: no ID twice, out of order or outside its format`, async () => {
    const { tally, report } = await tellStories({ format, seed: 1, ids: IDS });
    assert.equal(report, undefined, report);
    assert.ok(tally.ids >= IDS);
    // Every kind of call and event must have happened.
    const [{ spec } = assert.fail()] = fc.sample(subject, 1);
    const { toggled, ...events } = tally.events;
    const { nextTyped, ...calls } = tally.calls;
    assert.equal(toggled > 0, kind === "sno");
    assert.equal(nextTyped > 0, spec.idType !== "string");
    for (const count of [...Object.values(events), ...Object.values(calls)]) {
      assert.ok(count > 0, JSON.stringify(tally));
    }
    assert.ok(tally.singles > 0.1);
  });
}

test("the record of issued IDs shows what is wrong with an ID", () => {
  const subject = fc.sample(FAMILIES.twitter?.subject ?? assert.fail(), { numRuns: 1, seed: 2 }).pop();
  const naming = subject?.namings[0];
  assert.ok(subject !== undefined && naming !== undefined);
  const { datacenterId = 0, workerId = 0 } = naming.fixed;
  const id = (ticks: number, sequence: number, other = 0) =>
    twitter.compose({ ticks, sequence, datacenterId, workerId: workerId ^ other });
  const issued = new Issued(subject, naming, new Set());
  const running = issued.mark();
  issued.enter(id(1000, 7), 0, running);
  issued.enter(id(1001, 3), 0, running);
  const shows = (kind: Finding["kind"], what: () => void) =>
    assert.throws(what, (error: Finding) => error.kind === kind);
  shows("duplicate", () => issued.enter(id(1001, 3), 0, issued.mark()));
  shows("inversion", () => issued.enter(id(1001, 2), 0, running));
  shows("inversion", () => issued.enter(id(999, 9), 0, running));
  shows("outside", () => issued.enter(id(1002, 0, 1), 0, running));
  shows("outside", () => issued.enter(-id(1002, 0), 0, running));
  shows("outside", () => issued.enter(String(id(1002, 0)), 0, running));
  issued.enter(id(1002, 0), 0, running);
  issued.spend(issued.timeOf(1005));
  shows("spent", () => issued.enter(id(1004, 0), 0, issued.mark()));
  shows("spent", () => issued.look(id(500, 0), 0, issued.spent));
  issued.enter(id(1004, 1), 0, running);
  issued.enter(id(1005, 0), 0, issued.mark());
});
