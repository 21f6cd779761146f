/** Counts of what has happened, to show that every kind of event has. */

/** Calls by kind. */
const CALLS = [
  "next", "nextText", "nextMany", "nextManyText", "nextTyped", "nextAsync", "at", "snapshot", "restore", "restart",
] as const; // biome-ignore format: a list of words

/**
 * Events. `held`, `borrowed`: IDs of a tick ahead of the clock, by policy; `toggled`: sno's tick-tock bit; `own`: the caller's own
 * errors that came through unchanged; `clocks`: IDs made with another clock than the one before; `spent`: times given as `notBefore`;
 * `apart`: IDs of isolated generators.
 */
const EVENTS = [
  "waits", "full", "back", "held", "borrowed", "toggled", "callbacks", "own", "aborted", "crashed", "clocks", "spent", "apart",
] as const; // biome-ignore format: a list of words

export type Call = (typeof CALLS)[number];
type Event = (typeof EVENTS)[number];

const zeros = <K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;

export class Tally {
  ids = 0;
  stories = 0;
  readonly calls = zeros<Call>(CALLS);
  readonly events = zeros<Event>(EVENTS);
  /** Refusals by code. */
  readonly errors: Record<string, number> = {};
  /** Pairs of policies that made IDs. */
  readonly policies = new Set<string>();

  refused(code: string): void {
    this.errors[code] = (this.errors[code] ?? 0) + 1;
  }

  /** The share of calls for one ID among all calls. */
  get singles(): number {
    const { next, nextText, nextMany, nextManyText, nextTyped, nextAsync, at } = this.calls;
    const singles = next + nextText + nextAsync + at;
    return singles / Math.max(1, singles + nextMany + nextManyText + nextTyped);
  }
}
