/** The options that all generators share, checked and turned into what the module understands. */

import { callback, flag, numberIn, oneOf, orDefault, time } from "../checks.js";
import type { Schema } from "../core/schema.js";
import * as abi from "../generated/constants.js";
import { BACKWARDS, FULL } from "../generated/layouts.js";
import type { ClockBackwards, Overflow } from "../types.js";
import { type Clock, systemClock, userClock } from "./clock.js";

/** The names of the shared options. */
export const SHARED = [
  "clockBackwards",
  "sequenceFull",
  "maxWaitMs",
  "maxAheadMs",
  "onClockBackwards",
  "onOverflow",
  "snapshot",
  "notBefore",
  "clock",
  "isolated",
  "lease",
] as const;

/** The shared options, checked. */
export interface Policy {
  /** The call flags of `next`: the two policies, and the form in which the core writes the ID. */
  readonly callFlags: abi.Asked;
  /** The same where a full sequence is always waited out: `nextMany`, `nextAsync`. */
  readonly waitingCallFlags: abi.Asked;
  readonly maxWaitMs: number;
  /** `maxAheadMs` in ticks. */
  readonly maxAhead: number;
  readonly onClockBackwards: ((event: ClockBackwards) => void) | undefined;
  readonly onOverflow: ((event: Overflow) => void) | undefined;
  /** Reads the clock, and checks the reading. */
  readonly read: Clock;
  /** Whether `read` reads the system clock, so that a wait can sleep. */
  readonly isSystemClock: boolean;
  readonly isolated: boolean;
  /** The last tick that starts before `notBefore`; below 0 if there is none. */
  readonly spentUntil: number;
}

/** The last tick that starts before a time, or the last tick of all; below 0 if there is none. In halves of a millisecond, so exact. */
function tickBefore(value: unknown, { epoch, endOfLife, tickMs, facts }: Schema): number {
  const halves =
    BigInt(Math.ceil(2 * time(value, "notBefore"))) - BigInt(2 * epoch - +(facts.rounding === "nearest"));
  const ticks = halves > 0n ? (halves - 1n) / BigInt(2 * tickMs) : -1n;
  return Math.min(Number(ticks), (endOfLife - epoch) / tickMs);
}

/** Reads the shared options; `options` has been through `pickOptions`. */
export function policyOf(options: Partial<Record<string, unknown>>, schema: Schema): Policy {
  const wordIndex = <T extends string>(name: string, absent: T, words: readonly T[]) =>
    words.indexOf(oneOf(orDefault(options[name], absent), name, words));
  const ms = (name: string, absent: number) =>
    numberIn(orDefault(options[name], absent), name, abi.LONGEST_MS, 0, true);
  const tickTock = schema.clockBackwards === "tick-tock";
  const backwards = wordIndex(
    "clockBackwards",
    schema.clockBackwards,
    tickTock ? BACKWARDS : BACKWARDS.slice(0, 3),
  );
  const full = wordIndex("sequenceFull", schema.sequenceFull, FULL);
  const clock = callback<Clock>(options.clock, "clock");
  const isSystemClock = clock === undefined || clock === Date.now;
  return {
    callFlags: schema.idType.form + backwards + (full << abi.FULL_SHIFT),
    waitingCallFlags: schema.idType.form + backwards + (Math.max(full, abi.FULL_WAIT) << abi.FULL_SHIFT),
    maxWaitMs: ms("maxWaitMs", abi.MAX_WAIT_MS),
    maxAhead: Math.floor(ms("maxAheadMs", abi.MAX_AHEAD_MS) / schema.tickMs),
    onClockBackwards: callback(options.onClockBackwards, "onClockBackwards"),
    onOverflow: callback(options.onOverflow, "onOverflow"),
    read: isSystemClock ? systemClock : userClock(clock as Clock),
    isSystemClock,
    isolated: flag(orDefault(options.isolated, false), "isolated"),
    spentUntil: options.notBefore === undefined ? -1 : tickBefore(options.notBefore, schema),
  };
}
