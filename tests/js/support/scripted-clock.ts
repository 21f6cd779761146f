// A clock that follows a script, calls whose waits take no real time, and the outcome of a call.
import { setImmediate } from "node:timers/promises";
import { GraupelError } from "graupel";
import { replace } from "./replace.ts";

/** Computes the next reading from the last one. */
type Then = (last: number) => number;

/** Returns the scripted readings in order, then those that `then` computes. */
export class ScriptedClock {
  #list: readonly number[] = [Number.NaN];
  #then: Then = stands;
  /** The readings taken since the script was set. */
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

const stands = (last: number): number => last;

/**
 * Makes a call with a monotonic clock that advances 5 ms per reading and without sleep, so that
 * waits take no real time.
 */
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

/** Lets all pending work run, without a timer. */
export const settled = (): Promise<void> => setImmediate();

/** More turns of the event loop than any call takes without a timer. */
const MOST_IDLE = 100;

/**
 * Awaits a call with fake timers. They fire in the order in which they were set, as soon as nothing
 * else is pending, each a millisecond later by the monotonic clock. At the end, rethrows anything
 * that a timer threw.
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
    // Also fires timers set after the call has ended, because another call may wait for them.
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
