/** `nextMany`: many IDs with one crossing of the boundary for each part of a batch; all of them, or an error. */
import { numberIn } from "../checks.js";
import type { Id } from "../core/id-types.js";
import { DETAIL_INDEX } from "../core/refusals.js";
import { BATCH_BYTES } from "../generated/constants.js";
import { attempt, withSequenceRule } from "./attempt.js";
import { type Maker, opened } from "./generator.js";
import { issued, restore, save, saved } from "./state.js";
import { waitAndRead } from "./wait.js";

/** The most IDs of one call: beyond it, arrays of BigInts or strings are more than an engine holds. */
export const MOST_AT_ONCE = 2 ** 24;

/** `n` IDs. A full sequence is always waited out, each wait no longer than `maxWaitMs`. */
export function nextMany<I extends Id, Many>(maker: Maker<I, Many>, count: number, callBits: number): Many {
  const n = numberIn(count, "n", MOST_AT_ONCE);
  const { policy, idType } = maker;
  const call = policy.waitingCallFlags | callBits;
  if (n === 0) {
    return idType.makeBatch(0);
  }
  const alone = maker.random === undefined && !maker.watched;
  const state = opened(maker);
  const { core, slot, restores } = state;
  const perFill = Math.floor(BATCH_BYTES / idType.size);
  let now = policy.read();
  core.wasm.$save(slot);
  // Copied now only where the user's functions can overwrite it: `fill` leaves what was saved in its place.
  let start = alone ? undefined : saved(core).slice();
  let many: Many | undefined;
  let done = 0;
  try {
    for (let first = true; done < n; ) {
      let status: number;
      if (alone) {
        const { wasm } = withSequenceRule(maker, state).core;
        status = wasm.$fill(slot, now, call, policy.maxAhead, Math.min(n - done, perFill));
        const filled = core.f64[DETAIL_INDEX + 2] as number;
        many = filled > 0 ? idType.moveBatch(core, many, done, filled, n) : many;
        done += filled;
      } else {
        status = attempt(maker, state, now, call, false);
        if (status === 0) {
          many ??= idType.makeBatch(n);
          (many as Record<number, I>)[done++] = idType.takeNext(core);
        }
      }
      if (status !== 0) {
        start ??= saved(core).slice();
        now = waitAndRead(maker, state, status, now, policy.maxWaitMs, first);
        first = false;
      }
    }
  } catch (error) {
    // The IDs that nobody has seen are taken back, unless a callback has made IDs or restored a state since.
    if (start !== undefined && issued(save(state)) - issued(start) === done && state.restores === restores) {
      restore(state, start);
    }
    throw error;
  }
  return many as Many;
}
