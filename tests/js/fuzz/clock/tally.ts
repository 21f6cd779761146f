/** Counts of what has happened, to show that everything has. */

/**
 * Calls by their names, refusals by their codes, and events:
 *
 * - `waits`, `full`, `back`: as `stats()` counts them
 * - `held`, `borrowed`: IDs of a tick ahead of the clock, by policy
 * - `clocks`: IDs made with another clock than the one before
 * - `toggled`: changes of sno's tick-tock bit
 * - `apart`: IDs of isolated generators
 * - `spent`: generators with a `notBefore`
 * - `own`: the caller's own errors that came through unchanged
 */
export class Tally {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, n: number | boolean = 1): void {
    this.#counts.set(name, this.of(name) + Number(n));
  }

  /** All counts, in the same order. */
  get all(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort());
  }
}
