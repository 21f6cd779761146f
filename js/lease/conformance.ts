/**
 * Proves that a store of leases keeps to the protocol: a list of checks, for any test runner. They use namespaces of their own, and the
 * store's real clock: all of them together take some seconds.
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
  /** What it checks, in words. */
  readonly name: string;
  /** Rejects with the reason if the store does not do so. */
  run(this: void): Promise<void>;
}

/** What `checks` takes besides. */
export interface ConformanceOptions {
  /** The time to live of the grants, in milliseconds; 400 if left out. A check whose calls take longer than half of it is made again with twice the time, up to 64 times `ttlMs`. */
  readonly ttlMs?: number | undefined;
}

/** The checks of a store. */
export const checks = (store: LeaseStore, { ttlMs = 400 }: ConformanceOptions = {}): Check[] =>
  Object.entries(checksOf(store)).map(([name, check]) => ({
    name,
    run: () => untilProven((longer) => check(new Space(store, longer)), ttlMs),
  }));
