/** The options that all generators share, checked and turned into what the module understands. */
import type { AsyncOptions, ClockBackwards, Overflow } from "../types.js";
import { callback, or, record, whole, word, wrongType } from "./check.js";
import { LONGEST_MS } from "./line.js";
import type { Schema } from "./schema.js";
import { type Clock, checkedClock, systemClock } from "./time.js";

/** Words of the policies in the order of the module's numbers. */
const BACKWARDS = ["throw", "wait", "hold", "tick-tock"] as const;
const FULL = ["throw", "wait", "borrow"] as const;
/** `"wait"` among both. */
const WAIT = 1;

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

/** Reads the shared options; `options` has been through `record`. `form`: what the module leaves of an ID. */
export function policyOf(options: Partial<Record<string, unknown>>, schema: Schema, form: number): Policy {
  const read = <T extends string>(name: string, absent: T, words: readonly T[]) =>
    words.indexOf(word(or(options[name], absent), name, words));
  const ms = (name: string, absent: number) => whole(or(options[name], absent), name, LONGEST_MS, 0, true);
  const tickTock = schema.clockBackwards === "tick-tock";
  const backwards = read(
    "clockBackwards",
    schema.clockBackwards,
    tickTock ? BACKWARDS : BACKWARDS.slice(0, 3),
  );
  const full = read("sequenceFull", schema.sequenceFull, FULL);
  const given = callback<Clock>(options.clock, "clock");
  // Whoever passes the system clock means the identity that everybody else has.
  const clock = given === undefined || given === Date.now ? systemClock : given;
  return {
    how: form + backwards + 4 * full,
    patient: form + backwards + 4 * Math.max(full, WAIT),
    maxWaitMs: ms("maxWaitMs", 100),
    maxAhead: Math.floor(ms("maxAheadMs", 10_000) / schema.tickMs),
    onClockBackwards: callback(options.onClockBackwards, "onClockBackwards"),
    onOverflow: callback(options.onOverflow, "onOverflow"),
    read: clock === systemClock ? clock : checkedClock(clock),
    clock,
  };
}

/** Reads the options of `nextAsync`; `keys` are those that the format adds. */
export function asyncOptions(
  options: unknown,
  keys: readonly string[] = [],
): AsyncOptions & { metabyte?: unknown } {
  const copy = record(options, "options", ["signal", ...keys]) as Record<string, unknown>;
  if (copy.signal !== undefined) {
    try {
      // The getter looks at the object itself; a look-alike makes it throw.
      Reflect.get(AbortSignal.prototype, "aborted", copy.signal);
    } catch {
      wrongType("signal", copy.signal, "an AbortSignal");
    }
  }
  return copy;
}
