/** The options that all generators share, checked and turned into what the module understands. */

import { callback, flag, type Given, numberIn, oneOf, orDefault, time } from "../checks.js";
import type { Schema } from "../core/schema.js";
import * as abi from "../generated/constants.js";
import { BACKWARDS, FULL } from "../generated/layouts.js";
import type { Listener } from "../identity/shared.js";
import type { ClockBackwards } from "../types.js";
import { type Clock, checked, systemClock } from "./clock.js";

/** The last tick that starts before a time, or the last tick of all; below 0 if there is none. In halves of a millisecond, so exact. */
function tickBefore(value: unknown, { epoch, endOfLife, tickMs, facts }: Schema): number {
  const halves =
    BigInt(Math.ceil(2 * time(value, "notBefore"))) - BigInt(2 * epoch - +(facts.rounding === "nearest"));
  const ticks = halves > 0n ? (halves - 1n) / BigInt(2 * tickMs) : -1n;
  return Math.min(Number(ticks), (endOfLife - epoch) / tickMs);
}

/** The place of an option's word among those that it may have; of the first one if it is left out. */
export const wordIndex = (options: Given, name: string, words: readonly string[], absent = words[0]) =>
  words.indexOf(oneOf(orDefault(options[name], absent), name, words));

/** Reads the shared options; `options` has been through `pickOptions`. */
export function policyOf(options: Given, schema: Schema) {
  const ms = (name: string, absent: number) =>
    numberIn(orDefault(options[name], absent), name, abi.LONGEST_MS, 0, true);
  const words = schema.tickTockBit ? BACKWARDS : BACKWARDS.slice(0, 3);
  const backwards = wordIndex(options, "clockBackwards", words, schema.clockBackwards);
  const full = wordIndex(options, "sequenceFull", FULL, schema.sequenceFull);
  const clock = callback<Clock>(options.clock, "clock");
  const form: abi.Asked = schema.idType.form + backwards;
  return {
    /** What `next` asks for: the two policies, and the form in which the core writes the ID. */
    callFlags: form + (full << abi.FULL_SHIFT),
    /** The same where a full sequence is always waited out: `nextMany`, `nextAsync`. */
    waitingCallFlags: form + (Math.max(full, abi.FULL_WAIT) << abi.FULL_SHIFT),
    maxWaitMs: ms("maxWaitMs", abi.MAX_WAIT_MS),
    /** `maxAheadMs` in ticks. */
    maxAhead: Math.floor(ms("maxAheadMs", abi.MAX_AHEAD_MS) / schema.tickMs),
    onClockBackwards: callback<(event: ClockBackwards) => void>(options.onClockBackwards, "onClockBackwards"),
    onOverflow: callback<Listener>(options.onOverflow, "onOverflow"),
    /** Reads the clock, and checks the reading. What the clock throws is passed on. */
    read: clock === undefined || clock === Date.now ? systemClock : () => checked(clock()),
    isolated: flag(orDefault(options.isolated, false), "isolated"),
    /** The last tick that starts before `notBefore`; below 0 if there is none. */
    spentUntil: options.notBefore === undefined ? -1 : tickBefore(options.notBefore, schema),
  };
}
