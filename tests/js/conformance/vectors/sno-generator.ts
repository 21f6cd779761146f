// sno's generators: traces of the clock, and IDs for given times.
import assert from "node:assert/strict";
import { emptyRegistry } from "../../support/other-process.ts";
import { type Item, type Json, list, number, text } from "./data.ts";
import { sno } from "./package.ts";
import { awaited, outcome, ScriptedClock, unixMs } from "./script.ts";
import type { Verdict } from "./tally.ts";

/** More than any trace waits, so that no wait fails. */
const PATIENCE = 1_000_000;

type Generator = ReturnType<typeof sno.generator>;

/** An ID without its sequence, which is the lowest 16 bits. */
function butSequence(id: string): bigint {
  return sno.toBigInt(id) >> 16n;
}

/** IDs for given times, from their own counter. */
export function newWithTime(item: Item): Verdict {
  const options = ["partition", "sequenceMin", "sequenceMax"].map((name) => [name, item.number(name)]);
  const clock = new ScriptedClock();
  clock.set(0, Date.UTC(2020, 0));
  const generator = sno.generator({ ...Object.fromEntries(options), clock: clock.read, isolated: true });
  const seen = new Set<string>();
  let highest = Number.NEGATIVE_INFINITY;
  let stands: Verdict;
  for (const [index, step] of item.steps().entries()) {
    const time = unixMs(BigInt(text(step[0])));
    const tick = Math.floor((Math.floor(time) - sno.epoch) / sno.layout.tickMs);
    const reference = text(step[2]);
    const rolledOver = index >= generator.capacity;
    const found = outcome(() => generator.at(time, number(step[1])));
    if (found.code === "BEFORE_EPOCH" || found.code === "END_OF_LIFE") {
      assert.ok(tick < 0 || tick >= 2 ** 39, `step ${index}: refused a time that fits`);
      stands = "sno-time-range";
    } else if (found.code !== undefined) {
      assert.ok(["TIME_TAKEN", "SEQUENCE_FULL"].includes(found.code), found.code);
      assert.ok(rolledOver, `step ${index}: refused before the counter rolled over`);
      assert.ok(tick <= highest, `step ${index}: refused a time above all that were given`);
      stands = "sno-at-rollover";
    } else {
      assert.ok(!seen.has(found.value), `step ${index}: an ID was repeated`);
      seen.add(found.value);
      if (found.value !== reference) {
        assert.ok(rolledOver, `step ${index}: found ${found.value}, wanted ${reference}`);
        assert.equal(butSequence(found.value), butSequence(reference), `step ${index}: all but the sequence`);
        stands = "sno-at-rollover";
      }
    }
    highest = Math.max(highest, tick);
  }
  return stands;
}

/** A generator with a scripted clock, which is sometimes restored from its own snapshots. */
class Run {
  #clock = new ScriptedClock();
  #generator: Generator;
  readonly #start: number;
  readonly #seen = new Set<string>();
  /** The sequence of the last ID, or of the snapshot that the generator was made from. */
  #sequence: number;
  readonly #min: number;
  #restored = false;
  stands: Verdict;

  constructor(
    readonly item: Item,
    readonly asynchronous: boolean,
  ) {
    const names = ["partition", "sequenceMin", "sequenceMax", "sequence", "wallHi", "wallSafe", "drifts"];
    const given = Object.fromEntries(names.map((name) => [name, item.number(name)]));
    this.#start = sno.epoch + item.number("start") * sno.layout.tickMs;
    this.#generator = this.#make({ version: 1, format: "sno", ...given } as ReturnType<
      Generator["snapshot"]
    >);
    this.#min = this.#generator.sequenceMin;
    this.#sequence = item.number("sequence") || this.#min;
  }

  /** As after a restart: no state is shared with the generator before. */
  #make(snapshot: ReturnType<Generator["snapshot"]>): Generator {
    this.#clock = new ScriptedClock();
    emptyRegistry();
    return sno.generator({ snapshot, clock: this.#clock.read, maxWaitMs: PATIENCE });
  }

  #set(readings: Json | undefined): number {
    return this.#clock.set(readings, this.#start, sno.layout.tickMs);
  }

  async next([, readings, given, wanted]: readonly Json[]): Promise<void> {
    const now = this.#set(readings);
    const metabyte = number(given);
    const found = this.asynchronous
      ? await awaited(() => this.#generator.nextAsync({ metabyte }))
      : outcome(() => this.#generator.next(metabyte));
    if (found.code !== undefined) {
      assert.ok(found.code === "END_OF_LIFE", `found ${found.code}, wanted ${wanted}`);
      assert.ok(now > sno.endOfLife + sno.layout.tickMs - 1, "refused within the format's time");
      this.stands = "sno-time-range";
      return;
    }
    const id = found.value;
    assert.ok(!this.#seen.has(id), "an ID was repeated");
    this.#seen.add(id);
    this.#sequence = sno.inspect(id).sequence;
    if (id !== wanted && this.#restored && this.item.get("bug") === "repeats") {
      assert.equal(butSequence(id), butSequence(text(wanted)), "all but the sequence");
      this.stands = "sno-stale-restore";
      return;
    }
    assert.equal(id, wanted);
  }

  observe([, reading, sequence, length, capacity, drifts, wallHi, wallSafe]: readonly Json[]): void {
    this.#set(reading);
    assert.equal(this.#generator.sequence(), sequence, "sequence()");
    this.#set(reading);
    assert.equal(this.#generator.len(), length, "len()");
    assert.equal(this.#generator.capacity, capacity, "capacity");
    this.#snapshot(reading, sequence, [drifts, wallHi, wallSafe]);
  }

  restore([, reading, sequence, ...rest]: readonly Json[]): void {
    const snapshot = this.#snapshot(reading, sequence, rest);
    this.#generator = this.#make(JSON.parse(JSON.stringify(snapshot)));
    this.#restored = true;
  }

  /** Takes a snapshot and compares it with the reference's `sequence` and `[drifts, wallHi, wallSafe]`. */
  #snapshot(reading: Json | undefined, sequence: Json | undefined, rest: readonly (Json | undefined)[]) {
    const now = (this.#set(reading) - sno.epoch) / sno.layout.tickMs;
    const snapshot = this.#generator.snapshot();
    const { drifts, wallHi, wallSafe } = snapshot;
    assert.deepEqual([drifts, wallHi, wallSafe], rest, "drifts, wallHi, wallSafe");
    assert.equal(snapshot.now, now, "now");
    assert.equal(snapshot.partition, this.item.number("partition"), "partition");
    assert.equal(snapshot.sequenceMin, this.#generator.sequenceMin, "sequenceMin");
    assert.equal(snapshot.sequenceMax, this.#generator.sequenceMax, "sequenceMax");
    assert.equal(snapshot.sequence, this.#sequence, "the true sequence");
    if (snapshot.sequence !== sequence) {
      assert.notEqual(now, wallHi, "another sequence in the tick of the last ID");
      assert.equal(sequence, this.#min, "the reference's sequence");
      this.stands ??= "snapshot-true-sequence";
    }
    return snapshot;
  }
}

/** Runs a trace by `next` and, on another generator, by `nextAsync`. Both must have the same result. */
export async function trace(item: Item): Promise<Verdict> {
  const runs = [new Run(item, false), new Run(item, true)];
  for (const run of runs) {
    for (const [index, step] of item.steps().entries()) {
      try {
        const op = text(step[0]);
        assert.ok(op === "restore" || op === "observe" || op === "new", `unknown step ${op}`);
        await run[op === "new" ? "next" : op](list(step));
      } catch (error) {
        const how = run.asynchronous ? "nextAsync, " : "";
        throw new Error(`${how}step ${index}: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  assert.equal(runs[1]?.stands, runs[0]?.stands);
  return runs[0]?.stands;
}
