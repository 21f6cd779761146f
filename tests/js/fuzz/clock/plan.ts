/**
 * How stories are drawn. A story is data, so that it can be printed, and shortened by fast-check. Numbers that choose one of several
 * things are taken modulo their number.
 */
import fc from "fast-check";
import { type Family, FAMILIES } from "./formats.ts";

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** A length of time; fractions are allowed. */
export type Span = readonly [amount: number, unit: "ticks" | "ms"];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const whole = (min: number, max: number) => fc.integer({ min, max });
const either = (min: number, max: number) => fc.oneof(whole(min, max), whole(-max, -min));
/** From 1: often few, seldom the most. */
const size = (most: number) => fc.oneof(whole(1, 4), whole(1, Math.ceil(most / 8)), whole(1, most));
const ticks = (amount: fc.Arbitrary<number>) => amount.map((n): Span => [n, "ticks"]);
const ms = (amount: fc.Arbitrary<number>) => amount.map((n): Span => [n, "ms"]);
/** An object with all keys; undefined stands for those left out. */
const record = <T>(of: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record<T>(of, { noNullPrototype: true });
/** One of the keys, as often as its number says. */
const weighted = <K extends string>(weights: Readonly<Record<K, number>>) =>
  fc.oneof(
    ...(Object.entries(weights) as [K, number][]).map(([key, weight]) => ({
      weight,
      arbitrary: fc.constant(key),
    })),
  );
/** Undefined, except once in a while. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary },
  );
const list = <T>(arbitrary: fc.Arbitrary<T>, minLength: number, maxLength: number) =>
  fc.array(arbitrary, { minLength, maxLength, size: "max" });

const any = fc.nat(11);
const yes = fc.boolean();

/** How far a clock is moved. `close`: everything happens within a few ticks. */
const moves = (close: boolean): fc.Arbitrary<Span> =>
  close
    ? ticks(whole(-12, 12))
    : fc.oneof(
        { weight: 4, arbitrary: ticks(fc.constantFrom(1, -1, 0.9, -1.1)) },
        { weight: 4, arbitrary: ticks(whole(-50, 50)) },
        { weight: 2, arbitrary: ms(whole(-99, 99).map((n) => n / 100)) },
        // Around the default of maxWaitMs, a second, the default of maxAheadMs.
        { weight: 2, arbitrary: ms(either(90, 110)) },
        { weight: 2, arbitrary: ms(either(998, 1002)) },
        { weight: 1, arbitrary: ms(either(9990, 10_010)) },
        { weight: 1, arbitrary: ms(fc.constantFrom(HOUR, -HOUR, DAY, -DAY, 30 * DAY, -30 * DAY)) },
      );

/** How the clocks behave from reading to reading. */
const paces = (close: boolean) =>
  record({
    /** Ticks that a reading takes; with 0 the clocks are frozen. */
    step: fc.constantFrom(...(close ? [0.01, 0.05, 0.2, 0] : [0.01, 0.05, 0.2, 0.5, 1, 1, 3, 0, 0])),
    /** The clocks move only at every so many readings. */
    every: fc.constantFrom(1, 1, 1, 4, 40),
    /** How many ticks a single reading may be off, to both sides. */
    jitter: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 2, 20),
    /** Milliseconds of the monotonic clock between two of its readings. */
    other: fc.constantFrom(0.5, 5, 5, 50),
  });
export type Pace = Readonly<Record<keyof Drawn<ReturnType<typeof paces>>, number>>;

/** One of a story's clocks: how far it is ahead of the world's time, and whether it stands still until it is set again. */
const dials = (close: boolean) => record({ skew: moves(close), stands: fc.nat(6).map((n) => n === 6) });
export type Dial = Drawn<ReturnType<typeof dials>>;

/** What a callback, or an injected source of randomness, does besides its work; `n` says how much, or to which. */
const act = record({
  act: fc.constantFrom(
    "look", "next", "many", "at", "async", "throw", "save", "restore", "spend", "crash", "clock", "abort",
  ), // biome-ignore format: a list of words
  n: fc.nat(20),
});
export type Act = Drawn<typeof act>;

/** A `notBefore`. */
const spends = (close: boolean, least: number) =>
  record({
    /** After the tick after the last one issued, or after the world's time. */
    from: fc.constantFrom("last", "last", "last", "now"),
    ticks: fc
      .oneof(fc.constantFrom(0, 0, 1, -1, 0.3, -0.5), whole(-5, 5), whole(1, close ? 5 : 40))
      .map((n) => Math.max(least, n)),
    /** Whether it is given as a `Date`. */
    date: fc.constantFrom(false, false, false, true),
    /** Whether snapshots before and after it are compared. */
    compared: yes,
  });
export type Spend = Drawn<ReturnType<typeof spends>>;

/** A generator's own options, without those of the identity. */
const policies = ({ kind, unordered, entropy }: Family, close: boolean) => {
  const aheads = close ? ticks(fc.constantFrom(2.5, 5)) : ms(fc.constantFrom(0, 1, 4.5, 20, 1000, HOUR));
  const backwards = ["throw", "wait", "hold", kind === "sno" ? "tick-tock" : "hold"] as const;
  return record({
    /** Which of the story's clocks it reads. */
    dial: any,
    spend: seldom(spends(close, Number.NEGATIVE_INFINITY), 15),
    clockBackwards: fc.constantFrom(undefined, ...backwards),
    sequenceFull: fc.constantFrom(undefined, "throw", "wait", "wait", "borrow"),
    maxWaitMs: fc.constantFrom(undefined, undefined, 0, 1, 5.5, 20, 100, 1000),
    maxAhead: seldom(aheads, 1),
    onBack: seldom(act, 4),
    onFull: seldom(act, 4),
    ...(entropy > 0 && { entropySize: fc.constantFrom(undefined, 1, 1, entropy) }),
    /** Snowflake-SI's "keep", or its threshold. */
    keep: unordered
      ? fc.oneof(fc.constantFrom(undefined, "keep" as const), fc.nat(255))
      : fc.constant(undefined),
    /** Whether it leaves out what it may: the identity beside a snapshot, the system clock. */
    bare: yes,
  });
};
export type Policy = Partial<Drawn<ReturnType<typeof policies>>>;

/** Changes of a snapshot before it is used, which its owner may make. */
const retouch = record({
  /** Moves sequences to this many values before their end. */
  near: seldom(fc.nat(3), 1),
  /** Leaves out the counter behind `at`. */
  dropAt: seldom(fc.constant(true), 11),
  /** sno: writes the partition as two bytes, leaves out `now`, and sets `drifts` shortly before it wraps. */
  plain: seldom(fc.constant(true), 6),
});
export type Retouch = Partial<Drawn<typeof retouch>>;

const steps = (family: Family, close: boolean) => {
  const step = <K extends string, T>(name: K, of: { [P in keyof T]: fc.Arbitrary<T[P]> }) =>
    fc.record({ do: fc.constant(name), ...of }, { noNullPrototype: true }) as unknown as fc.Arbitrary<
      { do: K } & T
    >;
  const policy = policies(family, close);
  // Wide ticks take long.
  const fills = family.width > 5000 ? 31 : close && family.width < 200 ? 1 : 7;
  return {
    clock: step("clock", { by: moves(close) }),
    set: step("set", { of: any, dial: dials(close) }),
    jump: step("jump", {
      to: weighted({ heard: 80, last: 40, start: 20, epoch: 3, end: 3 }),
      ticks: fc.oneof(whole(-1, 2), whole(-1, 2), whole(-30, 60)),
    }),
    pace: step("pace", { pace: paces(close) }),
    rubbish: step("rubbish", { after: whole(1, 20) }),
    generator: step("generator", { of: any, policy }),
    next: step("next", { of: any, times: size(close ? 12 : 300), text: yes }),
    many: step("many", {
      of: any,
      call: weighted({ nextMany: 4, nextManyText: 1, nextTyped: 2 }),
      /** So many ticks are filled, more or less; then so many IDs more. */
      fills: seldom(
        whole(1, 16).map((n) => n / 4),
        fills,
      ),
      n: size(800),
    }),
    async: step("async", { of: any, calls: size(40), abort: weighted({ never: 12, before: 1, some: 4 }) }),
    settle: step("settle", { rounds: size(12), ticks: fc.constantFrom(0, 0.3, 1, 1, 2, 10) }),
    abort: step("abort", { calls: size(10) }),
    at: step("at", {
      of: any,
      times: size(60),
      /** Where the times are, from the lowest tick issued, and how far apart. */
      near: fc.oneof(ms(fc.constantFrom(-DAY * 400, -HOUR, -1000)), ticks(fc.constantFrom(-5, 0, 1, 20))),
      spread: fc.constantFrom(0, 1, 3, 40, 100_000),
    }),
    save: step("save", { of: any }),
    restore: step("restore", { of: any, saved: any, policy, retouch }),
    restart: step("restart", {
      of: any,
      /**
       * What the next process knows: the last state of the one before; that and a `notBefore`; an older state, and a `notBefore` after
       * everything issued; only that `notBefore`.
       */
      knows: weighted({ snapshot: 4, both: 1, old: 1, time: 1 }),
      spend: spends(close, 0),
      /** Whether its other generators are made before the one that knows. */
      early: yes,
      retouch,
      /** IDs of a new generator before the snapshot is available, later than all others; and whether a full tick brings it. */
      late: seldom(record({ ids: size(30), full: yes }), 6),
      policies: list(policy, 1, 3),
    }),
  };
};
type Steps = ReturnType<typeof steps>;
export type Step = Drawn<Steps[keyof Steps]>;

type Weights = Readonly<Record<Step["do"], number>>;
const MIXED: Weights = {
  clock: 80, set: 20, jump: 20, pace: 40, rubbish: 3, generator: 20, next: 100, many: 80, async: 30, settle: 40, abort: 5,
  at: 15, save: 15, restore: 10, restart: 10,
}; // biome-ignore format: a table

/** Weights of the steps, by the theme of the story, where they differ; and how frequent the theme is. */
const THEMES: Readonly<Record<string, Partial<Weights> & { readonly often: number }>> = {
  mixed: { often: 10 },
  rewinds: {
    often: 6,
    clock: 140,
    set: 40,
    jump: 30,
    next: 120,
    many: 50,
    async: 10,
    settle: 20,
    restart: 20,
  },
  restarts: { often: 6, many: 50, async: 20, settle: 20, at: 20, save: 40, restore: 40, restart: 60 },
  async: { often: 4, clock: 50, next: 50, many: 30, async: 120, settle: 140, abort: 30, at: 5, restore: 5 },
  given: {
    often: 2,
    clock: 50,
    next: 60,
    many: 30,
    async: 10,
    settle: 20,
    at: 140,
    save: 20,
    restore: 20,
    restart: 20,
  },
  close: {
    often: 6,
    clock: 160,
    set: 40,
    jump: 10,
    next: 140,
    async: 20,
    settle: 20,
    abort: 1,
    at: 3,
    restart: 15,
  },
  volume: {
    often: 3,
    clock: 20,
    jump: 3,
    pace: 20,
    next: 30,
    many: 200,
    async: 5,
    settle: 10,
    save: 3,
    restore: 3,
    restart: 5,
  },
};

/** Stories of one theme. */
function stories(family: Family, theme: string) {
  const close = theme === "close";
  const step: Steps = steps(family, close);
  const { often: _, ...weights } = { ...MIXED, ...THEMES[theme] } as Weights & { often: number };
  const anyStep = fc.oneof(
    ...(Object.entries(weights) as [Step["do"], number][]).map(([name, weight]) => ({
      weight,
      arbitrary: step[name] as fc.Arbitrary<Step>,
    })),
  );
  return record({
    subject: family.subject,
    /** Where the clocks start: ticks after the epoch, ticks before the end, or a part of the life. */
    start: fc.oneof(
      {
        weight: 20,
        arbitrary: record({ from: fc.constant("life" as const), n: whole(5, 85).map((n) => n / 100) }),
      },
      { weight: 2, arbitrary: record({ from: fc.constant("epoch" as const), n: whole(-3, 60) }) },
      { weight: 3, arbitrary: record({ from: fc.constant("end" as const), n: size(400).map((n) => -n) }) },
    ),
    /** The first clock is the world's time. The generators of an identity may have different ones. */
    dials: list(dials(close), 0, 3),
    /** Whether the first one is the system clock. */
    system: fc.constantFrom(false, false, true),
    pace: paces(close),
    /** Whether all identities live in one process, and end with it. */
    together: yes,
    /** Whether there is also an isolated generator with the same fields. */
    isolated: fc.constantFrom(false, false, false, true),
    /** Seeds the platform's randomness, and what a clock does wrong; and which bytes are frequent. */
    noise: fc.nat(),
    randomness: weighted({ fair: 6, high: 1, low: 1 }),
    /** Whether the generators have an injected source of randomness, and what else it does. */
    source: family.kind === "random" ? seldom(act, 3) : fc.constant(undefined),
    generators: list(record({ of: any, policy: policies(family, close) }), 1, 5),
    steps: list(anyStep, 1, 40),
  });
}
export type Plan = Drawn<ReturnType<typeof stories>>;

/** The stories of a format. */
export const storiesOf = (format: string): fc.Arbitrary<Plan> =>
  fc.oneof(
    ...Object.entries(THEMES).map(([theme, { often }]) => ({
      weight: often,
      arbitrary: stories(FAMILIES[format] as Family, theme),
    })),
  );
