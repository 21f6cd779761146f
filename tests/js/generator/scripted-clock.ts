// A clock that follows a script, a generator on it, and the outcome of a call.
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { GraupelError } from "graupel";
import type { AnyGenerator, Id } from "../support/any-format.ts";
import type { OtherProcess } from "../support/other-process.ts";
import { replace } from "../support/replace.ts";
import type { Backwards, Full, Room, Subject } from "./subjects.ts";

/** Milliseconds that timers have slept in `hurried`. */
let slept = 0;

/** How a clock continues: from its last reading, and from the time that timers have slept since. */
type Then = (last: number, asleep: number) => number;

/** Readings in order, and then as `then` says. */
export class ScriptedClock {
  #list: readonly number[] = [Number.NaN];
  #then: Then = stands;
  #slept = 0;
  /** The readings since the script was set. */
  readonly taken: number[] = [];

  readonly read = (): number => {
    const next = this.taken.length;
    const asleep = slept - this.#slept;
    this.#slept = slept;
    const last = this.taken.at(-1) as number;
    const reading = next < this.#list.length ? this.#list[next] : this.#then(last, asleep);
    this.taken.push(reading as number);
    return reading as number;
  };

  script(list: readonly number[], then: Then = stands): void {
    this.#list = list;
    this.#then = then;
    this.#slept = slept;
    this.taken.length = 0;
  }

  stand(ms: number): void {
    this.script([ms]);
  }
}

/** A clock that does not move. */
export const stands = (last: number): number => last;

/** The two policies, as options. */
export interface Policies {
  readonly clockBackwards?: Backwards;
  readonly sequenceFull?: Full;
}

/** One subject with its own clock and state. `high` is the central reading of its story. */
export class Stage {
  readonly clock = new ScriptedClock();
  readonly generator: AnyGenerator;
  /** Length of a tick. */
  readonly tick: number;

  /** `process`: where generators share the state; a story of one generator needs none. */
  constructor(
    readonly subject: Subject,
    readonly high: number,
    readonly room: Room,
    readonly options: Readonly<Record<string, unknown>>,
    readonly process?: OtherProcess,
  ) {
    this.tick = subject.format.layout.tickMs;
    this.generator = process === undefined ? this.#make({ isolated: true }) : this.another({});
  }

  #make(options: Readonly<Record<string, unknown>>): AnyGenerator {
    const { format, fixed } = this.subject;
    const own = this.subject.room(this.room);
    return format.generator({ ...fixed, ...own, clock: this.clock.read, ...this.options, ...options });
  }

  /** Another generator of the same identity, with other options. */
  another(options: Readonly<Record<string, unknown>>): AnyGenerator {
    if (this.process === undefined) {
      throw new Error("this stage's state is shared with nobody; give it a process");
    }
    return this.process.run(() => {
      const generator = this.#make(options);
      // Claims the state in this process; with a snapshot, making the generator has claimed it.
      if (this.options.snapshot === undefined && options.snapshot === undefined) {
        generator.stats();
      }
      return generator;
    });
  }

  /** The reading this many ticks after `high`. */
  at(ticks: number): number {
    return this.high + ticks * this.tick;
  }

  /** Issues IDs while the clock stands still this many ticks after `high`. */
  issue(ticks: number, count = 1, generator = this.generator): readonly Id[] {
    this.clock.stand(this.at(ticks));
    return Array.from({ length: count }, () => generator.next());
  }

  /** Uses up ticks of the story, starting with `high`; more than one tick needs "borrow". */
  fill(ticks = 1): void {
    this.clock.stand(this.high);
    this.generator.nextMany(this.subject.perTick * ticks);
  }
}

/** The three calls that issue IDs. */
export const CALLS = ["next", "nextMany", "nextAsync"] as const;
export type Call = (typeof CALLS)[number];

/** The outcome of a call: IDs or an error, and its readings of the clock. */
export interface Seen {
  readonly ids: readonly Id[];
  readonly error: GraupelError | undefined;
  readonly readings: readonly number[];
}

/** Makes a call. Throws every other error than a GraupelError. */
export async function ask(stage: Stage, call: Call): Promise<Seen> {
  const { generator, clock, subject, room } = stage;
  const count = room === "scarce" ? Math.min(2, subject.perTick) : 2;
  try {
    const ids =
      call === "next"
        ? [rushed(() => generator.next())]
        : call === "nextMany"
          ? rushed(() => generator.nextMany(count))
          : [await hurried(() => generator.nextAsync())];
    return { ids, error: undefined, readings: [...clock.taken] };
  } catch (error) {
    if (GraupelError.is(error)) {
      return { ids: [], error, readings: [...clock.taken] };
    }
    throw error;
  }
}

/** Makes a call with a monotonic clock that runs 5 ms at each look, and without sleep: a wait takes no real time. */
export function rushed<T>(call: () => T): T {
  let elapsed = 0;
  const now = () => {
    elapsed += 5;
    return elapsed;
  };
  const restore = replace([performance, "now", now], [Atomics, "wait", () => "timed-out"]);
  try {
    return call();
  } finally {
    restore();
  }
}

/** Lets everything that is due run, without a timer. */
export const settled = (): Promise<void> => setImmediate();

/**
 * Awaits a call with timers that fire as soon as they are set, each a millisecond later by the monotonic clock, so that the speed of
 * the machine does not matter. Throws in the end what a timer has thrown.
 */
export async function hurried<T>(call: () => Promise<T>): Promise<T> {
  let elapsed = 0;
  mock.timers.enable({ apis: ["setTimeout"] });
  const set = globalThis.setTimeout;
  const counting = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    set(() => {
      slept += ms;
      run(...args);
    }, ms);
  const restore = replace([performance, "now", () => elapsed], [globalThis, "setTimeout", counting]);
  const thrown: unknown[] = [];
  try {
    let ended = false;
    const promise = call().finally(() => {
      ended = true;
    });
    promise.catch(() => undefined);
    await settled();
    // Also timers that are set after the call has ended, because another call may wait for them.
    for (let after = 0; after < 3; after += ended ? 1 : 0) {
      elapsed++;
      try {
        mock.timers.runAll();
      } catch (error) {
        thrown.push(error);
      }
      await settled();
    }
    const value = await promise;
    if (thrown.length > 0) {
      throw thrown[0];
    }
    return value;
  } finally {
    restore();
    mock.timers.reset();
  }
}

/** The code of a call's error, or its result. */
export function outcome(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (GraupelError.is(error)) {
      return error.code;
    }
    throw error;
  }
}

/**
 * The outcome in one word or two: the tick of the ID, relative to that of `high`, with ' if the tick-tock bit is set; or the error's
 * code. If the call waited, @ and the reading at which it ended follow, also in ticks (~ if it is not a whole number).
 */
export function verdict({ ids, error, readings }: Seen, stage: Stage): string {
  const { format } = stage.subject;
  const from = Math.round((stage.high - format.epoch) / stage.tick);
  const signed = (n: number) => (Number.isInteger(n) ? `${n > 0 ? "+" : ""}${n}` : "~");
  const ticks = new Set(
    ids.map((id) => {
      const { ticks, tickTock } = format.inspect(id);
      return `${signed(ticks - from)}${tickTock === 1 ? "'" : ""}`;
    }),
  );
  const last = readings.at(-1) as number;
  const waited = last === readings[0] ? "" : ` @${signed((last - stage.high) / stage.tick)}`;
  return `${error?.code ?? [...ticks].join(",")}${waited}`;
}
