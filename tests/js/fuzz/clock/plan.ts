/**
 * How stories are drawn. A story is data, so that it can be printed, and shortened by fast-check. Numbers that choose one of several
 * things are taken modulo their number.
 */
import fc from "fast-check";
import { FAMILIES, type Family } from "./formats.ts";

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Arbitraries<T> = { [K in keyof T]: fc.Arbitrary<T[K]> };

/** A length of time; fractions are allowed. */
export type Span = readonly [amount: number, unit: "ticks" | "ms"];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const yes = fc.boolean();
const any = fc.nat(11);
const whole = (min: number, max: number) => fc.integer({ min, max });
const either = (min: number, max: number) => fc.oneof(whole(min, max), whole(-max, -min));
/** From 1: often few, seldom the most. */
const size = (most: number) => fc.oneof(whole(1, 4), whole(1, Math.ceil(most / 8)), whole(1, most));
const ticks = (amount: fc.Arbitrary<number>) => amount.map((n): Span => [n, "ticks"]);
const ms = (amount: fc.Arbitrary<number>) => amount.map((n): Span => [n, "ms"]);
/** An object with all keys; undefined stands for those left out. */
const record = <T>(of: Arbitraries<T>) => fc.record<T>(of, { noNullPrototype: true });
const list = <T>(of: fc.Arbitrary<T>, minLength: number, maxLength: number) =>
  fc.array(of, { minLength, maxLength, size: "max" });
/** Undefined, except once in a while. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary },
  );

/** How far a clock is moved. `close`: everything happens within a few ticks. */
function moves(close: boolean): fc.Arbitrary<Span> {
  const fractions = whole(-99, 99).map((n) => n / 100);
  const long = fc.constantFrom(HOUR, -HOUR, DAY, -DAY, 30 * DAY, -30 * DAY);
  // Around the default of maxWaitMs, a second, the default of maxAheadMs.
  const bounds = fc.oneof(either(90, 110), either(998, 1002), either(9990, 10_010), long, fractions);
  const some = fc.oneof(fc.constantFrom(1, -1, 0.9, -1.1), whole(-50, 50));
  return close ? ticks(whole(-12, 12)) : fc.oneof(ticks(some), ms(bounds));
}

/** How the clocks behave from reading to reading. */
const paces = (close: boolean) =>
  record({
    /** Ticks that a reading takes; with 0 the clocks are frozen. */
    step: fc.constantFrom(...(close ? [0.01, 0.05, 0.2, 0] : [0.01, 0.05, 0.2, 0.5, 1, 1, 3, 0, 0])),
    /** The clocks move only at every so many readings. */
    every: fc.constantFrom(1, 1, 1, 4, 40),
    /** How many ticks a single reading may be off, to both sides. */
    jitter: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0.5, 2, 20),
    /** Milliseconds of the monotonic clock between two of its readings. */
    other: fc.constantFrom(0.5, 5, 5, 50),
  });
export type Pace = Readonly<Record<keyof Drawn<ReturnType<typeof paces>>, number>>;

/** One of a story's clocks: how far it is ahead of the world's time, and whether it stands still until it is set again. */
const dials = (close: boolean) => record({ skew: moves(close), stands: any.map((n) => n > 9) });
export type Dial = Drawn<ReturnType<typeof dials>>;

/** What a callback, or an injected source of randomness, does besides its work; `n` says how much, or to which. */
const act = record({
  act: fc.oneof(
    fc.constantFrom("look", "next", "many", "at", "async", "abort"),
    fc.constantFrom("throw", "save", "restore", "spend", "crash", "crash", "crash", "clock"),
  ),
  n: fc.nat(20),
});
export type Act = Drawn<typeof act>;

/** A `notBefore`. */
const spends = (close: boolean, least: number) => {
  const after = fc.oneof(fc.constantFrom(0, 0, 1, -1, 0.3, -0.5), whole(-5, 5), whole(1, close ? 5 : 40));
  return record({
    /** After the tick after the last one issued, or after the world's time. */
    from: fc.constantFrom("last", "last", "last", "now"),
    ticks: after.map((n) => Math.max(least, n)),
    /** Whether it is given as a `Date`. */
    date: fc.constantFrom(false, false, false, true),
    /** Whether snapshots before and after it are compared. */
    compared: yes,
  });
};
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
    onBack: seldom(act, 3),
    onFull: seldom(act, 3),
    ...(entropy > 0 && { entropySize: fc.constantFrom(undefined, 1, 1, entropy) }),
    /** Snowflake-SI's "keep", or its threshold. */
    keep: seldom(unordered ? fc.oneof(fc.constant("keep" as const), fc.nat(255)) : fc.constant(undefined), 1),
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

/** A kind of step, and how often it happens. */
const step = <K extends string, T>(name: K, weight: number, of: Arbitraries<T>) => {
  const arbitrary = fc.record({ do: fc.constant(name), ...of }, { noNullPrototype: true });
  return { name, weight, arbitrary: arbitrary as unknown as fc.Arbitrary<{ do: K } & T> };
};

const steps = (family: Family, close: boolean) => {
  const policy = policies(family, close);
  return [
    step("clock", 80, { by: moves(close) }),
    step("set", 20, { of: any, dial: dials(close) }),
    step("jump", 20, {
      of: any,
      to: fc.constantFrom("heard", "heard", "heard", "heard", "last", "last", "start", "epoch", "end"),
      ticks: fc.oneof(whole(-1, 2), whole(-1, 2), whole(-30, 60)),
    }),
    step("pace", 40, { pace: paces(close) }),
    step("rubbish", 6, { after: whole(1, 20) }),
    step("generator", 20, { of: any, policy }),
    step("next", 100, { of: any, times: size(close ? 12 : 300), text: yes }),
    step("many", 60, {
      of: any,
      call: fc.constantFrom("nextMany", "nextMany", "nextManyText", "nextTyped"),
      /** So many quarters of a tick are filled, more or less; then so many IDs more. */
      quarters: seldom(whole(1, 16), close && family.width < 200 ? 1 : 7),
      n: size(800),
    }),
    step("async", 40, {
      of: any,
      calls: size(40),
      abort: fc.constantFrom("never", "never", "never", "some", "some", "before"),
    }),
    step("settle", 40, { rounds: size(12), ticks: fc.constantFrom(0, 0.3, 1, 1, 2, 10) }),
    step("abort", 10, { calls: size(10) }),
    step("at", 20, {
      of: any,
      times: size(60),
      /** Where the times are, from the lowest tick issued, and how far apart. */
      near: fc.oneof(ms(fc.constantFrom(-DAY * 400, -HOUR, -1000)), ticks(fc.constantFrom(-5, 0, 0, 1, 20))),
      spread: fc.constantFrom(0, 0, 1, 3, 40, 100_000),
    }),
    step("save", 15, { of: any }),
    step("restore", 10, { of: any, saved: any, policy, retouch }),
    step("restart", 15, {
      /**
       * What the next process knows: the last state of the one before; that and a `notBefore`; an older state, and a `notBefore` after
       * everything issued; only that `notBefore`.
       */
      knows: fc.constantFrom("snapshot", "snapshot", "snapshot", "both", "old", "time"),
      spend: spends(close, 0),
      /** Whether its other generators are made before the one that knows. */
      early: yes,
      retouch,
      /** IDs of a new generator before the snapshot is available, later than all others; and whether a full tick brings it. */
      late: seldom(record({ ids: size(30), full: yes }), 6),
      policies: list(policy, 1, 3),
    }),
  ] as const;
};
export type Step = Drawn<ReturnType<typeof steps>[number]["arbitrary"]>;

/** The themes of stories, and the steps that are frequent in them. In the last one, everything happens within a few ticks. */
const THEMES: readonly (readonly Step["do"][])[] = [
  [],
  ["clock", "set", "jump", "restart"],
  ["save", "restore", "restart"],
  ["async", "settle", "abort", "generator"],
  ["at", "restart"],
  ["many"],
  ["clock", "next"],
];

/** Stories of one theme. */
function stories(family: Family, theme: readonly Step["do"][]) {
  const close = theme === THEMES.at(-1);
  const anyStep = steps(family, close).map(({ name, weight, arbitrary }) => ({
    weight: theme.includes(name) ? 5 * weight : weight,
    arbitrary: arbitrary as fc.Arbitrary<Step>,
  }));
  return record({
    subject: family.subjects,
    /** Where the clocks start: so many percent of the life after the epoch; or a few ticks around the epoch, or before the end. */
    start: fc.tuple(fc.constantFrom("life", "life", "life", "life", "life", "epoch", "end"), whole(5, 85)),
    /** The first clock is the world's time. The generators of an identity may have different ones. */
    dials: list(dials(close), 0, 3),
    /** Whether the first one is the system clock. */
    system: fc.constantFrom(false, false, true),
    pace: paces(close),
    /** Whether there is also an isolated generator with the same fields. */
    isolated: fc.constantFrom(false, false, false, true),
    /** Seeds the platform's randomness, and what a clock does wrong; and which bytes are frequent. */
    noise: fc.nat(),
    randomness: fc.constantFrom("fair", "fair", "fair", "fair", "high", "low"),
    /** Whether the generators have an injected source of randomness, and what else it does. */
    source: seldom(family.kind === "random" ? act : fc.constant(undefined), 3),
    generators: list(record({ of: any, policy: policies(family, close) }), 1, 5),
    steps: list(fc.oneof(...anyStep), 0, 40),
  });
}
export type Plan = Drawn<ReturnType<typeof stories>>;

/** The stories of a format, with the weights from above alone. */
export const storiesOf = (format: string): fc.Arbitrary<Plan> =>
  fc.noBias(fc.oneof(...THEMES.map((theme) => stories(FAMILIES[format] as Family, theme))));
