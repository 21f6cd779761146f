/** One attempt at an ID: one question to the state, at one clock reading. The callers wait. */

import type { Id } from "../core/id-types.js";
import type { Area } from "../core/load.js";
import {
  type Asked,
  DATA,
  FROM_PLATFORM,
  HIGHEST,
  OVERFLOWS,
  type Random,
  REFILL,
  REGRESSIONS,
  type Status,
  WAIT,
} from "../generated/constants.js";
import type { State } from "../identity/shared.js";
import type { Maker } from "./maker.js";

/** Asks the core of the state. Returns a status. After 0 the ID is in the area until the next call of the core. */
function askCore<I extends Id>(
  maker: Maker<I>,
  state: State,
  now: number,
  asked: Asked,
  bits: Random,
): Status {
  const { wasm } = state.obey(maker);
  const status = wasm.next(state.slot, now, asked, maker.policy.maxAhead, bits) as Status;
  return status === REFILL ? (wasm.refill() as Status) || askCore(maker, state, now, asked, bits) : status;
}

/** One attempt. `queued`: the call is from the queue, which reports overflows itself, tick by tick. */
export function attempt<I extends Id>(
  maker: Maker<I>,
  state: State,
  now: number,
  asked: Asked,
  queued: boolean,
): Status {
  return maker.hasUserFunctions
    ? attemptWithUserFunctions(maker, state, now, asked, queued)
    : askCore(maker, state, now, asked, FROM_PLATFORM);
}

/**
 * Asks until no further random bits are needed. Returns a status. Whatever draws them runs between two questions, when nothing is
 * half done, so it may call the generator.
 */
export function ask<I extends Id>(maker: Maker<I>, state: State, now: number, asked: Asked): Status {
  const { random } = maker;
  const once = (bits: Random) => askCore(maker, state, now, asked, bits);
  return random === undefined ? once(FROM_PLATFORM) : random(state, now, once);
}

/**
 * An attempt with functions of the user. The callbacks run afterwards, when the state is settled, so they may call the generator,
 * or throw. The ID in the area is written back after them.
 */
function attemptWithUserFunctions<I extends Id>(
  maker: Maker<I>,
  state: State,
  now: number,
  asked: Asked,
  queued: boolean,
): Status {
  const { onClockBackwards, onOverflow } = maker.policy;
  const before = state.save();
  const highest = before[HIGHEST] as number;
  const regressions = before[REGRESSIONS];
  const overflows = before[OVERFLOWS];
  const status = ask(maker, state, now, asked);
  const after = state.save();
  const behind = after[REGRESSIONS] !== regressions;
  const full = after[OVERFLOWS] !== overflows && !queued;
  if (behind || full) {
    const { u8 } = state.core as Area;
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
