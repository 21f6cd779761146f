/** When a lease takes its turns, and who waits for the end of one. */
import type { Environment } from "./environment.js";

/** The shortest pause between two turns, in milliseconds. */
export const SHORTEST_MS = 50;

/** Many that wait for one signal add one listener to it: Node 20 warns of more than ten. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `work` when the signal is aborted. Returns a function that ends this. */
function onAbort(signal: AbortSignal, work: () => void): () => void {
  let all = waiting.get(signal);
  if (all === undefined) {
    const added = new Set<() => void>();
    signal.addEventListener("abort", () => {
      for (const one of added) {
        one();
      }
    });
    waiting.set(signal, added);
    all = added;
  }
  all.add(work);
  return () => all.delete(work);
}

/** What does not keep an object alive. Where nothing can be held weakly, it does. */
export type Weakly<T> = { deref(): T | undefined };
export const weakly = <T extends object>(it: T): Weakly<T> =>
  typeof WeakRef === "function" ? new WeakRef(it) : { deref: () => it };

/** Outside of the class, so that a timer does not hold it: whoever drops a lease without a release has it renewed no more. */
const wake = (turns: Weakly<Turns>): void => {
  turns.deref()?.go();
};

/** One turn after the other: after a pause, when a page or a process comes back to life, and when somebody asks for one. */
export class Turns {
  readonly #environment: Environment;
  readonly #take: () => Promise<void>;
  readonly #pause: () => number;
  readonly #self = weakly(this);
  readonly #stopWaking: () => void;
  readonly #resting = new Set<() => void>();
  #isOver = false;
  /** The turn that is being taken. */
  turn: Promise<void> | undefined;
  /** Ends the timer of the next one. */
  #cancel: (() => void) | undefined;
  /** When the last one began, monotonic. */
  #began = -Infinity;

  /** `take`: takes a turn; `pause`: the milliseconds until the next one. */
  constructor(environment: Environment, take: () => Promise<void>, pause: () => number) {
    this.#environment = environment;
    this.#take = take;
    this.#pause = pause;
    this.#stopWaking = environment.onWake(wake, this.#self);
  }

  /** Takes a turn, unless one has just begun: thousands of calls may be refused at the same time. */
  soon(): void {
    if (this.#environment.elapsed() - this.#began > SHORTEST_MS) {
      this.go();
    }
  }

  /** Takes a turn, unless one is being taken. */
  go(): void {
    if (!this.turn && !this.#isOver) {
      // On a stack of its own: on one that is full, what rejects is told to the process before it can be handled.
      this.turn = Promise.resolve().then(async () => {
        this.#began = this.#environment.elapsed();
        await this.#take();
        this.turn = undefined;
        this.plan();
        this.#endRests();
      });
    }
  }

  /** Sets the timer of the next turn, unless one is being taken. */
  plan(): void {
    if (!this.turn && !this.#isOver) {
      this.#cancel?.();
      this.#cancel = this.#environment.after(this.#pause(), false, wake, this.#self);
    }
  }

  /** Resolves at the end of a turn or of all turns, after `ms`, or once the signal is aborted. */
  rest(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop();
        this.#resting.delete(done);
        listening?.();
        resolve();
      };
      const stop = this.#environment.after(ms, true, done, undefined);
      this.#resting.add(done);
      const listening = signal && onAbort(signal, done);
    });
  }

  #endRests(): void {
    for (const done of this.#resting) {
      done();
    }
  }

  /** From now on no turn begins. */
  end(): void {
    this.#isOver = true;
    this.#endRests();
    this.#cancel?.();
    this.#stopWaking();
  }
}
