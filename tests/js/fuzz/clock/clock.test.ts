/** The short form of `npm run storm`: some stories of each format. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { twitter } from "graupel/snowflake";
import { search } from "../search.ts";
import type { Finding } from "./finding.ts";
import { FAMILIES } from "./formats.ts";
import { Identity } from "./identity.ts";
import { partOf } from "./part.ts";

const IDS = 20_000;

/** Each must have happened. */
const EVENTS =
  `next nextText nextMany nextManyText nextAsync at snapshot restore restart callbacks crashed aborted own
  waits full back held borrowed clocks apart spent
  BEFORE_EPOCH END_OF_LIFE CLOCK_INVALID CLOCK_BACKWARDS CLOCK_STUCK SEQUENCE_FULL TIME_TAKEN`.split(/\s+/);

for (const [format, { kind, subjects }] of Object.entries(FAMILIES)) {
  test(`${format}: no ID twice, out of order or outside its format`, async () => {
    const part = partOf(format);
    const { tally } = part;
    for await (const report of search(new Map([[format, part]]), {
      command: "storm",
      seed: 1,
      enough: IDS,
    })) {
      assert.fail(report);
    }
    assert.ok(tally.of("ids") >= IDS);
    const missing = EVENTS.filter((name) => !tally.all[name]);
    assert.deepEqual(missing, []);
    assert.equal(tally.of("toggled") > 0, kind === "sno");
    const [{ spec } = assert.fail()] = fc.sample(subjects, 1);
    assert.equal(tally.of("nextTyped") > 0, spec.idType !== "string");
    const many = tally.of("nextMany") + tally.of("nextManyText") + tally.of("nextTyped");
    assert.ok(tally.of("next") + tally.of("nextText") > many / 9);
  });
}

test("an identity shows what is wrong with an ID", () => {
  const [subject = assert.fail()] = fc.sample(FAMILIES.twitter?.subjects ?? assert.fail(), 1);
  const [naming = assert.fail()] = subject.namings;
  const { datacenterId = 0, workerId = 0 } = naming.fixed;
  const id = (ticks: number, sequence: number, other = 0) =>
    twitter.compose({ ticks, sequence, datacenterId, workerId: workerId ^ other });
  const identity = new Identity(subject, naming, new Set(), false);
  const running = identity.mark();
  identity.enter(id(1000, 7), 0, running);
  identity.enter(id(1001, 3), 0, running);
  const shows = (kind: Finding["kind"], what: () => void) =>
    assert.throws(what, (error: Finding) => error.kind === kind);
  shows("duplicate", () => identity.enter(id(1001, 3), 0, identity.mark()));
  shows("inversion", () => identity.enter(id(1001, 2), 0, running));
  shows("inversion", () => identity.enter(id(999, 9), 0, running));
  shows("outside", () => identity.enter(id(1002, 0, 1), 0, running));
  shows("outside", () => identity.enter(-id(1002, 0), 0, running));
  shows("outside", () => identity.enter(String(id(1002, 0)), 0, running));
  identity.enter(id(1002, 0), 0, running);
  identity.spend(identity.timeOf(1005));
  shows("spent", () => identity.enter(id(1004, 0), 0, identity.mark()));
  shows("spent", () => identity.look(id(500, 0), 0, identity.spent));
  identity.enter(id(1004, 1), 0, running);
  identity.enter(id(1005, 0), 0, identity.mark());
});
