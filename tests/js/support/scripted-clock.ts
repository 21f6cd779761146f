// A clock that follows a script; calls whose waits take no real time; and the outcome of a call.
import { setImmediate } from "node:timers/promises";
import { GraupelError } from "graupel";
import { replace } from "./replace.ts";

/** How a clock continues after its last reading. */
type Then = (last: number) => number;

/** Readings in order, and then as `then` says. */
export class ScriptedClock {
  #list: readonly number[] = [Number.NaN];
  #then: Then = stands;
  /** The readings since the script was set. */
  readonly taken: number[] = [];

  readonly read = (): number => {
    const next = this.taken.length;
    const reading = next < this.#list.length ? this.#list[next] : this.#then(this.taken.at(-1) as number);
    this.taken.push(reading as number);
    return reading as number;
  };

  script(list: readonly number[], then: Then = stands): void {
    this.#list = list;
    this.#then = then;
    this.taken.length = 0;
  }

  stand(ms: number): void {
    this.script([ms]);
  }
}

/** A clock that does not move. */
const stands = (last: number): number => last;

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

/** More turns of the event loop without a timer than any call takes. */
const MOST_IDLE = 100;

/**
 * Awaits a call with timers that fire in the order in which they are set, as soon as nothing else is to be done, each a millisecond
 * later by the monotonic clock. Throws in the end what a timer has thrown.
 */
export async function hurried<T>(call: () => Promise<T>): Promise<T> {
  const timers = new Set<() => void>();
  let elapsed = 0;
  const setTimer = (run: (...args: unknown[]) => void, _ms: number, ...args: unknown[]) => {
    const timer = () => run(...args);
    timers.add(timer);
    return timer;
  };
  const restore = replace(
    [performance, "now", () => elapsed],
    [globalThis, "setTimeout", setTimer],
    [globalThis, "clearTimeout", timers.delete.bind(timers)],
  );
  const thrown: unknown[] = [];
  try {
    let ended = false;
    const end = () => {
      ended = true;
    };
    const promise = call();
    promise.then(end, end);
    await undefined;
    // Also timers that are set after the call has ended, because another call may wait for them.
    for (let idle = 0, after = 0; !ended || (after < 3 && timers.size > 0); after += ended ? 1 : 0) {
      const [first] = timers;
      if (first !== undefined) {
        timers.delete(first);
        elapsed++;
        try {
          first();
        } catch (error) {
          thrown.push(error);
        }
      } else if (++idle > MOST_IDLE) {
        throw new Error("the call waits for ever");
      }
      await undefined;
    }
    const value = await promise;
    if (thrown.length > 0) {
      throw thrown[0];
    }
    return value;
  } finally {
    restore();
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
