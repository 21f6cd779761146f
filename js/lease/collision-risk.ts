/** The risk that randomly drawn numbers collide. */
import { numberIn, pickOptions } from "../checks.js";

/** Options of `collisionRisk`. */
export interface CollisionRiskOptions {
  /** The size of each drawn number in bits, 1 to 64. */
  readonly bits: number;
  /** The number of processes, 0 to 2^31. */
  readonly processes: number;
}

/**
 * Returns the probability, 0 to 1, that at least two processes draw the same number (the birthday
 * problem). Two such processes repeat an ID only if they also use the same sequence number in the
 * same tick.
 *
 * Errors: `TYPE`, `RANGE`, `UNKNOWN_OPTION`.
 *
 * @example
 * ```js
 * import { collisionRisk } from "graupel/lease";
 * console.log(collisionRisk({ bits: 10, processes: 50 }).toFixed(2));   // 0.70
 * console.log(collisionRisk({ bits: 16, processes: 100 }).toFixed(3));  // 0.073
 * ```
 */
export function collisionRisk(options: CollisionRiskOptions): number {
  const given = pickOptions(options, "options", ["bits", "processes"]);
  const numbers = 2 ** numberIn(given.bits, "bits", 64, 1);
  const processes = numberIn(given.processes, "processes", 2 ** 31);
  if (processes > numbers) {
    return 1;
  }
  // The logarithm of the probability that all differ is the sum of log(1 - i / numbers). For many
  // processes, its integral is close enough.
  const EXACT = 100_000;
  let log = 0;
  for (let i = 1; i < Math.min(processes, EXACT); i++) {
    log += Math.log1p(-i / numbers);
  }
  if (processes > EXACT) {
    const rest = (from: number) => (numbers - from) * Math.log1p(-from / numbers) + from;
    log -= rest(processes - 0.5) - rest(EXACT - 0.5);
  }
  return 0 - Math.expm1(log);
}
