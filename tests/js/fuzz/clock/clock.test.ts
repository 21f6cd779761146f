/**
 * Random clocks, processes and calls: no ID repeats, is out of order or does not fit its format.
 * `GRAUPEL_RUNS=100` searches longer.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { IssuedIds } from "../../../support/issued.mjs";
import type { Id } from "../../support/any-format.ts";
import type { FormatUnderTest } from "../../support/formats.ts";
import { named, snowflakeSIs, tiny } from "../../support/layouts.ts";
import { check, Tally } from "../property.ts";
import { Identity } from "./identity.ts";
import { CODES, stories } from "./plan.ts";
import { Story } from "./story.ts";

const families: Record<string, readonly FormatUnderTest[]> = {
  ...Object.fromEntries(named().map((subject) => [subject.name, [subject]])),
  "Snowflake-SI": snowflakeSIs(),
  "narrow layouts": tiny(),
};
const tally = new Tally();

for (const [name, subjects] of Object.entries(families)) {
  test(`${name}: no ID twice, out of order or outside its format`, async () => {
    await check(name === "narrow layouts" ? 300 : 25, stories(subjects), (told) =>
      new Story(told, tally).play(),
    );
  });
}

test("everything has happened", (t) => {
  const calls = "next nextText nextMany nextManyText nextTyped nextAsync at snapshot restore restart own";
  const acts = "next many at async abort throw save restore spend crash clock".split(" ");
  const names = [...calls.split(" "), ...CODES, ...acts.map((act) => `callback: ${act}`), "an ID in the end"];
  t.diagnostic(JSON.stringify(tally.counts));
  assert.deepEqual(tally.missing(names), []);
});

test("an identity shows what is wrong with an ID", () => {
  const twitter = named().find(({ name }) => name === "twitter") as FormatUnderTest;
  const id = (ticks: number, sequence: number, workerId = 2) =>
    twitter.format.compose({ ticks, sequence, datacenterId: 1, workerId }) as bigint;
  const identity = new Identity(twitter, { datacenterId: 1, workerId: 2 }, new IssuedIds());
  const enter = (one: unknown) => identity.enter([one as Id], identity.mark());
  enter(id(1000, 7));
  enter(id(1001, 3));
  assert.throws(() => enter(id(1001, 3)), /was issued twice/);
  assert.throws(() => enter(id(1001, 2)), /follows 1001.3/);
  assert.throws(() => enter(id(999, 9)), /follows 1001.3/);
  assert.throws(() => enter(id(1002, 0, 3)), /workerId of/);
  assert.throws(() => enter(-id(1002, 0)), /is no ID/);
  assert.throws(() => enter(String(id(1002, 0))), /number|string/);
  identity.spend(identity.timeOf(1005));
  assert.throws(() => enter(id(1004, 0)), /1004 was spent/);
  enter(id(1005, 0));
  const read = (ticks: number) => identity.timeOf(ticks);
  const near = (one: bigint) => identity.near([one], { first: read(1005), last: read(1007) }, 2);
  for (const ticks of [1005, 1009]) near(id(ticks, 0));
  for (const ticks of [1004, 1010]) assert.throws(() => near(id(ticks, 0)), /not of 1005 to 1009/);
  const [first, second] = [identity.queued(false), identity.queued(false)];
  second(id(1006, 0));
  assert.throws(() => first(id(1007, 0)), /of a call that came earlier/);
});
