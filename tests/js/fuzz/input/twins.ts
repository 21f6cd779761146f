/**
 * Twins are two equal generators on one clock, or two pairs of generators that share a state. One
 * twin gets calls with bad input, broken clocks and broken randomness; the other gets only the
 * calls that succeeded. A failed call must leave no trace, even in the other generator of its pair:
 * both twins return and remember the same, and no ID repeats.
 */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { IssuedIds } from "../../../support/issued.mjs";
import type { AnyGenerator } from "../../support/any-format.ts";
import {
  type Fault,
  integerOf,
  LATEST,
  lifeFaults,
  timeFaults,
  type Values,
} from "../../support/expected.ts";
import type { FormatUnderTest } from "../../support/formats.ts";
import { anything, seldom } from "../../support/junk.ts";
import { facts } from "../../support/make.ts";
import { mark, type Origin } from "../../support/marked.ts";
import { OtherProcess } from "../../support/other-process.ts";
import { callOf, capacityOf, issues, type Operation, operations, reads } from "./operations.ts";
import { rightOptions } from "./options.ts";
import { expect, isBag, type Outcome, picture, run, verdict, wait } from "./outcomes.ts";

/** What a broken source does, and at which reading or draw of a call; -1 means at each one. */
type Mischief = readonly [number, () => unknown] | null;

const throws = (origin: Origin) => () => {
  throw mark(origin);
};

/** The readings of a broken clock: any value, and times outside the format's life. */
function readings({ reference: r }: FormatUnderTest): fc.Arbitrary<Mischief> {
  const ends = [r.timestamp(0n) - 1, r.timestamp(0n) - 0.5, r.timestamp(r.lastTick + 1n)];
  const outside = [...ends, -LATEST, LATEST];
  // Returns the same value at each reading.
  const any = anything.map((given) => {
    const value = given();
    return () => value;
  });
  const broken = fc.oneof(any, fc.constantFrom(throws("clock"), ...outside.map((ms) => () => ms)));
  return seldom(6, fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), broken));
}

const draws: fc.Arbitrary<Mischief> = seldom(
  3,
  fc.tuple(
    fc.constantFrom(-1, 0, 1),
    fc.constantFrom<() => unknown>(
      throws("random"),
      () => "detach",
      () => Promise.resolve(),
      () => undefined,
    ),
  ),
);

/** The values of policy options, from the facts. */
const policies = ({ reference: r }: FormatUnderTest): fc.Arbitrary<Values> =>
  fc.record({
    // Generators with callbacks use different code for batches.
    onOverflow: fc.constantFrom(undefined, () => {}),
    maxAheadMs: fc.constantFrom(0, 1, 8, 100, 10_000),
    ...Object.fromEntries(
      facts[r.spec.name as "sno"].options.flatMap(({ name, words }) =>
        words === null || name === "sequenceStart" ? [] : [[name, fc.constantFrom(undefined, ...words)]],
      ),
    ),
  });

/** How many ticks the clock moves. */
const MOVES = [0, 0, 0, 0, 0, 0, 0.5, 1, 1, 1, 2, 3, -1, -1, -2, 20, -20, 20_000, 1e9];

/** Twins of one format, and their calls. */
export function twins(subject: FormatUnderTest): fc.Arbitrary<() => Promise<void>> {
  const { reference: r } = subject;
  const starts = fc.oneof(fc.constantFrom(0n, 1n, r.lastTick), fc.bigInt({ min: 0n, max: r.lastTick }));
  return rightOptions(subject)
    .chain((own) =>
      fc.record({
        subject: fc.constant(subject),
        own: fc.constant(own),
        policies: fc.array(policies(subject), {
          minLength: 1,
          maxLength: subject.counts === "randomness" ? 1 : 2,
        }),
        start: starts.map((tick) => r.timestamp(tick)),
        steps: fc.array(
          fc.record({
            by: fc.constantFrom(...MOVES),
            of: fc.nat(1),
            operation: operations(subject, capacityOf(subject, own)),
            clock: readings(subject),
            random: draws,
          }),
          { minLength: 1, maxLength: 60, size: "max" },
        ),
      }),
    )
    .map((told) => () => new Twins(told).play());
}

interface Told {
  readonly subject: FormatUnderTest;
  readonly own: Values;
  /** The policies of one or two generators. Generators with a source of randomness are isolated. */
  readonly policies: readonly Values[];
  readonly start: number;
  readonly steps: readonly {
    readonly by: number;
    readonly of: number;
    readonly operation: Operation;
    readonly clock: Mischief;
    readonly random: Mischief;
  }[];
}

/** One of the twins, with its clock and its source of randomness. */
class Twin {
  readonly makers: readonly AnyGenerator[];
  #now = 0;
  #clock: Mischief = null;
  #random: Mischief = null;
  #readings = 0;
  #draws = 0;

  constructor({ subject, own, policies }: Told) {
    const random = subject.isRandom && { random: this.#draw };
    const { sequenceResetThreshold: _, sequenceStart: __, ...other } = own;
    const realm = new OtherProcess();
    this.makers = policies.map((policy, i) => {
      // Generators of one identity may differ in when the sequence restarts.
      const options = { ...(i === 0 ? own : other), ...policy, ...random, maxWaitMs: 0, clock: this.#read };
      return realm.wrap(realm.run(() => subject.format.generator(options)));
    });
  }

  begin(now: number, clock: Mischief = null, random: Mischief = null): void {
    [this.#now, this.#clock, this.#random, this.#readings, this.#draws] = [now, clock, random, 0, 0];
  }

  #read = (): number => {
    const isBroken = this.#clock?.[0] === this.#readings++;
    return isBroken ? (this.#clock?.[1]() as number) : this.#now;
  };

  /**
   * The bytes depend only on the time and the number of the draw, so that both twins draw the same.
   */
  #draw = (bytes: Uint8Array): unknown => {
    const draw = this.#draws++;
    if (this.#random !== null && (this.#random[0] === -1 || this.#random[0] === draw)) {
      const result = this.#random[1]();
      if (result === "detach") structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });
      return result;
    }
    // A low start and medium steps: a tick has room for many IDs, but can fill up.
    bytes.forEach((_, i) => {
      bytes[i] = i === 0 && bytes.length === 3 ? 0 : ((this.#now % 251) * 31 + draw * 17 + i * 7) & 63;
    });
    return undefined;
  };

  /** Everything that the twin remembers, as text. */
  state(now: number): string {
    this.begin(now);
    const [maker] = this.makers as [AnyGenerator];
    return `${JSON.stringify(maker.snapshot())} issued ${maker.stats().issued}`;
  }
}

/** The codes for clocks and full ticks, which these tests do not predict. */
const SITUATIONS = "SEQUENCE_FULL CLOCK_STUCK CLOCK_BACKWARDS TIME_TAKEN BEFORE_EPOCH END_OF_LIFE".split(" ");
const BROKEN = ["CLOCK_INVALID", "RANDOM_FAILED"];

/** The faults of a broken first reading. */
function readingFaults({ reference }: FormatUnderTest, read: () => unknown): Fault[] {
  try {
    const value = read();
    const invalid = { code: "CLOCK_INVALID", field: "clock", value, min: -LATEST, max: LATEST };
    const isTime = typeof value === "number" && timeFaults(value, "").length === 0;
    return isTime ? lifeFaults(reference, value, "clock") : [invalid];
  } catch {
    return [];
  }
}

/** The metabyte passed to a sno call, shifted to its position in the ID. */
function metabyteOf({ name }: Operation, given: readonly unknown[]): bigint {
  const [first, second] = given.map((value) => (isBag(value) ? value.values.metabyte : value));
  const metabyte = /Many|Typed|^at$/.test(name) ? second : first;
  return BigInt((metabyte as number | undefined) ?? 0) << 32n;
}

class Twins {
  readonly #a: Twin;
  readonly #b: Twin;
  readonly #issued = new IssuedIds();
  #now: number;

  constructor(readonly told: Told) {
    this.#a = new Twin(told);
    this.#b = new Twin(told);
    this.#now = told.start;
  }

  async play(): Promise<void> {
    const { subject, own, policies, steps } = this.told;
    for (const [i, step] of steps.entries()) {
      try {
        await this.#step(step);
      } catch (cause) {
        const what = `step ${i}, ${step.operation.name}`;
        throw new Error(`${subject.name}, ${picture([own, policies])}, ${what}`, { cause });
      }
    }
  }

  async #step({ by, of, operation, clock, random }: Told["steps"][0]): Promise<void> {
    const { reference: r } = this.told.subject;
    this.#now = Math.max(r.timestamp(0n) - 1, Math.min(8.64e15 - 1e6, this.#now + by * r.spec.tickMs));
    const given = operation.given(this.#now, this.told.start);
    const broken = issues(operation) ? ([clock, random] as const) : ([null, null] as const);
    const outcome = await this.#call(this.#a, of, operation, given, broken);
    this.#judge(operation, given, outcome, broken);
    if (outcome.kind === "value") {
      if (issues(operation)) this.#record(outcome.value, operation, given);
      // A call may succeed despite broken readings and draws. The other twin then gets the same
      // ones.
      const again = operation.given(this.#now, this.told.start);
      const other = await this.#call(this.#b, of, operation, again, broken);
      const isSame = other.kind === "value" && isDeepStrictEqual(outcome.value, other.value);
      expect(isSame, () => `one says ${picture(outcome.value)}, the other ${picture(other)}`);
    }
    const [mine, other] = [this.#a.state(this.#now), this.#b.state(this.#now)];
    expect(mine === other, () => `${picture(outcome.kind)} left a trace: ${mine}, not ${other}`);
  }

  #call(
    twin: Twin,
    of: number,
    operation: Operation,
    given: readonly unknown[],
    broken: readonly [Mischief, Mischief],
  ) {
    twin.begin(this.#now, ...broken);
    const call = () => callOf(operation, twin.makers[of % twin.makers.length] as AnyGenerator, given);
    return operation.name === "nextAsync" ? wait(call) : run(call);
  }

  /** Records IDs. IDs that differ only in the caller's metabyte count as equal. */
  #record(made: unknown, operation: Operation, given: readonly unknown[]): void {
    const { reference: r } = this.told.subject;
    const [mask, own] = r.spec.name === "sno" ? [255n << 32n, metabyteOf(operation, given)] : [0n, 0n];
    for (const id of typeof made === "object" ? (made as Iterable<unknown>) : [made]) {
      const integer = integerOf(r, id);
      expect((integer & mask) === own, () => `${String(id)} has another metabyte`);
      this.#issued.add(integer & ~mask);
    }
  }

  /**
   * Checks that an error matches a fault of the arguments or of a broken first reading. If there
   * are none, it must have one of the situation's codes.
   */
  #judge(
    operation: Operation,
    given: readonly unknown[],
    outcome: Outcome,
    [clock, random]: readonly [Mischief, Mischief],
  ): void {
    const read = given.map((value) => (isBag(value) ? value.values : value));
    const isFirst = clock?.[0] === 0 && reads(operation, read);
    const faults = [
      ...operation.faults(...read),
      ...(isFirst ? readingFaults(this.told.subject, clock[1]) : []),
    ];
    const codes = [...SITUATIONS, ...(clock === null && random === null ? [] : BROKEN)];
    const isForeseen = faults.length > 0 || outcome.kind !== "refusal";
    if (!isForeseen && codes.includes(outcome.error.code)) return;
    const sources = { signal: true, clock: clock !== null, random: random !== null };
    const own = (Object.keys(sources) as (keyof typeof sources)[]).filter((origin) => sources[origin]);
    verdict(outcome, { faults, own }, given.filter(isBag));
  }
}
