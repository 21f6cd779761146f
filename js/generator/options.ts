/** Checks the options that all generators share, and converts them for the module. */

import { callback, flag, type Given, numberIn, oneOf, orDefault, time } from "../checks.js";
import type { Schema } from "../core/schema.js";
import * as abi from "../generated/constants.js";
import { BACKWARDS, FULL } from "../generated/layouts.js";
import type { Listener } from "../identity/shared.js";
import type { ClockBackwards } from "../types.js";
import { type Clock, checked, systemClock } from "./clock.js";

/**
 * The last tick that starts before a time, at most the format's last tick; below 0 if there is
 * none. Calculates in half milliseconds, which is exact.
 */
function tickBefore(value: unknown, { epoch, endOfLife, tickMs, facts }: Schema): number {
  const halves =
    BigInt(Math.ceil(2 * time(value, "notBefore"))) - BigInt(2 * epoch - +(facts.rounding === "nearest"));
  const ticks = halves > 0n ? (halves - 1n) / BigInt(2 * tickMs) : -1n;
  return Math.min(Number(ticks), (endOfLife - epoch) / tickMs);
}

/** The index of an option's word among the allowed words. `absent`: the default. */
export const wordIndex = (options: Given, name: string, words: readonly string[], absent = words[0]) =>
  words.indexOf(oneOf(orDefault(options[name], absent), name, words));

/** Reads the shared options. `options` is a copy by `pickOptions`. */
export function policyOf(options: Given, schema: Schema) {
  const ms = (name: string, absent: number) =>
    numberIn(orDefault(options[name], absent), name, abi.LONGEST_MS, 0, true);
  const words = schema.tickTockBit ? BACKWARDS : BACKWARDS.slice(0, 3);
  const backwards = wordIndex(options, "clockBackwards", words, schema.clockBackwards);
  const full = wordIndex(options, "sequenceFull", FULL, schema.sequenceFull);
  const clock = callback<Clock>(options.clock, "clock");
  const form: abi.Asked = schema.idType.form + backwards;
  return {
    /** The flags of `next`: the two policies, and the form in which the core writes the ID. */
    callFlags: form + (full << abi.FULL_SHIFT),
    /** The flags of `nextMany` and `nextAsync`, which always wait if a sequence is full. */
    waitingCallFlags: form + (Math.max(full, abi.FULL_WAIT) << abi.FULL_SHIFT),
    maxWaitMs: ms("maxWaitMs", abi.MAX_WAIT_MS),
    /** `maxAheadMs` in ticks. */
    maxAhead: Math.floor(ms("maxAheadMs", abi.MAX_AHEAD_MS) / schema.tickMs),
    onClockBackwards: callback<(event: ClockBackwards) => void>(options.onClockBackwards, "onClockBackwards"),
    onOverflow: callback<Listener>(options.onOverflow, "onOverflow"),
    /** Reads the clock, and checks the reading. Errors of the clock pass through. */
    read: clock === undefined || clock === Date.now ? systemClock : () => checked(clock()),
    isolated: flag(orDefault(options.isolated, false), "isolated"),
    /** The last tick that starts before `notBefore`; below 0 if there is none. */
    spentUntil: options.notBefore === undefined ? -1 : tickBefore(options.notBefore, schema),
  };
}
