/** Counts of what has happened, to show that every kind of event has. */

/** The calls of a generator that issue IDs by the clock. */
export type Issuing = "next" | "nextText" | "nextMany" | "nextManyText" | "nextTyped";
export type Call = Issuing | "nextAsync" | "at" | "snapshot";

/**
 * - `waits`, `full`, `back`: as `stats()` counts them
 * - `held`, `borrowed`: IDs of a tick ahead of the clock, by policy
 * - `clocks`: IDs made with another clock than the one before
 * - `toggled`: changes of sno's tick-tock bit
 * - `apart`: IDs of isolated generators
 * - `spent`: generators with a `notBefore`
 * - `own`: the caller's own errors that came through unchanged
 */
type Event = "restore" | "restart" | "callbacks" | "crashed" | "aborted" | "own" | "ids" | "stories" | Sign;
type Sign = "waits" | "full" | "back" | "held" | "borrowed" | "clocks" | "toggled" | "apart" | "spent";

export class Tally {
  /** How often; refusals by their codes. */
  readonly counts = new Map<string, number>();
  /** Pairs of policies that made IDs. */
  readonly policies = new Set<string>();

  of(name: Call | Event): number {
    return this.counts.get(name) ?? 0;
  }

  add(name: Call | Event, n: number | boolean = 1): void {
    this.counts.set(name, this.of(name) + Number(n));
  }

  refused(code: string): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
  }

  /** All counts, in the same order. */
  get all(): Readonly<Record<string, number>> {
    return { policies: this.policies.size, ...Object.fromEntries([...this.counts].sort()) };
  }
}
