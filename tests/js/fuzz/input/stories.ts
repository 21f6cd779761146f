/**
 * Two equal sides, on equal clocks. One gets all kinds of bad input, the other only the calls that succeeded. Refused calls must leave no
 * trace: both continue with the same IDs, and no ID is a duplicate. Where callbacks throw, calls are nested or the platform's clocks are
 * broken, there is one side only.
 */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { AnyGenerator } from "../../support/any-format.ts";
import { type Fault, isOneOf, lifeFaults, msOf, timeFaults, type Values } from "../../support/expected.ts";
import { facts } from "../../support/make.ts";
import type { Subject } from "../../support/subjects.ts";
import { mark, type Origin } from "./marked.ts";
import { type Operation, operations } from "./operations.ts";
import { rightOptions } from "./options.ts";
import { defect, isBag, type Outcome, picture, run, told, verdict, wait } from "./outcomes.ts";
import { capacityOf, Issued, type Mischief, type Setting, Side } from "./scripted-generator.ts";
import { anything, seldom } from "./values.ts";

/** A reading or a draw that is broken: which one of the call, and what comes instead. */
type Broken = readonly [at: number, what: () => unknown];

interface Step {
  /** By how many ticks the clock moves before the call, and by how many milliseconds with each reading. */
  readonly by: number;
  readonly step: number;
  readonly maker: number;
  readonly operation: Operation;
  readonly clock: Broken | null;
  readonly random: Broken | null;
  /** A call from within a reading or a draw: after how many of them, and which. */
  readonly nested: readonly [after: number, operation: Operation] | null;
  /** Whether the other side gets a refused call, too; whether it continues from a snapshot afterwards. */
  readonly both: boolean;
  readonly restores: boolean;
}

interface Story {
  readonly subject: Subject;
  readonly options: readonly Values[];
  readonly setting: Setting;
  /** What is odd about a story with one side only: callbacks that throw, nested calls, or the platform's clocks. */
  readonly odd: "none" | "callbacks" | "nested" | "platform";
  readonly start: number;
  readonly steps: readonly Step[];
}

const throws = (origin: Origin) => () => {
  throw mark(origin);
};

/** What a clock may answer that is broken: anything, and times outside the format's life. */
const readings = ({ reference: r }: Subject): fc.Arbitrary<Broken> => {
  const early = fc.constantFrom(1, 0.5, 1e6).map((ms) => r.timestamp(0n) - ms);
  const late = fc.constantFrom(1, 2, 1e6).map((ticks) => r.timestamp(r.lastTick) + r.spec.tickMs * ticks);
  const any = anything.map((given) => {
    const value = given();
    return () => value;
  });
  const outside = fc.oneof(early, late).map((ms) => () => ms);
  return fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), fc.oneof(any, outside, fc.constant(throws("clock"))));
};

const draws: fc.Arbitrary<Broken> = fc.tuple(
  fc.constantFrom(-1, 0, 1),
  fc.constantFrom<() => unknown>(
    throws("random"),
    () => "detach",
    () => Promise.resolve(),
    () => undefined,
  ),
);

/** The shared policies, in the words of the facts; waits are short. */
function policies({ reference: r }: Subject): fc.Arbitrary<Values> {
  const words = facts[r.spec.name as "sno"].options.filter(
    ({ kind, name }) => kind === "word" && name !== "onNewMillisecond",
  );
  const chosen = words.map(({ name, words }) =>
    fc
      .option(fc.constantFrom(...(words ?? [])), { nil: undefined, freq: 2 })
      .map((word) => [name, word] as const),
  );
  return fc
    .tuple(fc.constantFrom(0, 0, 0, 1, 4), fc.constantFrom(0, 1, 8, 100, 10_000), ...chosen)
    .map(([maxWaitMs, maxAheadMs, ...words]) => ({ maxWaitMs, maxAheadMs, ...Object.fromEntries(words) }));
}

/** What `performance.now` may answer that is broken. */
const performances: fc.Arbitrary<unknown> = fc
  .constantFrom(Number.NaN, "5", 5n, undefined, null, Infinity, 17, "back", "none")
  .map((any) => {
    let back = 1e6;
    return any === "none" ? undefined : () => (any === "back" ? back-- : any);
  });

const odds: fc.Arbitrary<Story["odd"]> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Story["odd"]>("none") },
  fc.constantFrom<Story["odd"]>("callbacks", "nested", "platform"),
);

const USUAL = [0, 0, 0, 0, 0, 0, 0.25, 0.5, 1, 1, 1, 1, 2, 2, 3, 5, -1, -1, -2, 20, 20_000];
const FAR = [1e9, -20, -20_000];

function stepsOf(subject: Subject, own: Values): fc.Arbitrary<Step[]> {
  const operation = operations(subject, capacityOf(subject, own));
  const step = fc
    .tuple(
      fc.oneof({ weight: 60, arbitrary: fc.constantFrom(...USUAL) }, fc.constantFrom(...FAR)),
      fc.oneof(
        { weight: 39, arbitrary: fc.constantFrom(0.25, 0.5, 1, subject.reference.spec.tickMs) },
        fc.constant(0),
      ),
      fc.nat(1),
      operation,
      seldom(6, readings(subject)),
      seldom(6, draws),
      seldom(2, fc.tuple(fc.nat(2), operation)),
      fc.nat(2),
      fc.nat(29),
    )
    .map(([by, step, maker, operation, clock, random, nested, both, restores]) => ({
      by,
      step,
      maker,
      operation,
      clock,
      random,
      nested,
      both: both === 0,
      restores: restores === 0,
    }));
  return fc.array(step, { minLength: 1, maxLength: 60, size: "max" });
}

/** Stories of one subject. */
export function stories(subject: Subject): fc.Arbitrary<Story> {
  const { reference: r } = subject;
  const places = fc.oneof(
    { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 9n }).map((tenths) => (r.lastTick * tenths) / 10n) },
    fc.constantFrom(0n, 1n, 2n, r.lastTick - 8n, r.lastTick - 1n).map((tick) => (tick < 0n ? 0n : tick)),
    fc.bigInt({ min: 0n, max: r.lastTick }),
  );
  return rightOptions(subject).chain((own) =>
    fc
      .tuple(
        fc.tuple(policies(subject), policies(subject)),
        fc.boolean(),
        fc.boolean(),
        odds,
        places,
        performances,
        stepsOf(subject, own),
      )
      .map(([[one, two], isShared, isolated, odd, place, performance, steps]) => {
        let calls = 0;
        const told = () => {
          if (odd === "callbacks" && calls++ % 2 === 0) {
            throw mark("callback");
          }
        };
        const listeners = isolated || odd === "callbacks" ? { onClockBackwards: told, onOverflow: told } : {};
        const { sequenceResetThreshold: _, ...other } = own;
        const first = { ...own, ...one, ...listeners };
        // Generators with an injected source of randomness are isolated: two of them may repeat each other.
        const alone = subject.counter === "randomness" || !isShared;
        return {
          subject,
          options: alone ? [first] : [first, { ...other, ...two }],
          setting: { isolated, ...(odd === "platform" && { performance }) },
          odd,
          start: r.timestamp(place),
          steps,
        };
      }),
  );
}

/** Codes of situations: clocks and full ticks, which these stories do not foresee. */
const SITUATIONS = [
  "SEQUENCE_FULL",
  "CLOCK_STUCK",
  "CLOCK_BACKWARDS",
  "TIME_TAKEN",
  "BEFORE_EPOCH",
  "END_OF_LIFE",
];
const BROKEN = ["CLOCK_INVALID", "RANDOM_FAILED"];
const faultsOf = (codes: readonly string[]): Fault[] => codes.map((code) => ({ code }));

/** The outcome of a call, to compare. */
function attempt(call: () => unknown): unknown {
  try {
    return { value: call() };
  } catch (error) {
    return { code: (error as { code?: string }).code ?? String(error) };
  }
}

const plain = (outcome: Outcome): unknown =>
  outcome.kind === "value"
    ? { value: outcome.value }
    : { code: outcome.kind === "refusal" ? outcome.error.code : outcome.kind };

const ended = (outcome: Outcome): string =>
  outcome.kind === "refusal"
    ? told(outcome.error)
    : outcome.kind === "own"
      ? `an exception of its ${outcome.origin}`
      : "an ID";

/** Runs something while a side's clock is in its place. */
function within<T>(side: Side, work: () => T): T {
  const leave = side.enter();
  try {
    return work();
  } finally {
    leave();
  }
}

const callOf = ({ call }: Operation, maker: AnyGenerator, given: readonly unknown[]): unknown =>
  call(maker, ...given.map((value) => (isBag(value) ? value.object : value)));

/** A story that is being told. */
class Told {
  readonly #story: Story;
  readonly #a: Side;
  #b: Side | undefined;
  readonly #issued: Issued;
  #now: number;
  /** The latest time for which there is an ID. */
  #latest: number;

  constructor(story: Story) {
    const { subject, options, setting, odd, start } = story;
    this.#story = story;
    this.#a = new Side(subject, options, setting);
    this.#b = odd === "none" ? new Side(subject, options, setting) : undefined;
    this.#issued = new Issued(subject, options[0] as Values);
    this.#now = start;
    this.#latest = start;
  }

  /** Moves the clock, calls one generator, and then the other if the first has answered. */
  async step({
    by,
    step,
    maker: index,
    operation,
    clock,
    random,
    nested,
    both,
    restores,
  }: Step): Promise<void> {
    const { subject, options, odd, start } = this.#story;
    const r = subject.reference;
    const moved = Math.min(8.64e15 - 1e6, this.#now + by * r.spec.tickMs);
    this.#now = Math.max(r.timestamp(0n) - 1, moved);
    const at = index % this.#a.makers.length;
    const waits = odd === "none" && options.some(({ maxWaitMs }) => maxWaitMs !== 0);
    if (operation.name === "nextAsync" && waits) {
      // How long it waits depends on the machine.
      return;
    }
    const readingsOf: Mischief = new Map(operation.issues && clock !== null ? [clock] : []);
    const drawsOf: Mischief = new Map(operation.issues && random !== null ? [random] : []);
    const before = this.#state(this.#a);
    const given = operation.given(this.#now, start);
    this.#a.begin(this.#now, step, readingsOf, drawsOf);
    const outcome = await this.#call(operation, at, given, odd === "nested" ? nested : null);
    this.#judge(operation, given, outcome, readingsOf, drawsOf);
    if (outcome.kind === "value" && operation.issues) {
      this.#issued.add(outcome.value);
      this.#latest = Math.max(this.#latest, operation.name === "at" ? msOf(given[0]) : this.#now);
    }
    if (outcome.kind !== "value" && odd !== "callbacks" && odd !== "nested") {
      const after = this.#state(this.#a);
      if (after !== before) {
        defect(`a call that ended in ${ended(outcome)} left a trace: ${before} to ${after}`);
      }
    }
    if (this.#b !== undefined) {
      const again = outcome.kind === "refusal" && readingsOf.size + drawsOf.size === 0 && step > 0 && both;
      if (outcome.kind === "value" || again) {
        // A call may succeed in spite of broken readings and draws: then the other one gets the same ones.
        this.#b.begin(this.#now, step, readingsOf, drawsOf);
        const { makers } = this.#b;
        const same = await settled(() =>
          callOf(operation, makers[at] as AnyGenerator, operation.given(this.#now, start)),
        );
        this.#same(plain(outcome), same);
      }
      this.#same(this.#state(this.#a, false), this.#state(this.#b, false));
      if (restores) {
        this.#restore(step);
      }
    }
  }

  #same(one: unknown, other: unknown): void {
    if (!isDeepStrictEqual(one, other)) {
      defect(`one side says ${picture(one)}, the other ${picture(other)}`);
    }
  }

  /** Calls one generator of the first side; and perhaps another from within. */
  async #call(
    operation: Operation,
    at: number,
    given: readonly unknown[],
    nested: Step["nested"],
  ): Promise<Outcome> {
    const maker = this.#a.makers[at] as AnyGenerator;
    let left = nested === null || nested[1].name === "nextAsync" ? -1 : nested[0];
    this.#a.hook = () => {
      if (left-- === 0) {
        this.#again((nested as NonNullable<typeof nested>)[1]);
      }
    };
    const leave = this.#a.enter();
    try {
      const call = () => callOf(operation, maker, given);
      return operation.name === "nextAsync" ? await wait("nextAsync", call) : run(operation.name, call);
    } finally {
      leave();
      this.#a.hook = undefined;
    }
  }

  #again(operation: Operation): void {
    const maker = this.#a.makers[0] as AnyGenerator;
    const given = operation.given(this.#now, this.#story.start);
    const outcome = run("a nested call", () => callOf(operation, maker, given));
    if (outcome.kind === "value" && operation.issues) {
      this.#issued.add(outcome.value);
    }
  }

  /** The outcome must be one of the arguments' faults, or of a broken first reading; else, of the situation. */
  #judge(
    operation: Operation,
    given: readonly unknown[],
    outcome: Outcome,
    clock: Mischief,
    random: Mischief,
  ): void {
    const { odd, subject } = this.#story;
    const read = given.map((value) => (isBag(value) ? value.values : value));
    const faults = [...operation.faults(...read)];
    if (operation.reads(...read) && clock.has(0)) {
      faults.push(...readingFaults(subject, clock.get(0) as () => unknown, odd === "platform"));
    }
    const situation = faultsOf([...SITUATIONS, ...(clock.size + random.size > 0 ? BROKEN : [])]);
    const isSituation =
      outcome.kind === "refusal" && faults.length === 0 && isOneOf(outcome.error, situation);
    if (!isSituation) {
      const own: Origin[] = [
        "signal",
        ...(clock.size > 0 ? ["clock" as const] : []),
        ...(random.size > 0 ? ["random" as const] : []),
      ];
      verdict(
        outcome,
        { faults, own: odd === "callbacks" ? [...own, "callback"] : own },
        given.filter(isBag),
      );
    }
  }

  /** The other side goes on from a snapshot of the first one, which continues as it does. */
  #restore(step: number): void {
    const { subject, options, setting } = this.#story;
    const [first, ...others] = options;
    const snapshot = JSON.parse(this.#state(this.#a, false));
    const restored = new Side(subject, [{ ...first, snapshot }, ...others], setting);
    const [mine, other, again] = [this.#a, this.#b as Side, restored].map((side) => {
      side.begin(this.#now, step);
      return attempt(() => (side.makers[0] as AnyGenerator).next());
    });
    this.#same(mine, other);
    this.#same(mine, again);
    const { value } = mine as { value?: unknown };
    if (value !== undefined) {
      this.#issued.add(value);
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
    const outcome = within(this.#a, () =>
      run("after a story", () => (this.#a.makers[0] as AnyGenerator).next()),
    );
    verdict(outcome, { faults: [], own: ["callback"] });
    if (outcome.kind === "value") {
      this.#issued.add(outcome.value);
    }
  }

  /** The whole state of a side, as text; with the number of IDs that it has issued. */
  #state(side: Side, counted = true): string {
    side.begin(this.#now, 0);
    const maker = side.makers[0] as AnyGenerator;
    const { issued } = maker.stats() as { readonly issued: number };
    return JSON.stringify(within(side, () => maker.snapshot())) + (counted ? ` issued ${issued}` : "");
  }
}

/** The outcome of a call that may answer with a promise, to compare. */
async function settled(call: () => unknown): Promise<unknown> {
  const answer = attempt(call) as { value?: unknown };
  return answer.value instanceof Promise
    ? await answer.value.then(
        (value) => ({ value }),
        (error) => ({ code: error.code ?? String(error) }),
      )
    : answer;
}

/** The faults of a broken reading. The system clock's 0 is no time. */
function readingFaults(subject: Subject, read: () => unknown, isSystem: boolean): Fault[] {
  let value: unknown;
  try {
    value = read();
  } catch {
    return [];
  }
  const isTime =
    typeof value === "number" && timeFaults(value, "clock").length === 0 && !(isSystem && value === 0);
  return isTime
    ? lifeFaults(subject.reference, value, "clock")
    : [{ code: "CLOCK_INVALID", field: "clock", value, min: -8.64e15, max: 8.64e15 }];
}

/** Tells a story to its end. */
export async function tell(story: Story): Promise<void> {
  const told = new Told(story);
  let done = 0;
  try {
    for (const step of story.steps) {
      await told.step(step);
      done++;
    }
    told.end();
  } catch (error) {
    const { subject, options, odd, steps } = story;
    const call = steps[done]?.operation.name ?? "after it";
    throw new Error(`${subject.label}, ${picture(options)}, ${odd}, step ${done} (${call})`, {
      cause: error,
    });
  }
}
