/** The risk of numbers that are drawn at random. */
import { numberIn, pickOptions } from "../checks.js";

/** What `collisionRisk` takes. */
export interface CollisionRiskOptions {
  /** Bits of the number that each process draws, 1 to 64. */
  readonly bits: number;
  /** How many processes draw one, 0 to 2^31. */
  readonly processes: number;
}

/**
 * The odds that at least two of some processes draw the same number, from 0 to 1: the birthday problem. Two that share a number repeat an
 * ID only where they also meet in the tick and the sequence.
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
  // The logarithm of the odds that all differ: the sum of log(1 - i / numbers), exact for few, and by its integral for many.
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
