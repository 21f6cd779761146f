/**
 * Unique worker IDs for all processes. A lease is a worker ID with an interval of ID time,
 * granted by a store that all processes reach. A generator issues no ID outside its interval, so no
 * ID repeats, even if the clocks of the processes are wrong.
 *
 * @module graupel/lease
 */
import { platform } from "./environment.js";
import { leaseIn } from "./lease.js";
import type { Lease, LeaseOptions, LeaseStore } from "./types.js";

export { type CollisionRiskOptions, collisionRisk } from "./collision-risk.js";
export { type MemoryOptions, memory } from "./memory.js";
export { type OrdinalOptions, ordinal } from "./ordinal.js";
export { type Part, part } from "./part.js";
export type * from "./types.js";

/**
 * Leases a worker ID: the values of all fixed fields of a format, such as `workerId` or sno's
 * partition. Resolves as soon as its generators can issue IDs.
 *
 * Errors: `TYPE`, `RANGE`, `UNKNOWN_OPTION`, `UNKNOWN_FIELD`; rejects with `LEASE_FULL` if all
 * numbers are held, `LEASE_STORE` if the store does not answer, `LEASE_LOST` if the interval of its
 * number starts after `maxWaitMs`, `LEASE_LAYOUT` if the namespace belongs to another format,
 * `LEASE_SKEW` if this clock is too far from the store's, `CONFLICT` if a generator of this process
 * was given the number, `RANDOM_FAILED` without `crypto`; or with the signal's reason.
 *
 * @example
 * ```js
 * import { twitter } from "graupel";
 * import { lease, memory } from "graupel/lease";
 * const worker = await lease(memory(), { format: twitter, namespace: "orders", ttlMs: 1000, quarantineMs: 1000 });
 * const ids = twitter.generator({ lease: worker });
 * console.log(twitter.inspect(ids.next()).workerId);   // 0
 * await worker.release();
 * ```
 */
export const lease: (store: LeaseStore, options: LeaseOptions) => Promise<Lease> =
  /* @__PURE__ */ leaseIn(platform);
