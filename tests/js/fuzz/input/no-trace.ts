/**
 * Two equal generators, on equal clocks. One gets all kinds of bad input, the other only the calls that succeeded. Refused calls must
 * leave no trace: both continue with the same IDs, and no ID is a duplicate.
 */
import { isDeepStrictEqual } from "node:util";
import type { AnyGenerator } from "../../support/any-format.ts";
import type { Subject } from "../../support/subjects.ts";
import { Junk } from "./junk.ts";
import { mark } from "./marked.ts";
import { operation, type Place } from "./operations.ts";
import { rightOptions } from "./options.ts";
import type { Outcome } from "./outcomes.ts";
import { picture } from "./outcomes.ts";
import { capacityOf, Issued, type Mischief, Side } from "./scripted-generator.ts";
import type { Context } from "./verbs.ts";

/** The shared policies, with short waits or none. */
function policies({ junk: { random } }: Context, sno: boolean): Map<string, unknown> {
  const values = new Map<string, unknown>([
    ["maxWaitMs", random.pick([0, 0, 0, 1, 4])],
    ["maxAheadMs", random.pick([0, 1, 8, 100, 10_000])],
  ]);
  if (random.oneIn(2)) {
    values.set("clockBackwards", random.pick(["throw", "wait", "hold", ...(sno ? ["tick-tock"] : [])]));
  }
  if (random.oneIn(2)) {
    values.set("sequenceFull", random.pick(["throw", "wait", "borrow"]));
  }
  return values;
}

/** A reading of a broken clock. */
function badReading({ junk }: Context, { subject: { reference: r } }: Side): () => unknown {
  const { random } = junk;
  return random.make<() => unknown>(
    () => () => {
      throw mark("clock");
    },
    () => {
      const value = junk.any();
      return () => value;
    },
    () => {
      const value = r.timestamp(0n) - random.pick([1, 0.5, 1e6]);
      return () => value;
    },
    () => {
      const value = r.timestamp(r.lastTick) + r.spec.tickMs * random.pick([1, 2, 1e6]);
      return () => value;
    },
  );
}

/** A draw of a broken source of randomness. */
function badDraw({ junk: { random } }: Context): () => unknown {
  return random.pick([
    () => {
      throw mark("random");
    },
    () => "detach",
    () => Promise.resolve(),
    () => undefined,
  ]);
}

/** The two generators, and the present time. */
export class Pair {
  readonly #subject: Subject;
  readonly #a: Side;
  #b: Side;
  readonly #issued: Issued;
  readonly #options: ReadonlyMap<string, unknown>[];
  readonly #capacity: number;
  /** Whether both can get the same calls: a callback that throws or calls acts only once, for the first generator. */
  readonly #alike: boolean;
  readonly #first: number;
  readonly #start: number;
  #now: number;
  rounds = 0;

  constructor(
    readonly context: Context,
    subject: Subject,
  ) {
    const { random } = context.junk;
    const { reference: r } = subject;
    this.#subject = subject;
    const own = rightOptions(context, subject);
    this.#capacity = capacityOf(subject, own);
    const sno = r.spec.name === "sno";
    const first = new Map([...own, ...policies(context, sno)]);
    const second = new Map([...own, ...policies(context, sno)]);
    if (r.spec.name === "snowflake-si") {
      second.delete("onNewMillisecond");
      second.delete("sequenceResetThreshold");
      if (random.oneIn(2)) {
        second.set("onNewMillisecond", "keep");
      }
    }
    this.#alike = !random.oneIn(4);
    let tellings = 0;
    const told = () => {
      if (!this.#alike && tellings++ % 2 === 0) {
        throw mark("callback");
      }
    };
    if (random.oneIn(this.#alike ? 3 : 1)) {
      first.set("onClockBackwards", told).set("onOverflow", told);
    }
    // Generators with an injected source of randomness are isolated: two of them may repeat each other.
    this.#options = subject.counter === "randomness" || random.oneIn(2) ? [first] : [first, second];
    this.#a = new Side(subject, this.#options);
    this.#b = new Side(subject, this.#options);
    this.#issued = new Issued(subject, own);
    const places = [0n, 1n, 2n, r.lastTick - 8n, r.lastTick - 1n, random.bits(60) % (r.lastTick + 1n)];
    const place = random.oneIn(4) ? random.pick(places) : (r.lastTick * BigInt(random.between(1, 9))) / 10n;
    this.#now = r.timestamp(place < 0n ? 0n : place);
    this.#start = this.#now;
    this.#first = r.timestamp(0n);
  }

  /** One case: moves the clock, calls one generator, and then the other if the first has answered. */
  round(): void {
    const { outcomes, junk } = this.context;
    const { random } = junk;
    this.rounds++;
    this.#move();
    const step = random.oneIn(40) ? 0 : random.pick([0.25, 0.5, 1, this.#subject.reference.spec.tickMs]);
    const op = operation(junk, this.#place());
    const index = random.below(this.#a.makers.length);
    const [a, b] = [this.#a.makers[index] as AnyGenerator, this.#b.makers[index] as AnyGenerator];
    const before = this.#alike ? this.#state(this.#a) : undefined;
    const clock: Mischief =
      op.issues && random.oneIn(6)
        ? new Map([[random.pick([0, 0, 0, 1, 2]), badReading(this.context, this.#a)]])
        : new Map();
    const draws: Mischief =
      op.issues && random.oneIn(6) ? new Map([[random.pick([-1, 0, 1]), badDraw(this.context)]]) : new Map();
    outcomes.begin(op.name, this.#subject.label, this.#options, this.#now, step, ...op.given);
    this.#a.begin(this.#now, step, clock, draws);
    // Its own seed, because the number of readings during a wait depends on the machine.
    const within = new Junk(random.fork());
    let calls = 3;
    this.#a.hook = this.#alike
      ? undefined
      : () => {
          if (calls > 0 && within.random.oneIn(4)) {
            calls--;
            this.#again(within);
          }
        };
    const outcome = outcomes.run(() => op.call(a));
    this.#a.hook = undefined;
    // No IDs, and IDs for given times, need no clock.
    const reading =
      op.name === "at" || (/^next(Many|Typed)/.test(op.name) && op.given[0] === 0) ? undefined : clock.get(0);
    const faults = new Set(
      [...(op.faults ?? []), this.#clockFault(reading)].filter((fault) => fault !== undefined),
    );
    outcomes.expect(faults.size === 0 || outcome.kind !== "value", () => "accepted a wrong argument");
    if (faults.size > 0 && outcome.kind === "refusal") {
      outcomes.expect(
        faults.has(outcome.code),
        () => `refused with ${outcome.code}; expected ${[...faults]}`,
      );
    }
    if (outcome.kind === "value" && op.issues) {
      const wrong = this.#issued.addAll(outcome.value);
      outcomes.expect(wrong === undefined, () => wrong as string);
    }
    if (before === undefined) {
      return;
    }
    // A call may succeed in spite of broken readings and draws: then the other generator gets the same ones.
    const answered = outcome.kind === "value";
    if (answered) {
      this.#b.begin(this.#now, step, clock, draws);
      const same = attempt(() => op.call(b));
      outcomes.expect(
        isDeepStrictEqual(same, { value: outcome.value }),
        () => `the other says ${picture(same)}`,
      );
    }
    // Sometimes the other one also gets the refused call, and must refuse it, too.
    if (outcome.kind === "refusal" && clock.size + draws.size === 0 && step > 0 && random.oneIn(3)) {
      this.#b.begin(this.#now, step);
      const same = attempt(() => op.call(b));
      outcomes.expect(
        isDeepStrictEqual(same, plain(outcome)),
        () => `refused with ${ended(outcome)}, the other says ${picture(same)}`,
      );
    }
    const after = this.#state(this.#a);
    if (!answered) {
      outcomes.expect(
        after === before,
        () => `a call that ended in ${ended(outcome)} left a trace: ${before} to ${after}`,
      );
    }
    const other = this.#state(this.#b);
    outcomes.expect(after === other, () => `after ${ended(outcome)} the two differ: ${after} and ${other}`);
    if (random.oneIn(30)) {
      this.#restored(step);
    }
  }

  /** The fault of a broken first reading. */
  #clockFault(read: (() => unknown) | undefined): string | undefined {
    try {
      const ms = read?.() ?? (read === undefined ? this.#now : Number.NaN);
      const valid = typeof ms === "number" && ms >= -8.64e15 && ms <= 8.64e15;
      const tick = valid ? this.#subject.reference.tick(ms) : "CLOCK_INVALID";
      return typeof tick === "string" && read !== undefined ? tick : undefined;
    } catch {
      return undefined;
    }
  }

  /** A generator made from a snapshot continues as the original does. */
  #restored(step: number): void {
    const { outcomes } = this.context;
    const snapshot = JSON.parse(this.#state(this.#a)) as object;
    outcomes.begin("snapshot, restored", this.#subject.label, this.#options, this.#now, step, snapshot);
    let side: Side;
    try {
      const [first, ...others] = this.#options as [Map<string, unknown>];
      side = new Side(this.#subject, [new Map([...first, ["snapshot", snapshot]]), ...others]);
    } catch (error) {
      outcomes.judge(error);
      outcomes.defect("did not take its own snapshot");
      return;
    }
    this.#a.begin(this.#now, step);
    this.#b.begin(this.#now, step);
    side.begin(this.#now, step);
    const outcome = outcomes.run(() => this.#a.makers[0]?.next());
    const other = attempt(() => this.#b.makers[0]?.next());
    const restored = attempt(() => side.makers[0]?.next());
    const expected = plain(outcome);
    outcomes.expect(
      isDeepStrictEqual(other, expected),
      () => `next: ${picture(expected)}, the other ${picture(other)}`,
    );
    outcomes.expect(
      isDeepStrictEqual(restored, expected),
      () => `next: ${picture(expected)}, restored ${picture(restored)}`,
    );
    if (outcome.kind === "value") {
      const wrong = this.#issued.add(outcome.value);
      outcomes.expect(wrong === undefined, () => wrong as string);
    }
    // From now on it replaces the other one.
    this.#b = side;
  }

  /** From within a reading or a draw: calls the generator. */
  #again(junk: Junk): void {
    const { outcomes } = this.context;
    const hook = this.#a.hook;
    this.#a.hook = undefined;
    const op = operation(junk, this.#place());
    const maker = junk.random.pick(this.#a.makers);
    try {
      const result = op.call(maker);
      if (op.issues) {
        const wrong = this.#issued.addAll(result);
        outcomes.expect(wrong === undefined, () => `a call within the call ${wrong}`);
      }
    } catch (error) {
      outcomes.judge(error);
    }
    this.#a.hook = hook;
  }

  /** Moves the clock: mostly on, sometimes back, seldom far. */
  #move(): void {
    const { random } = this.context.junk;
    const { tickMs } = this.#subject.reference.spec;
    const far = random.oneIn(4) ? random.pick([1e9, -20, -20_000]) : random.pick([20, 20_000]);
    const by = random.pick([0, 0, 0, 0, 0.25, 0.5, 1, 1, 1, 2, 3, 5, -1, -2, far]) * tickMs;
    this.#now = Math.max(this.#first - 1, Math.min(8.64e15 - 1e6, this.#now + by));
  }

  #place(): Place {
    const [subject, capacity, now, start] = [this.#subject, this.#capacity, this.#now, this.#start];
    return { subject, capacity, now, start };
  }

  /** The whole state of a side, as text. */
  #state(side: Side): string {
    side.begin(this.#now, 0);
    return JSON.stringify(side.makers[0]?.snapshot());
  }
}

/** The outcome of a call: a value, or the code of its error. */
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
    : { code: outcome.kind === "refusal" ? outcome.code : outcome.kind };

const ended = (outcome: Outcome): string =>
  outcome.kind === "refusal"
    ? `${outcome.code}`
    : outcome.kind === "own"
      ? `an exception of its ${outcome.origin}`
      : outcome.kind;
