/** Calls of a store: each has an end, and its answer says something about the store and its clock. */
import { failed, silent } from "./answers.js";
import type { Environment } from "./environment.js";
import type { Grant } from "./types.js";

export class Calls {
  readonly #environment: Environment;
  readonly #limitMs: number;
  /** The largest quarantine that is known of the namespace, and what the store cannot promise. */
  largestMs: number;
  warnings: readonly string[] = [];
  /** By how much its clock is ahead, as the last answer showed. */
  skewMs: number | undefined;

  /** `limitMs`: the end of a call; `largestMs`: one's own quarantine. */
  constructor(environment: Environment, limitMs: number, largestMs: number) {
    this.#environment = environment;
    this.#limitMs = limitMs;
    this.largestMs = largestMs;
  }

  /** Makes a call. An answer that comes after its end counts no more. `keeps`: whether the process stays alive for it. */
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
