// What can happen to a generator, and what it must do then, by policy: what tests/policies/*.json does not say (the bounds
// of waits, clocks that stop, several generators), and what the pages in www/docs are written from. The
// expected words are verdicts (see scripted-clock.ts). Distances are in ticks.
import { type Stage, stands } from "./scripted-clock.ts";
import type { Backwards, Full, Room } from "./subjects.ts";

/** The bounds of most stories: far apart, and far longer than what a story takes in reality. */
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
  /** Where `high` is: in the middle of the format's time if left out, else two ticks into it, or at its last tick. */
  readonly where?: "epoch" | "end";
  /** Bounds that are not the usual ones. */
  options?(tick: number): { readonly maxWaitMs?: number; readonly maxAheadMs?: number };
  /** What happened before. */
  prepare(stage: Stage): void;
  /** The readings of the call that is looked at, in ticks from `high`, with `less` ms taken off the first. */
  readonly readings: readonly number[];
  readonly less?: number;
  /** Whether the last reading stays for ever; else the clock runs on. */
  readonly frozen?: true;
  /** For the pages: the highest reading so far (0 if left out), whether the tick-tock bit is set, readings by name. */
  readonly highest?: number;
  readonly tocked?: true;
  readonly names?: Readonly<Record<number, string>>;
  readonly expected: Expected;
  /** Only where these policies are. */
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

/** A clock that has stepped back after one ID, where there is room for more. */
const step = (name: string, ticks: number, less: number, expected: Expected): Situation => ({
  name,
  room: "roomy",
  prepare: one,
  readings: [-ticks],
  less,
  names: { [-AHEAD]: "a reading `maxAheadMs` below the highest" },
  expected,
});

/** Steps back of every size, smallest first: the pages read how far each policy goes from them. */
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

/** A step back by one tick under bounds of nothing. */
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

/** A second step back, into a time that sno has used on both of its lines. */
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
    // Whatever the policy of the generator under test, the two lines come from one that has tick-tock.
    const ticking = stage.another({ clockBackwards: "tick-tock" });
    stage.issue(0, 1, ticking);
    stage.issue(-10, 1, ticking);
    stage.issue(forward, 1, ticking);
  },
  readings,
  highest: forward,
  tocked: true,
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
    // The bound of the one ID; `nextMany` has it for each of its waits.
    name: "out of a full tick, so far that both waits together take longer",
    room: "scarce",
    only: { backwards: "wait", full: "wait", call: "next" },
    prepare: full,
    readings: [-WAIT],
    expected: `${FULLY} @0`,
  },
];

/** Waits that end only because another clock says so; the bound is kept short. */
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

/** The two ends of a format's time. */
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
  // What would have to wait for a tick that there is not is told so at once.
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

/** What a row says of one combination. */
export function expectedOf({ expected }: Situation, backwards: Backwards, full: Full, call: string): string {
  const byFull = typeof expected === "object" && "hold" in expected ? expected[backwards] : expected;
  const byCall = typeof byFull === "object" && "borrow" in byFull ? byFull[full] : (byFull as ByCall);
  return typeof byCall === "string" ? byCall : (byCall[call === "next" ? 0 : 1] as string);
}

/**
 * The clock after its scripted readings: still, or on through the instants that matter, then tick by tick; but never slower
 * than the timers that sleep between two readings.
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
