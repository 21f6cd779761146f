/** The options that all generators share, checked and turned into what the module understands. */
import type { AsyncOptions, ClockBackwards, Overflow } from "../types.js";
import { amount, callback, or, record, word, wrongType } from "./check.js";
import type { Backwards, Full, Schema } from "./schema.js";
import { type Clock, checkedClock, systemClock } from "./time.js";

/** Words of the policies in the order of the module's numbers. */
const BACKWARDS = ["throw", "wait", "hold", "tick-tock"] as const;
const FULL = ["throw", "wait", "borrow"] as const;

/** The longest bound: what timers can take, about 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** The names of the shared options. */
export const SHARED = [
  "clockBackwards",
  "sequenceFull",
  "maxWaitMs",
  "maxAheadMs",
  "onClockBackwards",
  "onOverflow",
  "snapshot",
  "clock",
] as const;

/** Checked. */
export interface Policy {
  /** The module's number of the two policies, for `next`. */
  readonly how: number;
  /** The same where a full sequence is always waited out: `nextMany`, `nextAsync`. */
  readonly patient: number;
  readonly maxWaitMs: number;
  /** In ticks. */
  readonly maxAhead: number;
  readonly onClockBackwards: ((event: ClockBackwards) => void) | undefined;
  readonly onOverflow: ((event: Overflow) => void) | undefined;
  /** Checks what it returns. */
  readonly read: Clock;
  /** Tells clocks apart: the function given, or the system clock's. */
  readonly clock: Clock;
}

/** Reads the shared options; `options` has been through `record`. */
export function policyOf(options: Partial<Record<string, unknown>>, schema: Schema): Policy {
  const words: readonly Backwards[] = BACKWARDS.slice(0, schema.clockBackwards === "tick-tock" ? 4 : 3);
  const backwards = word(or(options.clockBackwards, schema.clockBackwards), "clockBackwards", words);
  const full: Full = word(or(options.sequenceFull, schema.sequenceFull), "sequenceFull", FULL);
  const back = BACKWARDS.indexOf(backwards);
  const number = FULL.indexOf(full);
  const maxWaitMs = amount(or(options.maxWaitMs, 100), "maxWaitMs", LONGEST_MS);
  const maxAheadMs = amount(or(options.maxAheadMs, 10_000), "maxAheadMs", LONGEST_MS);
  const given = callback<Clock>(options.clock, "clock");
  // Whoever passes the system clock means the identity that everybody else has.
  const clock = given === Date.now ? undefined : given;
  return {
    how: back + 4 * number,
    patient: back + 4 * Math.max(number, FULL.indexOf("wait")),
    maxWaitMs,
    maxAhead: Math.floor(maxAheadMs / schema.tickMs),
    onClockBackwards: callback(options.onClockBackwards, "onClockBackwards"),
    onOverflow: callback(options.onOverflow, "onOverflow"),
    read: clock === undefined ? systemClock : checkedClock(clock),
    clock: clock ?? systemClock,
  };
}

/** Reads the options of `nextAsync`. */
export function asyncOptions(
  options: unknown,
  keys: readonly string[],
): AsyncOptions & { metabyte?: unknown } {
  const { signal, ...rest } = record(options, "options", ["signal", ...keys]) as Record<string, unknown>;
  if (signal !== undefined) {
    try {
      // The getter looks at the object itself; a look-alike makes it throw.
      Reflect.get(AbortSignal.prototype, "aborted", signal);
    } catch {
      wrongType("signal", signal, "an AbortSignal");
    }
  }
  return { signal: signal as AbortSignal | undefined, ...rest };
}
