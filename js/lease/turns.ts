/** Schedules the turns of a lease and lets callers wait for the end of one. */
import type { Environment } from "./environment.js";

/** The shortest pause between two turns, in milliseconds. */
export const SHORTEST_MS = 50;

/** All waits for one signal share one listener, because Node 20 warns about more than ten. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `work` when the signal is aborted. Returns a function that stops listening. */
function onAbort(signal: AbortSignal, work: () => void): () => void {
  const all = waiting.get(signal) ?? new Set();
  if (!waiting.has(signal)) {
    waiting.set(signal, all);
    signal.addEventListener("abort", () => {
      for (const one of all) {
        one();
      }
    });
  }
  all.add(work);
  return () => all.delete(work);
}

/** A weak reference. On platforms without `WeakRef`, it is a strong one. */
export type Weakly<T> = { deref(): T | undefined };
export const weakly = <T extends object>(it: T): Weakly<T> =>
  typeof WeakRef === "function" ? new WeakRef(it) : { deref: () => it };

/**
 * Defined outside the class, so that a timer does not keep it alive: a lease that is dropped
 * without a release is no longer renewed.
 */
const waking = (turns: Weakly<Turns>) => () => turns.deref()?.go();

/** The object that takes the turns. */
interface Taker {
  take(): Promise<void>;
  /** Milliseconds until the next turn. */
  pause(): number;
}

/**
 * Takes one turn after the other: after a pause, when a page or a process resumes, and on request.
 */
export class Turns {
  readonly #environment: Environment;
  readonly #taker: Taker;
  readonly #wake: () => void = waking(weakly(this));
  readonly #stopWaking: () => void;
  readonly #resting = new Set<() => void>();
  #isOver = false;
  /** The turn in progress. */
  turn: Promise<void> | undefined;
  /** Cancels the timer of the next turn. */
  #cancel: (() => void) | undefined;
  /** The monotonic time at which the last turn started. */
  #began = -Infinity;

  constructor(environment: Environment, taker: Taker) {
    this.#environment = environment;
    this.#taker = taker;
    this.#stopWaking = environment.onWake(this.#wake);
  }

  /** Takes a turn, unless one has just started: thousands of calls may fail at the same time. */
  soon(): void {
    if (this.#environment.elapsed() - this.#began > SHORTEST_MS) {
      this.go();
    }
  }

  /** Takes a turn, unless one is in progress. */
  go(): void {
    if (!this.turn && !this.#isOver) {
      // Use a new stack: on a stack that is nearly full, a rejection would reach the process before
      // it can be handled.
      this.turn = Promise.resolve().then(async () => {
        this.#began = this.#environment.elapsed();
        if (!this.#isOver) {
          await this.#taker.take();
        }
        this.turn = undefined;
        this.plan();
        this.#endRests();
      });
    }
  }

  /** Sets the timer of the next turn. */
  plan(): void {
    if (!this.#isOver) {
      this.#cancel?.();
      this.#cancel = this.#environment.after(this.#taker.pause(), false, this.#wake);
    }
  }

  /** Resolves when a turn ends, when all turns end, after `ms`, or once the signal is aborted. */
  rest(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop();
        this.#resting.delete(done);
        listening?.();
        resolve();
      };
      const stop = this.#environment.after(ms, true, done);
      this.#resting.add(done);
      const listening = signal && onAbort(signal, done);
    });
  }

  #endRests(): void {
    for (const done of this.#resting) {
      done();
    }
  }

  /** Stops: no turn starts after this. */
  end(): void {
    this.#isOver = true;
    this.#endRests();
    this.#cancel?.();
    this.#stopWaking();
  }
}
