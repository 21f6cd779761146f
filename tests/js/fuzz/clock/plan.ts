/**
 * Draws stories. A number that selects an element of a list is taken modulo the length of the list.
 */
import fc from "fast-check";
import type { Values } from "../../support/expected.ts";
import { type FormatUnderTest, FULL, rowOf } from "../../support/formats.ts";

/** What a callback can do. */
const acts = fc.constantFrom(
  ...([
    "next",
    "many",
    "at",
    "async",
    "abort",
    "throw",
    "save",
    "restore",
    "spend",
    "crash",
    "clock",
  ] as const),
);
export type Act = typeof acts extends fc.Arbitrary<infer A> ? A : never;

const few = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 }));
const any = fc.nat(11);
const ticks = fc.oneof(
  fc.integer({ min: -12, max: 12 }),
  fc.constantFrom(0.9, -1.1, 100, -100, 20_000, -20_000),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

/** The options that differ between generators of an identity. */
const policies = fc.record({
  dial: any,
  /** Only sno has "tick-tock". Other formats get "hold" instead. */
  clockBackwards: fc.constantFrom(undefined, ...rowOf("sno").backwards),
  sequenceFull: fc.constantFrom(undefined, ...FULL),
  maxWaitMs: fc.constantFrom(undefined, 0, 5.5, 100, 1000),
  maxAheadMs: fc.constantFrom(undefined, 0, 4.5, 20, 3_600_000),
  onClockBackwards: maybe(acts),
  onOverflow: maybe(acts),
});
export type Policy = typeof policies extends fc.Arbitrary<infer P> ? P : never;

const step = <K extends string, T>(name: K, of: { [P in keyof T]: fc.Arbitrary<T[P]> }) =>
  fc.record({ do: fc.constant(name), ...of }) as unknown as fc.Arbitrary<{ do: K } & T>;

const steps = fc.oneof(
  { weight: 4, arbitrary: step("clock", { dial: any, ticks }) },
  step("jump", { of: any, to: fc.constantFrom("last", "start", "epoch", "end"), ticks }),
  { weight: 2, arbitrary: step("pace", { pace: fc.constantFrom(0, 0, 0.01, 0.25, 1, 3) }) },
  step("rubbish", { after: fc.integer({ min: 1, max: 9 }) }),
  step("make", { of: any, policy: policies }),
  {
    weight: 8,
    arbitrary: step("issue", {
      of: any,
      call: fc.constantFrom("next", "nextText", "nextMany", "nextManyText", "nextTyped"),
      n: few,
      /** How many ticks the call also fills. */
      full: fc.constantFrom(0, 0, 0, 0, 0, 1, 2),
    }),
  },
  {
    weight: 3,
    arbitrary: step("async", { of: any, n: few, abort: fc.constantFrom("never", "some", "before") }),
  },
  { weight: 3, arbitrary: step("settle", { rounds: few, ticks: fc.constantFrom(0, 0.3, 1, 10) }) },
  { weight: 2, arbitrary: step("at", { of: any, ticks, n: few }) },
  step("save", { of: any }),
  step("restore", { of: any, saved: any, policy: policies }),
  {
    weight: 2,
    arbitrary: step("restart", {
      /**
       * What the next process starts from: the last state; the last state and a `notBefore`; an old
       * state and a `notBefore`; or only a `notBefore`.
       */
      knows: fc.constantFrom("snapshot", "snapshot", "both", "old", "time"),
      after: fc.nat(3),
      policies: fc.array(policies, { minLength: 1, maxLength: 3 }),
      /** Whether its other generators are created before the one that gets this information. */
      early: fc.boolean(),
    }),
  },
);
export type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never;

/** Two identities of a format: with different fields, or with disjoint bounds of sno's sequence. */
function identitiesOf({ reference: { spec }, fixed }: FormatUnderTest): fc.Arbitrary<readonly Values[]> {
  const width = new Map(spec.fields);
  if (spec.name === "sno") {
    return fc
      .record({ partition: fc.nat(65_535), size: fc.integer({ min: 4, max: 40 }) })
      .map(({ partition, size }) =>
        [0, size].map((first) => ({ partition, sequenceMin: first, sequenceMax: first + size - 1 })),
      );
  }
  const values = Object.keys(fixed).map(
    (name) => [name, fc.nat(2 ** (width.get(name) as number) - 1)] as const,
  );
  const one: fc.Arbitrary<Values> = fc.record(Object.fromEntries(values));
  return fc.uniqueArray(one, { minLength: 1, maxLength: 2, selector: (all) => JSON.stringify(all) });
}

/** The options that set where the ticks of a format start. */
const startsOf = ({ facts }: FormatUnderTest): readonly Values[] =>
  facts.options.flatMap((option): Values[] =>
    option.name === "sequenceStart"
      ? [{ sequenceStart: "random" }, { sequenceStart: "continue" }]
      : option.name === "sequenceResetThreshold"
        ? [{ sequenceResetThreshold: 1 }]
        : [],
  );

export const stories = (subjects: readonly FormatUnderTest[]) =>
  fc.constantFrom(...subjects).chain((subject) =>
    fc.record({
      subject: fc.constant(subject),
      identities: identitiesOf(subject),
      /**
       * Percent of the format's life. At 0 or 100, a few ticks after the epoch or before the end.
       */
      start: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 5, max: 85 }) }, fc.constantFrom(0, 100)),
      seed: fc.nat(),
      /** Where ticks start. */
      sequence: fc.constantFrom(undefined, undefined, ...startsOf(subject)),
      policies: fc.array(policies, { minLength: 1, maxLength: 4 }),
      steps: fc.array(steps, { maxLength: 40, size: "max" }),
    }),
  );
export type Told = ReturnType<typeof stories> extends fc.Arbitrary<infer S> ? S : never;

/** The maximum number of actions by callbacks in one step, and how deeply they nest. */
export const MOST_ACTS = 8;
export const DEEPEST = 2;
/** The maximum number of IDs in one call. */
export const MOST_IDS = 5000;

/** The error codes for clocks and full ticks. */
export const CODES: readonly string[] =
  "BEFORE_EPOCH END_OF_LIFE CLOCK_INVALID CLOCK_BACKWARDS CLOCK_STUCK SEQUENCE_FULL TIME_TAKEN".split(" ");
