/** One attempt at an ID: one call of the core, at one clock reading. The callers wait. */

import type { Id } from "../core/id-types.js";
import { DATA, FROM_PLATFORM, HIGHEST, OVERFLOWS, REGRESSIONS, WAIT } from "../generated/constants.js";
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
  const { core, slot } = withSequenceRule(maker, state);
  return maker.hasUserFunctions
    ? attemptWithUserFunctions(maker, state, now, call, queued)
    : core.wasm.$next(slot, now, call, maker.policy.maxAhead, FROM_PLATFORM);
}

/** Sets this generator's sequence rule in the slot, where another generator of the identity may have set its own. */
export function withSequenceRule<I extends Id>(
  { sequenceRule }: Maker<I>,
  state: IdentityState,
): IdentityState {
  if (state.rule !== sequenceRule) {
    state.core.wasm.$rule(state.slot, sequenceRule);
    state.rule = sequenceRule;
  }
  return state;
}

/** Asks the core for an ID, with random bits from the user's source where there is one. Returns a status. */
export const withRandom = <I extends Id>(
  { random }: Maker<I>,
  { core }: IdentityState,
  now: number,
  ask: (bits: number) => number,
): number => (random === undefined ? ask(FROM_PLATFORM) : random(core, now, ask));

/**
 * An attempt with functions of the user. The callbacks run afterwards, when the state is settled, so they may call the generator,
 * or throw. Saving the state leaves the ID in the area as it is; it is written back only after a callback.
 */
function attemptWithUserFunctions<I extends Id>(
  maker: Maker<I>,
  state: IdentityState,
  now: number,
  call: number,
  queued: boolean,
): number {
  const { core, slot } = state;
  const { maxAhead, onClockBackwards, onOverflow } = maker.policy;
  const before = save(state);
  const highest = before[HIGHEST] as number;
  const regressions = before[REGRESSIONS];
  const overflows = before[OVERFLOWS];
  const status = withRandom(maker, state, now, (bits) => core.wasm.$next(slot, now, call, maxAhead, bits));
  const after = save(state);
  const behind = after[REGRESSIONS] !== regressions;
  const full = after[OVERFLOWS] !== overflows && !queued;
  if (behind || full) {
    const result = core.u8.slice(0, DATA + maker.idType.size);
    if (behind) {
      onClockBackwards?.({
        reading: now,
        highest: maker.schema.epoch + highest * maker.schema.tickMs,
      });
    }
    if (full) {
      onOverflow?.({ time: now, count: state.queue.length() + (status === WAIT ? 1 : 0), ticks: 1 });
    }
    core.u8.set(result);
  }
  return status;
}
