/**
 * Calls a store: limits the time of each call and notes what its answer shows about the store's
 * clock and quarantine.
 */
import { failed, silent } from "./answers.js";
import type { Environment } from "./environment.js";
import type { Grant } from "./types.js";

export class Calls {
  readonly #environment: Environment;
  readonly #limitMs: number;
  /** The largest known quarantine of the namespace, in milliseconds, and the store's warnings. */
  largestMs: number;
  warnings: readonly string[] = [];
  /** How far the store's clock is ahead of this one, in milliseconds, by the last answer. */
  skewMs: number | undefined;

  /** `limitMs`: the longest time of a call; `largestMs`: the quarantine of this lease. */
  constructor(environment: Environment, limitMs: number, largestMs: number) {
    this.#environment = environment;
    this.#limitMs = limitMs;
    this.largestMs = largestMs;
  }

  /**
   * Makes a call. An answer that comes after the limit is ignored. `keeps`: whether the call keeps
   * the process alive.
   */
  async call<T>(work: () => Promise<T>, keeps = false): Promise<T> {
    const { wall, after } = this.#environment;
    const ms = this.#limitMs;
    let stop: (() => void) | undefined;
    const late = new Promise<never>((_, reject) => {
      stop = after(ms, keeps, () => reject(silent(ms)));
    });
    const sent = wall();
    try {
      const answer = await Promise.race([work(), late]);
      const { now, quarantineMs, warnings } = Object(answer) as Partial<Grant>;
      this.warnings = warnings ?? this.warnings;
      this.largestMs = quarantineMs ?? this.largestMs;
      if (typeof now === "number") {
        this.skewMs = Math.round(now - (sent + wall()) / 2);
      }
      return answer;
    } catch (cause) {
      throw failed(cause);
    } finally {
      stop?.();
    }
  }
}
