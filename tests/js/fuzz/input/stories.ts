/**
 * Two equal sides, on equal clocks. One gets all kinds of bad input, the other only the calls that succeeded. Refused calls must leave no
 * trace: both continue with the same IDs, and no ID is a duplicate. Where callbacks throw, calls are nested or the platform's clocks are
 * broken, there is one side only.
 */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { AnyGenerator } from "../../support/any-format.ts";
import { type Fault, lifeFaults, msOf, timeFaults, type Values } from "../../support/expected.ts";
import { facts } from "../../support/make.ts";
import type { Subject } from "../../support/subjects.ts";
import { mark, type Origin } from "./marked.ts";
import { callOf, issues, type Operation, operations, reads } from "./operations.ts";
import { rightOptions } from "./options.ts";
import { expect, isBag, type Outcome, picture, run, verdict, wait } from "./outcomes.ts";
import { capacityOf, Issued, type Mischief, Side } from "./scripted-generator.ts";
import { anything, seldom } from "./values.ts";

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Step = Drawn<ReturnType<typeof stepOf>>;
type Story = Drawn<ReturnType<typeof stories>>;

const throws = (origin: Origin) => () => {
  throw mark(origin);
};

/** What a clock may answer that is broken, and at which reading of a call: anything, and times outside the format's life. */
function readings({ reference: r }: Subject) {
  const early = fc.constantFrom(1, 0.5, 1e6).map((ms) => r.timestamp(0n) - ms);
  const late = fc.constantFrom(1, 2, 1e6).map((ticks) => r.timestamp(r.lastTick) + r.spec.tickMs * ticks);
  // The same value at each reading.
  const any = anything.map((given) => {
    const value = given();
    return () => value;
  });
  return fc.tuple(
    fc.constantFrom(0, 0, 0, 1, 2),
    fc.oneof(
      any,
      fc.oneof(early, late).map((ms) => () => ms),
      fc.constant(throws("clock")),
    ),
  );
}

/** The same for a source of randomness; -1: at every draw. */
const draws = fc.tuple(
  fc.constantFrom(-1, 0, 1),
  fc.constantFrom<() => unknown>(
    throws("random"),
    () => "detach",
    () => Promise.resolve(),
    () => undefined,
  ),
);

/** What `performance.now` may answer that is broken. */
const performances = fc
  .constantFrom(Number.NaN, "5", 5n, undefined, null, Infinity, 17, "back", "none")
  .map((any) => {
    let back = 1e6;
    return any === "none" ? undefined : () => (any === "back" ? back-- : any);
  });

/** The policies, in the words of the facts; waits are short. */
function policies({ reference: r }: Subject): fc.Arbitrary<Values> {
  const { options } = facts[r.spec.name as "sno"];
  const words = options.flatMap(({ name, words }) =>
    words === null || name === "onNewMillisecond" ? [] : [[name, words] as const],
  );
  return fc.record({
    maxWaitMs: fc.constantFrom(0, 0, 0, 1, 4),
    maxAheadMs: fc.constantFrom(0, 1, 8, 100, 10_000),
    ...Object.fromEntries(
      words.map(([name, words]) => [name, fc.constantFrom(undefined, ...words, ...words)]),
    ),
  });
}

/** By how many ticks the clock moves. */
const USUAL = [0, 0, 0, 0, 0, 0, 0.25, 0.5, 1, 1, 1, 1, 2, 2, 3, 5, -1, -1, -2, 20, 20_000];
const FAR = [1e9, -20, -20_000];

const stepOf = (subject: Subject, operation: fc.Arbitrary<Operation>) =>
  fc.record({
    by: fc.oneof({ weight: 60, arbitrary: fc.constantFrom(...USUAL) }, fc.constantFrom(...FAR)),
    /** The milliseconds that each reading adds; 0 is a clock that stands. */
    step: fc.constantFrom(...Array(6).fill([0.25, 0.5, 1, subject.reference.spec.tickMs]).flat(), 0, 0),
    maker: fc.nat(1),
    operation,
    clock: seldom(6, readings(subject)),
    random: seldom(subject.counter === "randomness" ? 2 : 6, draws),
    /** A call from within a reading or a draw: after how many of them, and which. */
    nested: seldom(2, fc.tuple(fc.nat(2), operation)),
    /** Whether the other side gets a refused call, too; whether it continues from a snapshot afterwards. */
    both: seldom(3, fc.constant(true)),
    restores: seldom(30, fc.constant(true)),
  });

/** What is odd about a story with one side only: callbacks that throw, nested calls, or the platform's clocks. */
const ODDS = ["none", "none", "none", "none", "none", "none", "callbacks", "nested", "platform"] as const;

/** Stories of one subject. */
export function stories(subject: Subject) {
  const { reference: r } = subject;
  const places = fc.oneof(
    { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 9n }).map((tenths) => (r.lastTick * tenths) / 10n) },
    fc.constantFrom(0n, 1n, 2n, r.lastTick - 8n, r.lastTick - 1n).map((tick) => (tick < 0n ? 0n : tick)),
    fc.bigInt({ min: 0n, max: r.lastTick }),
  );
  return rightOptions(subject).chain((own) =>
    fc.record({
      subject: fc.constant(subject),
      own: fc.constant(own),
      policies: fc.tuple(policies(subject), policies(subject)),
      isShared: fc.boolean(),
      keeps: fc.boolean(),
      isolated: fc.boolean(),
      odd: fc.constantFrom(...ODDS),
      start: places.map((tick) => r.timestamp(tick)),
      performance: performances,
      steps: fc.array(stepOf(subject, operations(subject, capacityOf(subject, own))), {
        minLength: 1,
        maxLength: 60,
        size: "max",
      }),
    }),
  );
}

/** Codes of situations: clocks and full ticks, which these stories do not foresee. */
const SITUATIONS = "SEQUENCE_FULL CLOCK_STUCK CLOCK_BACKWARDS TIME_TAKEN BEFORE_EPOCH END_OF_LIFE".split(" ");
const BROKEN = ["CLOCK_INVALID", "RANDOM_FAILED"];

/** What comes of a call, to compare. */
const plain = (outcome: Outcome): unknown =>
  outcome.kind === "value"
    ? { value: outcome.value }
    : { code: outcome.kind === "refusal" ? outcome.error.code : outcome.kind };

/** The faults of a broken reading. The system clock's 0 is no time. */
function readingFaults({ reference }: Subject, read: () => unknown, isSystem: boolean): Fault[] {
  let value: unknown;
  try {
    value = read();
  } catch {
    return [];
  }
  const isTime =
    typeof value === "number" && timeFaults(value, "").length === 0 && !(isSystem && value === 0);
  const invalid = { code: "CLOCK_INVALID", field: "clock", value, min: -8.64e15, max: 8.64e15 };
  return isTime ? lifeFaults(reference, value, "clock") : [invalid];
}

/** A story that is being told. */
class Told {
  readonly #story: Story;
  readonly #options: readonly Values[];
  readonly #a: Side;
  #b: Side | undefined;
  readonly #issued: Issued;
  #now: number;
  /** The latest time for which there is an ID. */
  #latest: number;

  constructor(story: Story) {
    const { subject, own, policies, isShared, keeps, isolated, odd, start } = story;
    let calls = 0;
    const told = () => {
      if (odd === "callbacks" && calls++ % 2 === 0) throw mark("callback");
    };
    const listeners = isolated || odd === "callbacks" ? { onClockBackwards: told, onOverflow: told } : {};
    const { sequenceResetThreshold: _, onNewMillisecond: __, ...other } = own;
    // Generators of one identity may have different rules for a new millisecond.
    const rule = subject.reference.spec.name === "snowflake-si" && keeps ? { onNewMillisecond: "keep" } : {};
    const first = { ...own, ...policies[0], ...listeners };
    // Generators with an injected source of randomness are isolated: two of them may repeat each other.
    const isAlone = subject.counter === "randomness" || !isShared;
    this.#options = isAlone ? [first] : [first, { ...other, ...policies[1], ...rule }];
    this.#story = story;
    this.#a = this.#side();
    this.#b = odd === "none" ? this.#side() : undefined;
    this.#issued = new Issued(subject, own);
    this.#now = start;
    this.#latest = start;
  }

  #side(more: Values = {}): Side {
    const { subject, odd, isolated, performance } = this.#story;
    const [first, ...others] = this.#options;
    return new Side(subject, [{ ...first, ...more }, ...others], {
      isolated,
      ...(odd === "platform" && { performance }),
    });
  }

  /** Moves the clock, calls one generator, and then the other if the first has answered. */
  async step({ by, step, maker, operation, clock, random, nested, both, restores }: Step): Promise<void> {
    const { subject, odd, start } = this.#story;
    const r = subject.reference;
    const mayWait = operation.name === "nextAsync" && this.#options.some(({ maxWaitMs }) => maxWaitMs !== 0);
    if (odd === "none" && mayWait) {
      // How long it waits depends on the machine.
      return;
    }
    this.#now = Math.max(r.timestamp(0n) - 1, Math.min(8.64e15 - 1e6, this.#now + by * r.spec.tickMs));
    if (odd === "platform" && this.#now === 0) {
      // Of the system clock, 0 is no time.
      this.#now = 1;
    }
    const broken = (one: readonly [number, () => unknown] | null): Mischief =>
      new Map(one !== null && issues(operation) ? [one] : []);
    const [clocks, randoms] = [broken(clock), broken(random)];
    const index = maker % this.#a.makers.length;
    const before = this.#state(this.#a);
    const given = operation.given(this.#now, start);
    this.#a.begin(this.#now, step, clocks, randoms);
    const outcome = await this.#call(this.#a, operation, index, given, odd === "nested" ? nested : null);
    this.#judge(operation, given, outcome, clocks, randoms);
    if (outcome.kind === "value" && issues(operation)) {
      this.#issued.add(outcome.value);
      this.#latest = Math.max(this.#latest, operation.name === "at" ? msOf(given[0]) : this.#now);
    }
    if (outcome.kind !== "value" && odd !== "callbacks" && odd !== "nested") {
      const after = this.#state(this.#a);
      expect(after === before, () => `${picture(plain(outcome))} left a trace: ${before} to ${after}`);
    }
    if (this.#b === undefined) {
      return;
    }
    const again = outcome.kind === "refusal" && clocks.size + randoms.size === 0 && step > 0 && both;
    if (outcome.kind === "value" || again) {
      // A call may succeed in spite of broken readings and draws: then the other one gets the same ones.
      this.#b.begin(this.#now, step, clocks, randoms);
      const other = await this.#call(this.#b, operation, index, operation.given(this.#now, start));
      this.#same(plain(outcome), plain(other));
    }
    this.#same(this.#state(this.#a, false), this.#state(this.#b, false));
    if (restores) {
      this.#restore(step);
    }
  }

  #same(one: unknown, other: unknown): void {
    expect(isDeepStrictEqual(one, other), () => `one side says ${picture(one)}, the other ${picture(other)}`);
  }

  /** Calls one generator of a side; and perhaps another from within. */
  async #call(
    side: Side,
    operation: Operation,
    index: number,
    given: readonly unknown[],
    nested: Step["nested"] = null,
  ): Promise<Outcome> {
    const [after, inner] = nested ?? [];
    let left = inner === undefined || inner.name === "nextAsync" ? -1 : (after as number);
    side.hook = () => {
      if (left-- === 0) this.#again(inner as Operation);
    };
    const call = () => callOf(operation, side.makers[index] as AnyGenerator, given);
    const leave = side.enter();
    try {
      return operation.name === "nextAsync" ? await wait("nextAsync", call) : run(operation.name, call);
    } finally {
      leave();
      side.hook = undefined;
    }
  }

  #again(operation: Operation): void {
    const given = operation.given(this.#now, this.#story.start);
    const outcome = run("a nested call", () => callOf(operation, this.#a.maker, given));
    if (outcome.kind === "value" && issues(operation)) {
      this.#issued.add(outcome.value);
      if (operation.name === "at") this.#latest = Math.max(this.#latest, msOf(given[0]));
    }
  }

  /** The outcome must be one of the arguments' faults, or of a broken first reading; else, of the situation. */
  #judge(
    operation: Operation,
    given: readonly unknown[],
    outcome: Outcome,
    clocks: Mischief,
    randoms: Mischief,
  ): void {
    const { odd, subject } = this.#story;
    const read = given.map((value) => (isBag(value) ? value.values : value));
    const first = reads(operation, read) ? clocks.get(0) : undefined;
    const faults = [
      ...operation.faults(...read),
      ...(first ? readingFaults(subject, first, odd === "platform") : []),
    ];
    const codes = [...SITUATIONS, ...(clocks.size + randoms.size > 0 ? BROKEN : [])];
    if (outcome.kind === "refusal" && faults.length === 0 && codes.includes(outcome.error.code)) {
      return;
    }
    const sources = {
      signal: true,
      clock: clocks.size > 0,
      random: randoms.size > 0,
      callback: odd === "callbacks",
    };
    const own = (Object.keys(sources) as (keyof typeof sources)[]).filter((origin) => sources[origin]);
    verdict(outcome, { faults, own }, given.filter(isBag));
  }

  /** The other side goes on from a snapshot of the first one, which continues as it does. */
  #restore(step: number): void {
    const restored = this.#side({ snapshot: JSON.parse(this.#state(this.#a, false)) });
    const [mine, ...others] = [this.#a, this.#b as Side, restored].map((side) => {
      side.begin(this.#now, step);
      return run("after a restart", () => side.maker.next());
    }) as [Outcome, Outcome, Outcome];
    for (const other of others) {
      this.#same(plain(mine), plain(other));
    }
    if (mine.kind === "value") {
      this.#issued.add(mine.value);
    }
    this.#b = restored;
  }

  /** At a later time there is an ID at once. */
  end(): void {
    const { reference: r } = this.#story.subject;
    const later = Math.max(this.#latest, this.#now, this.#a.latest) + 20_000 + 1000 * r.spec.tickMs;
    if (typeof r.tick(later) === "string") {
      return;
    }
    this.#a.begin(later, 0);
    const outcome = this.#within(this.#a, () => run("after a story", () => this.#a.maker.next()));
    verdict(outcome, { faults: [], own: ["callback"] });
    if (outcome.kind === "value") {
      this.#issued.add(outcome.value);
    }
  }

  /** The whole state of a side, as text; with the number of IDs that it has issued. */
  #state(side: Side, isCounted = true): string {
    side.begin(this.#now, 0);
    const { issued } = side.maker.stats() as { readonly issued: number };
    const snapshot = JSON.stringify(this.#within(side, () => side.maker.snapshot()));
    return snapshot + (isCounted ? ` issued ${issued}` : "");
  }

  /** Runs something while a side's clock is in its place. */
  #within<T>(side: Side, work: () => T): T {
    const leave = side.enter();
    try {
      return work();
    } finally {
      leave();
    }
  }
}

/** Tells a story to its end. */
export async function tell(story: Story): Promise<void> {
  const told = new Told(story);
  let done = 0;
  try {
    for (; done < story.steps.length; done++) {
      await told.step(story.steps[done] as Step);
    }
    told.end();
  } catch (error) {
    const { subject, own, policies, odd, steps } = story;
    const call = steps[done]?.operation.name ?? "after it";
    throw new Error(`${subject.label}, ${picture([own, policies])}, ${odd}, step ${done} (${call})`, {
      cause: error,
    });
  }
}
