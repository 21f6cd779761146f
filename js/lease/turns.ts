/** When a lease takes its turns, and who waits for the end of one. */
import type { Environment } from "./environment.js";

/** The shortest pause between two turns, in milliseconds. */
export const SHORTEST_MS = 50;

/** Many that wait for one signal add one listener to it: Node 20 warns of more than ten. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `work` when the signal is aborted. Returns a function that ends this. */
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

/** What does not keep an object alive. Where nothing can be held weakly, it does. */
export type Weakly<T> = { deref(): T | undefined };
export const weakly = <T extends object>(it: T): Weakly<T> =>
  typeof WeakRef === "function" ? new WeakRef(it) : { deref: () => it };

/** Outside of the class, so that a timer does not hold it: a lease that is dropped without a release is renewed no more. */
const waking = (turns: Weakly<Turns>) => () => turns.deref()?.go();

/** Who takes the turns. */
interface Taker {
  take(): Promise<void>;
  /** Milliseconds until the next turn. */
  pause(): number;
}

/** One turn after the other: after a pause, when a page or a process comes back to life, and when somebody asks for one. */
export class Turns {
  readonly #environment: Environment;
  readonly #taker: Taker;
  readonly #wake: () => void = waking(weakly(this));
  readonly #stopWaking: () => void;
  readonly #resting = new Set<() => void>();
  #isOver = false;
  /** The turn that is being taken. */
  turn: Promise<void> | undefined;
  /** Ends the timer of the next one. */
  #cancel: (() => void) | undefined;
  /** When the last one began, monotonic. */
  #began = -Infinity;

  constructor(environment: Environment, taker: Taker) {
    this.#environment = environment;
    this.#taker = taker;
    this.#stopWaking = environment.onWake(this.#wake);
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
        await this.#taker.take();
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
      this.#cancel = this.#environment.after(this.#taker.pause(), false, this.#wake);
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

  /** From now on no turn begins. */
  end(): void {
    this.#isOver = true;
    this.#endRests();
    this.#cancel?.();
    this.#stopWaking();
  }
}
