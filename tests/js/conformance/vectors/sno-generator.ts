// sno's generators: traces of the clock, IDs for given times, and bounds of the sequence.
import assert from "node:assert/strict";
import { type SnoGenerator, sno } from "graupel/sno";
import { IssuedIds } from "../../../support/issued.mjs";
import type { AnyFormat, AnyGenerator } from "../../support/any-format.ts";
import { emptyRegistry } from "../../support/other-process.ts";
import { type Item, type Json, pick } from "./data.ts";
import { outcome, refused, unixMs } from "./script.ts";
import { PATIENCE, Player, playTrace, type Step } from "./trace.ts";

/** The state in a snapshot. */
const STATE = ["partition", "sequenceMin", "sequenceMax", "sequence", "wallHi", "wallSafe", "drifts"];

/**
 * A generator that continues from a state, as after a restart. It shares no state with earlier
 * generators.
 */
function restored(state: object, clock: () => number, maxWaitMs = PATIENCE): SnoGenerator {
  emptyRegistry();
  const snapshot = { version: 1, format: "sno", ...state } as ReturnType<SnoGenerator["snapshot"]>;
  return sno.generator({ snapshot, clock, maxWaitMs });
}

/** Checks IDs for given times, which have their own counter. */
export function newWithTime(item: Item): void {
  const options = pick(item, "partition", "sequenceMin", "sequenceMax");
  const generator = sno.generator({ ...options, clock: () => Date.UTC(2020, 0), isolated: true });
  const issued = new IssuedIds();
  let differed = false;
  for (const [index, [time, metabyte, recorded, here]] of item.steps.entries()) {
    const found = outcome(() => generator.at(unixMs(BigInt(time)), metabyte));
    const wanted = here === undefined ? recorded : here.here;
    assert.equal(found.code ?? found.value, wanted, `step ${index}`);
    if (found.code === undefined) issued.add(found.value);
    differed ||= here !== undefined;
  }
  assert.equal(item.deviation !== null, differed, "a deviation");
}

/** Takes a snapshot and compares it with the reference's. */
function snapshot(player: Player, step: Step, [reading, sequence, ...rest]: readonly Json[]) {
  const now = (player.set(reading) - sno.epoch) / sno.layout.tickMs;
  const { generator } = player as unknown as { generator: SnoGenerator };
  const snapshot = generator.snapshot();
  const { drifts, wallHi, wallSafe } = snapshot;
  assert.deepEqual([drifts, wallHi, wallSafe], rest, "drifts, wallHi, wallSafe");
  const { partition, sequenceMin, sequenceMax } = generator;
  assert.deepEqual(
    { ...snapshot, now },
    { ...snapshot, partition, sequenceMin, sequenceMax },
    "now, and the options",
  );
  assert.equal(snapshot.sequence, player.wanted(sequence, step), "the sequence of the last ID");
  return snapshot;
}

function observe(player: Player, step: Step): void {
  const [reading, sequence, length, capacity, ...rest] = step.rest;
  const { generator } = player as unknown as { generator: SnoGenerator };
  player.set(reading);
  assert.equal(generator.sequence(), sequence, "sequence()");
  player.set(reading);
  assert.equal(generator.len(), length, "len()");
  assert.equal(generator.capacity, capacity, "capacity");
  snapshot(player, step, [reading as Json, sequence as Json, ...rest]);
}

function restore(player: Player, step: Step): void {
  const saved = JSON.parse(JSON.stringify(snapshot(player, step, step.rest)));
  player.generator = restored(saved, player.clock.read) as unknown as AnyGenerator;
}

/** Plays a trace, starting from the reference's snapshot. */
export const trace = (item: Item): Promise<void> =>
  playTrace(
    item,
    (way) => {
      const start = sno.epoch + item.start * sno.layout.tickMs;
      const player = new Player(sno as unknown as AnyFormat, start, way, {});
      const generator = restored(pick(item, ...STATE), player.clock.read);
      assert.equal(generator.partition, item.partition);
      player.generator = generator as unknown as AnyGenerator;
      return player;
    },
    { observe, restore },
  );

export function bounds(item: Item): void {
  const options = pick(item, "sequenceMin", "sequenceMax");
  const error = item.error;
  // The clock has stopped at the epoch. Only a snapshot can set the sequence; because its highest
  // reading is 0, the sequence is the current one there.
  const clock = () => sno.epoch;
  const state = { ...options, ...pick(item, "sequence"), partition: 7, wallHi: 0, wallSafe: 0, drifts: 0 };
  const again = () => restored(state, clock, 0);
  const made = () => sno.generator({ ...options, clock, partition: 7, isolated: true });

  const isPool = item.deviation === "sno-pool-of-4";
  assert.ok(!isPool || error === "small");
  if (error !== null && !isPool) refused(again, "SNAPSHOT");
  if (item.here !== null) {
    refused(made, item.here);
    return;
  }
  assert.ok(error === null || error === "underflow" || isPool);
  const { effectiveMin: min, effectiveMax: max } = pick(item, "effectiveMin", "effectiveMax");
  for (const generator of error === "underflow" ? [made()] : [made(), again()]) {
    const { sequenceMin, sequenceMax, capacity } = generator;
    assert.deepEqual(
      { sequenceMin, sequenceMax, capacity },
      { sequenceMin: min, sequenceMax: max, capacity: max - min + 1 },
    );
  }
  if (error === null) {
    assert.equal(again().capacity, item.capacity, "capacity");
    assert.equal(again().sequence(), item.effectiveSequence, "sequence");
    // The tick continues after this sequence or is used up.
    const next = outcome(() => sno.inspect(again().next()).sequence);
    const wanted = item.effectiveSequence < max ? item.effectiveSequence + 1 : "SEQUENCE_FULL";
    assert.equal(next.code ?? next.value, wanted, "the next sequence");
  }
}
