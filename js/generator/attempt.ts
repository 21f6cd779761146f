/** One attempt at an ID: one question to the core, at one clock reading. The callers wait. */

import type { Id } from "../core/id-types.js";
import { use } from "../core/schema.js";
import {
  DATA,
  FROM_PLATFORM,
  HIGHEST,
  OVERFLOWS,
  REFILL,
  REGRESSIONS,
  WAIT,
} from "../generated/constants.js";
import type { Maker } from "./generator.js";
import type { IdentityState } from "./identity.js";
import { save } from "./state.js";

/**
 * Returns a status. After 0 the ID is in the area until the next call of the core. `queued`: the call is from the queue, which
 * reports overflows itself, tick by tick.
 */
export function attempt<I extends Id>(
  maker: Maker<I>,
  state: IdentityState,
  now: number,
  call: number,
  queued: boolean,
): number {
  if (maker.hasUserFunctions) {
    return attemptWithUserFunctions(maker, state, now, call, queued);
  }
  const { core, slot } = withSequenceRule(maker, state);
  const status = core.wasm.$next(slot, now, call, maker.policy.maxAhead, FROM_PLATFORM);
  return status === REFILL ? ask(maker, state, now, call) : status;
}

/** The state, in a slot, with this generator's sequence rule: another generator of the identity may have set its own. */
export function withSequenceRule<I extends Id>(
  { schema, sequenceRule, rule }: Maker<I>,
  state: IdentityState,
): IdentityState {
  if (state.rule !== rule) {
    state.admit();
    // If the call is cut off here, nobody knows the rule.
    state.rule = Number.NaN;
    use(schema, state.core).wasm.$rule(state.slot, sequenceRule);
    state.rule = rule;
  }
  return state;
}

/**
 * Asks the core for an ID until it needs no further random bits. Returns a status. Whatever draws them runs between two questions,
 * when nothing is half done: it may call the generator, or make so many others that the state loses its slot.
 */
export function ask<I extends Id>(maker: Maker<I>, state: IdentityState, now: number, call: number): number {
  const { random, policy } = maker;
  const once = (bits: number) => {
    const { core, slot } = withSequenceRule(maker, state);
    return core.wasm.$next(slot, now, call, policy.maxAhead, bits);
  };
  if (random !== undefined) {
    return random(state.core, now, once);
  }
  const status = once(FROM_PLATFORM);
  return status === REFILL ? state.core.wasm.$refill() || once(FROM_PLATFORM) : status;
}

/**
 * An attempt with functions of the user. The callbacks run afterwards, when the state is settled, so they may call the generator,
 * or throw. The ID in the area is written back after them.
 */
function attemptWithUserFunctions<I extends Id>(
  maker: Maker<I>,
  state: IdentityState,
  now: number,
  call: number,
  queued: boolean,
): number {
  const { onClockBackwards, onOverflow } = maker.policy;
  const before = save(state);
  const highest = before[HIGHEST] as number;
  const regressions = before[REGRESSIONS];
  const overflows = before[OVERFLOWS];
  const status = ask(maker, state, now, call);
  // Nothing has run since that could take its slot, so this overwrites no ID.
  const after = save(state);
  const behind = after[REGRESSIONS] !== regressions;
  const full = after[OVERFLOWS] !== overflows && !queued;
  if (behind || full) {
    const { u8 } = state.core;
    const result = u8.slice(0, DATA + maker.idType.size);
    if (behind) {
      onClockBackwards?.({
        reading: now,
        highest: maker.schema.epoch + highest * maker.schema.tickMs,
      });
    }
    if (full) {
      onOverflow?.({ time: now, count: (state.queue?.length() ?? 0) + Number(status === WAIT), ticks: 1 });
    }
    u8.set(result);
  }
  return status;
}
