/** How long the fuzzers run, and how to repeat a failure. */
import fc from "fast-check";
import { seedOfRun } from "../support/random.ts";

/** `GRAUPEL_RUNS=100` runs a hundred times as many cases. */
const TIMES = Number(process.env.GRAUPEL_RUNS ?? 1);

/**
 * Not negative, so that the seed printed by fast-check works as GRAUPEL_SEED and the path as
 * GRAUPEL_PATH.
 */
const seed = seedOfRun() & 0x7fff_ffff;

/**
 * Checks a property on the given number of cases. A failure shows the smallest failing case, the
 * seed and the path.
 */
export async function check<T>(cases: number, values: fc.Arbitrary<T>, holds: (value: T) => unknown) {
  const property = fc.asyncProperty(values, async (value) => {
    await holds(value);
  });
  const path = process.env.GRAUPEL_PATH;
  const repeated = path === undefined ? {} : { path, endOnFailure: true };
  await fc.assert(property, { seed, numRuns: Math.ceil(cases * TIMES), ...repeated });
}
