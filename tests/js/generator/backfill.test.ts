// `at(time)`: what tests/stories/backfill.json cannot express.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { sno } from "graupel/sno";
import { mastodon, twitter } from "graupel/snowflake";
import { FORMATS } from "../support/formats.ts";
import { Random } from "../support/random.ts";
import { Stage } from "./stage.ts";

test("at: a time is floored to its tick, and may be a Date", () => {
  for (const subject of FORMATS) {
    const stage = new Stage(subject, "scarce");
    const late = stage.high + stage.tick - (subject.name === "mastodon" ? 0.6 : 0.001);
    assert.equal(stage.tickOf(stage.generator.at(late)), 0, subject.name);
    assert.equal(stage.tickOf(stage.generator.at(new Date(stage.at(1)))), 1, subject.name);
  }
});

test("at: a refusal says which times are free", () => {
  for (const subject of FORMATS) {
    const stage = new Stage(subject, "scarce");
    const fill = () => {
      for (;;) stage.generator.at(stage.at(7));
    };
    const advice = new RegExp(
      `${subject.counts} is used up; give a time ${stage.tick} ms later, or use compose`,
    );
    assert.throws(fill, advice, subject.name);
    assert.equal(stage.tickOf(stage.generator.at(stage.at(7) + stage.tick)), 8, subject.name);
  }
  for (const subject of FORMATS.filter(({ isRandom }) => !isRandom)) {
    const stage = new Stage(subject, "scarce");
    const at = (ticks: number) => stage.generator.at(stage.at(ticks));
    const wrap = (ticks: number) => {
      Array.from({ length: subject.perTick }, () => at(ticks));
      at(ticks + 1);
      assert.throws(() => at(ticks), /times must ascend now; sort them, or use compose/, subject.name);
    };
    wrap(7);
    stage.issue(20);
    wrap(17);
    assert.throws(() => at(20), /another worker ID/, subject.name);
  }
});

test("at: with a metabyte", () => {
  const generator = sno.generator({ partition: 3, isolated: true });
  const time = sno.epoch + 4_000_000;
  const { tickTock, metabyte, partition, ticks } = sno.inspect(generator.at(time - 4, 200));
  assert.deepEqual([tickTock, metabyte, partition, ticks], [0, 200, 3, 999_999]);
});

/**
 * Computes a row's ID from its key, as in www/docs/old-data.md: in Mastodon's layout, in the upper
 * half of its values.
 */
function idOf(format: typeof mastodon | typeof twitter, time: number, key: string, attempt: number): bigint {
  const hash = createHash("sha256").update(`${attempt} ${key}`).digest().readUInt32BE();
  return format === mastodon
    ? mastodon.compose({ timestamp: time, sequenceData: 0x8000 + (hash % 0x8000) })
    : twitter.compose({ timestamp: time, datacenterId: 0, workerId: 31, sequence: hash % 4096 });
}

for (const format of [mastodon, twitter]) {
  test(`${format.name}: IDs from keys, for times in any order, and those of a generator, are all different`, () => {
    const rows = new Map<bigint, string>();
    const insert = ([time, key]: readonly [number, string]): bigint => {
      for (let attempt = 0; ; attempt++) {
        const id = idOf(format, time, key, attempt);
        const found = rows.get(id) ?? key;
        rows.set(id, found);
        if (found === key) return id;
      }
    };
    // Times in random order, many of them equal.
    const random = new Random(1);
    const posts = Array.from({ length: 70_000 }, (_, i) => [1.5e12 + random.below(20_000), `${i}`] as const);
    const ids = posts.map(insert);
    assert.equal(new Set(ids).size, posts.length);
    assert.ok(posts.every(([time], i) => format.inspect(ids[i] as bigint).timestamp === time));
    // The same row gets the same ID and is found.
    assert.deepEqual(posts.slice(0, 700).map(insert), ids.slice(0, 700));
    assert.equal(rows.size, posts.length);
    const live = format === mastodon ? mastodon.generator({ isolated: true }).nextMany(1000) : [];
    for (const id of live) assert.ok(mastodon.inspect(id).sequenceData < 0x8000);
  });
}
