// A clock that follows a script, one generator on it, and what a call comes to.
import { mock } from "node:test";
import { GraupelError } from "graupel";
import type { AnyGenerator, Id } from "../support/any-format.ts";
import type { OtherProcess } from "../support/other-process.ts";
import type { Backwards, Full, Room, Subject } from "./subjects.ts";

/** Milliseconds that timers have slept in `hurried`. */
let slept = 0;

/** How a clock goes on: from its last reading, and from what timers have slept since. */
type Then = (last: number, asleep: number) => number;

/** Readings in order, and then as `then` says. */
export class ScriptedClock {
  #list: readonly number[] = [Number.NaN];
  #then: Then = stands;
  #slept = 0;
  /** What was read since the script was set. */
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

/** One subject on a clock and with a state of its own. `high` is the reading that its story is told around. */
export class Stage {
  readonly clock = new ScriptedClock();
  readonly generator: AnyGenerator;
  /** Length of a tick. */
  readonly tick: number;

  /** `process`: where the state can be shared; a story of one generator needs none. */
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
      // Claims the state while the process is there; with a snapshot, making the generator has done so.
      if (this.options.snapshot === undefined && options.snapshot === undefined) {
        generator.stats();
      }
      return generator;
    });
  }

  /** The reading so many ticks after `high`. */
  at(ticks: number): number {
    return this.high + ticks * this.tick;
  }

  /** Issues IDs with the clock standing so many ticks after `high`. */
  issue(ticks: number, count = 1, generator = this.generator): readonly Id[] {
    this.clock.stand(this.at(ticks));
    return Array.from({ length: count }, () => generator.next());
  }

  /** Uses up ticks of the story, from `high` on; more than one need "borrow". */
  fill(ticks = 1): void {
    this.clock.stand(this.high);
    this.generator.nextMany(this.subject.perTick * ticks);
  }
}

/** The three ways to ask for IDs. */
export const CALLS = ["next", "nextMany", "nextAsync"] as const;
export type Call = (typeof CALLS)[number];

/** What a call came to: IDs or an error, and the clock's readings that it took. */
export interface Seen {
  readonly ids: readonly Id[];
  readonly error: GraupelError | undefined;
  readonly readings: readonly number[];
}

/** Asks for IDs. Throws whatever is no refusal. */
export async function ask(stage: Stage, call: Call): Promise<Seen> {
  const { generator, clock, subject, room } = stage;
  const count = room === "scarce" ? Math.min(2, subject.perTick) : 2;
  try {
    const ids =
      call === "next"
        ? [generator.next()]
        : call === "nextMany"
          ? Array.from(generator.nextMany(count))
          : [await hurried(() => generator.nextAsync())];
    return { ids, error: undefined, readings: [...clock.taken] };
  } catch (error) {
    if (GraupelError.is(error)) {
      return { ids: [], error, readings: [...clock.taken] };
    }
    throw error;
  }
}

/** Lets everything that is due run, without a timer. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await Promise.resolve();
  }
}

/**
 * Awaits a call on timers that fire as soon as they are set, each time a millisecond later by the clock that bounds waits:
 * how fast this machine is does not matter. What a timer throws is thrown in the end.
 */
export async function hurried<T>(call: () => Promise<T>): Promise<T> {
  let elapsed = 0;
  const watch = mock.method(performance, "now", () => elapsed);
  mock.timers.enable({ apis: ["setTimeout"] });
  const set = globalThis.setTimeout;
  const timers = mock.method(
    globalThis,
    "setTimeout",
    (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      set(() => {
        slept += ms;
        run(...args);
      }, ms),
  );
  const thrown: unknown[] = [];
  try {
    let ended = false;
    const promise = call().finally(() => {
      ended = true;
    });
    promise.catch(() => undefined);
    await settled();
    // Also those that are set when the call has ended: a timer that is dropped is one that somebody waits for.
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
    timers.mock.restore();
    mock.timers.reset();
    watch.mock.restore();
  }
}

/** The code of a call's refusal, or what it returned. */
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
 * What was seen, in one word or two. The tick of the ID, counted from that of `high`, with ' if the tick-tock bit is
 * set; or the error's code. After @, if the call waited, the reading at which it ended, also in ticks (~ if it is no
 * whole number of them).
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
