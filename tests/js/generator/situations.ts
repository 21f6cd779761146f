// Situations of a generator, with the expected outcome for each policy: those that tests/stories/*.json does not have (the bounds of
// waits, clocks that stop, several generators), and those that the pages in www/docs are written from. Expected words are verdicts
// (see scripted-clock.ts). Distances are in ticks.
import { type Stage, stands } from "./scripted-clock.ts";
import type { Backwards, Full, Room } from "./subjects.ts";

/** The bounds of most stories: far apart, and far longer than the real time of a story. */
export const WAIT = 1200;
export const AHEAD = 2000;

/** One verdict for all calls; or one for `next`, and one for `nextMany` and `nextAsync`. */
type ByCall = string | readonly [next: string, others: string];
type ByFull = ByCall | Readonly<Record<Full, ByCall>>;
type Expected = ByFull | Readonly<Record<Backwards, ByFull>>;

export interface Situation {
  readonly name: string;
  readonly room: Room;
  /** Whether several generators of one identity take part. */
  readonly shared?: true;
  /** Where `high` is: two ticks after the epoch, or at the last tick; by default in the middle of the format's life. */
  readonly where?: "epoch" | "end";
  /** Other bounds than the usual ones. */
  options?(tick: number): { readonly maxWaitMs?: number; readonly maxAheadMs?: number };
  /** What happened before. */
  prepare(stage: Stage): void;
  /** The readings of the call under test, in ticks from `high`; `less` ms are subtracted from the first. */
  readonly readings: readonly number[];
  readonly less?: number;
  /** Whether the clock stands still after the last reading; otherwise it runs on. */
  readonly frozen?: true;
  /** For the pages: the highest reading so far (0 if left out), whether the tick-tock bit is set, readings by name. */
  readonly highest?: number;
  readonly tickTock?: true;
  readonly names?: Readonly<Record<number, string>>;
  readonly expected: Expected;
  /** Only under these policies. */
  readonly only?: {
    readonly backwards?: Backwards;
    readonly full?: Full;
    readonly call?: "next";
    readonly tickTock?: true;
  };
}

const BACK = "CLOCK_BACKWARDS";
const FULLY = "SEQUENCE_FULL";
const STUCK = "CLOCK_STUCK";
const OVER = "END_OF_LIFE";

const one = (stage: Stage) => void stage.issue(0);
const full = (stage: Stage) => stage.fill();

/** The clock steps back after one ID, in a tick with room for more. */
const step = (name: string, ticks: number, less: number, expected: Expected): Situation => ({
  name,
  room: "roomy",
  prepare: one,
  readings: [-ticks],
  less,
  names: { [-AHEAD]: "a reading `maxAheadMs` below the highest" },
  expected,
});

/** Steps back of every size, smallest first. The pages derive the limits of each policy from them. */
export const STEPS: readonly Situation[] = [
  step("one tick", 1, 0, { throw: BACK, wait: "0 @0", hold: "0", "tick-tock": "-1'" }),
  step("maxWaitMs", WAIT, 0, { throw: BACK, wait: "0 @0", hold: "0", "tick-tock": `-${WAIT}'` }),
  step("maxWaitMs and 1 ms", WAIT, 1, { throw: BACK, wait: BACK, hold: "0", "tick-tock": `-${WAIT + 1}'` }),
  step("maxAheadMs", AHEAD, 0, { throw: BACK, wait: BACK, hold: "0", "tick-tock": `-${AHEAD}'` }),
  step("maxAheadMs and 1 ms", AHEAD, 1, {
    throw: BACK,
    wait: BACK,
    hold: `0 @-${AHEAD}`,
    "tick-tock": `-${AHEAD + 1}'`,
  }),
  step("maxAheadMs + maxWaitMs", AHEAD + WAIT, 0, {
    throw: BACK,
    wait: BACK,
    hold: `0 @-${AHEAD}`,
    "tick-tock": `-${AHEAD + WAIT}'`,
  }),
  step("maxAheadMs + maxWaitMs and 1 ms", AHEAD + WAIT, 1, {
    throw: BACK,
    wait: BACK,
    hold: BACK,
    "tick-tock": `-${AHEAD + WAIT + 1}'`,
  }),
];

/** A step back by one tick with bounds of 0. */
const BOUNDS: readonly Situation[] = [
  {
    ...step("one tick, maxWaitMs 0", 1, 0, { throw: BACK, wait: BACK, hold: "0", "tick-tock": "-1'" }),
    options: () => ({ maxWaitMs: 0 }),
  },
  {
    ...step("one tick, both bounds 0", 1, 0, { throw: BACK, wait: BACK, hold: BACK, "tick-tock": "-1'" }),
    options: () => ({ maxWaitMs: 0, maxAheadMs: 0 }),
  },
  {
    ...step("none: the same tick", 0, 0, "0"),
    options: () => ({ maxWaitMs: 0, maxAheadMs: 0 }),
  },
];

/** A second step back, into a time that sno has used with both tick-tock bits. */
const spent = (
  name: string,
  forward: number,
  readings: readonly number[],
  expected: Expected,
): Situation => ({
  name: `second step back: ${name}`,
  room: "roomy",
  shared: true,
  only: { tickTock: true },
  prepare(stage) {
    // Another generator with tick-tock uses both lines, whatever the policy of the generator under test.
    const ticking = stage.another({ clockBackwards: "tick-tock" });
    stage.issue(0, 1, ticking);
    stage.issue(-10, 1, ticking);
    stage.issue(forward, 1, ticking);
  },
  readings,
  highest: forward,
  tickTock: true,
  names: { 1: "the end of the spent period" },
  expected,
});

const SECOND_STEPS: readonly Situation[] = [
  spent("into the spent period", -6, [-8], {
    throw: BACK,
    wait: "-6' @-6",
    hold: "-6'",
    "tick-tock": "-6' @-6",
  }),
  spent("to its first tick", -6, [-10], {
    throw: BACK,
    wait: "-6' @-6",
    hold: "-6'",
    "tick-tock": "-6' @-6",
  }),
  spent("to before it", -6, [-11], { throw: BACK, wait: "-6' @-6", hold: "-6'", "tick-tock": "-6' @-6" }),
  spent("to its last tick, from past it", 8, [0], {
    throw: BACK,
    wait: "+8' @+8",
    hold: "+8'",
    "tick-tock": "+1 @+1",
  }),
  spent("to the first tick past it", 8, [1], {
    throw: BACK,
    wait: "+8' @+8",
    hold: "+8'",
    "tick-tock": "+1",
  }),
  {
    ...spent("exactly maxWaitMs", -6, [-8], {
      throw: BACK,
      wait: "-6' @-6",
      hold: "-6'",
      "tick-tock": "-6' @-6",
    }),
    options: (tick) => ({ maxWaitMs: 2 * tick }),
  },
  {
    ...spent("maxWaitMs and 1 ms", -6, [-8], { throw: BACK, wait: BACK, hold: "-6'", "tick-tock": BACK }),
    options: (tick) => ({ maxWaitMs: 2 * tick - 1 }),
  },
];

/** The next ID of a tick that is used up. */
const used = (name: string, expected: ByFull, more: Partial<Situation> = {}): Situation => ({
  name,
  room: "scarce",
  prepare: full,
  readings: [0],
  expected,
  ...more,
});

const ahead = (name: string, ticks: number, expected: ByCall, more: Partial<Situation> = {}): Situation =>
  used(name, expected, {
    only: { full: "borrow" },
    prepare: (stage) => stage.fill(ticks),
    options: (tick) => ({ maxAheadMs: 3 * tick }),
    highest: ticks - 1,
    names: { 1: "the clock's next tick" },
    ...more,
  });

export const FULL_TICKS: readonly Situation[] = [
  used("sequence full", { throw: [FULLY, "+1 @+1"], wait: "+1 @+1", borrow: "+1" }),
  used(
    "sequence full, the next tick exactly maxWaitMs away",
    { throw: [FULLY, "+1 @+1"], wait: "+1 @+1", borrow: "+1" },
    { options: (tick) => ({ maxWaitMs: tick }) },
  ),
  used(
    "sequence full, the next tick maxWaitMs and 1 ms away",
    { throw: FULLY, wait: FULLY, borrow: "+1" },
    { options: (tick) => ({ maxWaitMs: tick - 1 }) },
  ),
  used(
    "sequence full, maxWaitMs 0",
    { throw: FULLY, wait: FULLY, borrow: "+1" },
    { options: () => ({ maxWaitMs: 0 }) },
  ),
  used(
    "sequence full, the clock steps back during the wait",
    { throw: [FULLY, "+1 @+1"], wait: "+1 @+1", borrow: "+1" },
    { readings: [0, -5, -2, 0] },
  ),
  used(
    "sequence full, the clock jumps during the wait",
    { throw: [FULLY, "+500 @+500"], wait: "+500 @+500", borrow: "+1" },
    { readings: [0, 500] },
  ),
  ahead("full past maxAheadMs", 4, "+4 @+1"),
  ahead("full past maxAheadMs, maxWaitMs 0", 4, FULLY, {
    options: (tick) => ({ maxAheadMs: 3 * tick, maxWaitMs: 0 }),
  }),
];

/** Both at once: a step back out of a tick that is used up. */
const BOTH: readonly Situation[] = [
  {
    name: "out of a full tick, so far that both waits together take exactly maxWaitMs",
    room: "scarce",
    only: { backwards: "wait", full: "wait" },
    prepare: full,
    readings: [1 - WAIT],
    expected: "+1 @+1",
  },
  {
    // The bound applies to `next` as a whole, and to each wait of `nextMany`.
    name: "out of a full tick, so far that both waits together take longer",
    room: "scarce",
    only: { backwards: "wait", full: "wait", call: "next" },
    prepare: full,
    readings: [-WAIT],
    expected: `${FULLY} @0`,
  },
];

/** Waits that only the monotonic clock ends; the bound is short. */
const short = (tick: number) => ({ maxWaitMs: tick + 3 });

export const FROZEN: readonly Situation[] = [
  {
    ...step("one tick back, then frozen", 1, 0, { throw: BACK, wait: STUCK, hold: "0", "tick-tock": "-1'" }),
    options: short,
    frozen: true,
  },
  used(
    "sequence full, then frozen",
    { throw: [FULLY, STUCK], wait: STUCK, borrow: "+1" },
    { options: short, frozen: true },
  ),
  ahead("full past maxAheadMs, then frozen", 4, STUCK, {
    options: (tick) => ({ ...short(tick), maxAheadMs: 3 * tick }),
    frozen: true,
  }),
  used(
    "sequence full, then frozen a little later",
    { throw: [FULLY, `${FULLY} @~`], wait: `${FULLY} @~`, borrow: "+1" },
    { options: short, frozen: true, readings: [0, 0, 0.25] },
  ),
  {
    name: "one tick back, out of a full tick, then frozen",
    room: "scarce",
    prepare: full,
    readings: [-1],
    options: (tick) => ({ maxWaitMs: 2 * tick + 3 }),
    frozen: true,
    expected: {
      throw: BACK,
      wait: STUCK,
      hold: { throw: [FULLY, STUCK], wait: STUCK, borrow: "+1" },
      "tick-tock": "-1'",
    },
  },
  {
    ...spent("then frozen", -6, [-8], { throw: BACK, wait: STUCK, hold: "-6'", "tick-tock": STUCK }),
    options: (tick) => ({ maxWaitMs: 2 * tick + 3 }),
    frozen: true,
  },
];

/** The two ends of a format's life. */
export const ENDS: readonly Situation[] = [
  {
    name: "before the epoch",
    where: "epoch",
    room: "roomy",
    prepare: one,
    readings: [-2],
    less: 1,
    expected: "BEFORE_EPOCH",
  },
  {
    name: "one tick back, before the epoch during the wait",
    where: "epoch",
    room: "roomy",
    prepare: one,
    readings: [-1, -100, -1],
    expected: { throw: BACK, wait: "0 @0", hold: "0", "tick-tock": "-1'" },
  },
  { name: "past the last tick", where: "end", room: "roomy", prepare: one, readings: [1], expected: OVER },
  // A wait for a tick past the last one is refused at once.
  used("the last tick full", { throw: [FULLY, OVER], wait: OVER, borrow: OVER }, { where: "end" }),
  used(
    "the last tick full, then frozen",
    { throw: [FULLY, OVER], wait: OVER, borrow: OVER },
    {
      where: "end",
      options: short,
      frozen: true,
    },
  ),
];

export const SITUATIONS: readonly Situation[] = [
  ...STEPS,
  ...BOUNDS,
  ...SECOND_STEPS,
  ...FULL_TICKS,
  ...BOTH,
  ...FROZEN,
  ...ENDS,
];

/** The expected verdict of a row for one combination. */
export function expectedOf({ expected }: Situation, backwards: Backwards, full: Full, call: string): string {
  const byFull = typeof expected === "object" && "hold" in expected ? expected[backwards] : expected;
  const byCall = typeof byFull === "object" && "borrow" in byFull ? byFull[full] : (byFull as ByCall);
  return typeof byCall === "string" ? byCall : (byCall[call === "next" ? 0 : 1] as string);
}

/**
 * The clock after its scripted readings: it stands still, or runs on through the relevant instants and then tick by tick, but never
 * slower than the timers that sleep between two readings.
 */
export function onwards(situation: Situation, stage: Stage): (last: number, asleep: number) => number {
  if (situation.frozen) {
    return stands;
  }
  const fine = Array.from({ length: 41 }, (_, i) => i - 20);
  const coarse = Array.from({ length: 68 }, (_, i) => (i - 33) * 100);
  const ladder = [...fine, ...coarse].map((ticks) => stage.at(ticks)).sort((a, b) => a - b);
  return (last, asleep) =>
    ladder.find((ms) => ms > last && ms >= last + asleep) ?? last + Math.max(stage.tick, asleep);
}
