/** The short form of `npm run storm`: a few stories of each format. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { twitter } from "graupel/snowflake";
import { Random } from "../../support/random.ts";
import type { Finding } from "./finding.ts";
import { IdSet } from "./id-set.ts";
import { IssuedIds } from "./issued.ts";
import { tellStories } from "./run.ts";
import { SUBJECTS } from "./subjects.ts";

/** The least number of stories of each format. */
const STORIES = 200;
const IDS = 20_000;

for (const format of Object.keys(SUBJECTS)) {
  test(`${format}: no ID twice, out of order or outside its format`, async () => {
    const lines: string[] = [];
    const tally = await tellStories({
      format,
      seed: 1,
      ids: IDS,
      stories: STORIES,
      once: true,
      say: (line) => lines.push(line),
      progress() {},
    });
    assert.equal(tally.found, 0, lines.join("\n"));
    assert.ok(tally.ids >= IDS);
    // Every kind of event must have happened.
    const { waits, full, back, held, clocks, spent, apart } = tally.events;
    const { nextAsync, at, restore, restart } = tally.calls;
    const happened = [
      waits,
      full,
      back,
      held,
      clocks,
      spent,
      apart,
      nextAsync,
      at,
      restore,
      restart,
      tally.own,
    ];
    for (const count of happened) {
      assert.ok(count > 0, JSON.stringify(tally));
    }
    assert.ok(tally.singles > 0.1);
  });
}

test("the set of IDs knows what it contains", () => {
  const dice = new Random(1);
  const seen = new IdSet(4);
  for (let round = 0; round < 3; round++) {
    seen.clear();
    const known = new Set<string>();
    for (let i = 0; i < 20_000; i++) {
      const [high, low, tag] = [dice.below(30), dice.pick([dice.below(200), dice.u32()]), dice.below(2)];
      const key = `${high} ${low} ${tag}`;
      assert.equal(seen.add(high, low, tag), !known.has(key));
      known.add(key);
    }
  }
});

test("the record of issued IDs shows what is wrong with an ID", () => {
  const seen = new IdSet();
  const subject = SUBJECTS.twitter?.(new Random(2));
  const naming = subject?.namings[0];
  assert.ok(subject !== undefined && naming !== undefined);
  const { datacenterId = 0, workerId = 0 } = naming.fixed;
  const id = (ticks: number, sequence: number, other = 0) =>
    twitter.compose({ ticks, sequence, datacenterId, workerId: workerId ^ other });
  const issued = new IssuedIds(subject, naming, seen, 0);
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
