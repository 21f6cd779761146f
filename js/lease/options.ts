/** Checks the options of a lease. */

import { callback, numberIn, pickOptions, signalOf } from "../checks.js";
import { typeError } from "../errors.js";
import { LONGEST_MS } from "../generated/constants.js";
import { LEASE, type Leasable } from "../identity/shared.js";
import type { LeaseOptions, LeaseStore } from "./types.js";

/** The options, checked as far as they do not depend on the format. */
type CheckedOptions = Omit<LeaseOptions, "format" | "signal"> & {
  readonly format: Leasable;
  readonly signal: AbortSignal | undefined;
};

const NAMES = "format namespace fixed ttlMs quarantineMs maxWaitMs signal label onChange".split(" ");

/**
 * Checks a text. Stores put it into keys, and commands print it, so only some characters are
 * allowed.
 */
function text(value: unknown, field: string, pattern: RegExp, what: string): void {
  if (typeof value !== "string" || !pattern.test(value)) {
    typeError(field, value, what);
  }
}

/** Checks a store: its three calls and `durable`. */
export function storeOf(value: unknown): LeaseStore {
  const store = Object(value) as LeaseStore;
  return [store.acquire, store.renew, store.release].every((call) => typeof call === "function") &&
    typeof store.durable === "boolean"
    ? store
    : typeError("store", value, "a store of leases");
}

/** The options, copied and checked. */
export function given(options: unknown): CheckedOptions {
  const copy = pickOptions(options, "options", NAMES) as unknown as CheckedOptions;
  const { format, namespace, maxWaitMs = 0, signal, label = "", onChange } = copy;
  text(namespace, "namespace", /^[\w.:/-]{1,128}$/, "1 to 128 letters, digits and any of _ . : / -");
  text(label, "label", /^\P{C}{0,200}$/u, "text of up to 200 characters");
  numberIn(maxWaitMs, "maxWaitMs", LONGEST_MS);
  signalOf(signal);
  callback(onChange, "onChange");
  return { ...copy, format: Object(format)[LEASE] ?? typeError("format", format, "a format of graupel") };
}

/** Checks the times, in milliseconds, and adds the defaults. `last`: the largest number. */
export function timesOf(options: CheckedOptions, store: LeaseStore, tickMs: number, last: number) {
  /** A shorter ttl would renew too often. */
  const SHORTEST_MS = 100;
  const TICKS = 4;
  /**
   * Up to this many numbers, or if writes may be lost, the default ttl is shorter, so that numbers
   * are free sooner.
   */
  const FEW = 32;
  /** The default for `apartMs`. */
  const APART_MS = 10_000;
  const { ttlMs: time = store.ttlMs ?? (store.durable && last >= FEW ? 30_000 : 10_000) } = options;
  const ttlMs = numberIn(time, "ttlMs", LONGEST_MS, Math.max(SHORTEST_MS, TICKS * tickMs));
  const { quarantineMs: pause = ttlMs + (store.apartMs ?? APART_MS) } = options;
  const quarantineMs = numberIn(pause, "quarantineMs", LONGEST_MS, ttlMs);
  // In a forgetful store, a number that was granted and never used waits twice: until the interval
  // of that grant would have begun, and then for its next one.
  const quarantinesMs = quarantineMs * (store.durable ? 1 : 2);
  const { maxWaitMs = Math.min(LONGEST_MS, quarantinesMs + 3 * ttlMs) } = options;
  return { ttlMs, quarantineMs, maxWaitMs };
}
