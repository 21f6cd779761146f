/**
 * Checks that a lease store follows the protocol. Run the checks with any test runner. They create
 * their own namespaces and use the store's real clock, so all of them together take some seconds.
 *
 * @module graupel/lease/conformance
 *
 * @example
 * ```js
 * import { memory } from "graupel/lease";
 * import { checks } from "graupel/lease/conformance";
 * for (const { name, run } of checks(memory())) {
 *   await run();
 *   console.log(name);
 * }
 * ```
 */
import { checksOf } from "./conformance-checks.js";
import { Space, untilProven } from "./conformance-space.js";
import type { LeaseStore } from "./types.js";

/** One check. */
export interface Check {
  /** The rule that it checks, as a sentence. */
  readonly name: string;
  /** Runs the check. Rejects with the reason if the store fails it. */
  run(this: void): Promise<void>;
}

/** Options of `checks`. */
export interface ConformanceOptions {
  /**
   * How long the grants last, in milliseconds; 400 by default. A check whose calls take longer than
   * half of this runs again with twice the time, up to 64 times `ttlMs`.
   */
  readonly ttlMs?: number | undefined;
}

/** The checks for a store. */
export const checks = (store: LeaseStore, { ttlMs = 400 }: ConformanceOptions = {}): Check[] =>
  Object.entries(checksOf(store)).map(([name, check]) => ({
    name,
    run: () => untilProven((longer) => check(new Space(store, longer)), ttlMs),
  }));
