/** `nextMany` and `nextTyped`: many IDs, with one call of the module for each part of a batch; all of them, or an error. */
import { numberIn } from "../checks.js";
import type { Id } from "../core/id-types.js";
import type { Area } from "../core/load.js";
import * as abi from "../generated/constants.js";
import { opened } from "../identity/holder.js";
import type { Maker } from "./maker.js";
import { attempt } from "./next.js";
import { waitAndRead } from "./wait.js";

/** A plain array for `n` IDs. */
export const plain = <I extends Id>(n: number): I[] => new Array(n);

/** `count` IDs in an array of `makeBatch`. A full sequence is always waited out; each wait takes at most `maxWaitMs`. */
export function nextMany<I extends Id, Typed, Many extends I[] | Typed>(
  maker: Maker<I, Typed>,
  count: number,
  perCall: number,
  makeBatch: (n: number) => Many,
): Many {
  // The most IDs of one call: engines cannot hold larger arrays of strings.
  const n = numberIn(count, "n", 2 ** 24);
  const { policy, idType, hasUserFunctions } = maker;
  const call = policy.waitingCallFlags | perCall;
  if (n === 0) {
    return makeBatch(0);
  }
  const state = opened(maker);
  let now = policy.read();
  const before = state.save();
  const { restores } = state;
  // Copied at once only where something can overwrite it: functions of the user.
  let start = hasUserFunctions ? before.slice() : undefined;
  const core = state.core as Area;
  let many: Many | undefined;
  let done = 0;
  try {
    for (let first = true; done < n; ) {
      let status: number;
      if (hasUserFunctions) {
        status = attempt(maker, state, now, call, false);
        if (status === 0) {
          many ??= makeBatch(n);
          (many as Record<number, I>)[done++] = idType.takeNext(core);
        }
      } else {
        status = state.obey(maker).wasm.fill(state.slot, now, call, policy.maxAhead, n - done) as abi.Status;
        const filled = core.f64[abi.FILLED >> 3] as number;
        if (filled > 0) {
          many ??= makeBatch(n);
          idType.moveBatch(core, many, done, filled);
        }
        done += filled;
        if (status === abi.REFILL) {
          // The source may be a mock that calls graupel.
          start ??= before.slice();
          status = core.wasm.refill();
        }
      }
      if (status !== 0) {
        start ??= before.slice();
        now = waitAndRead(maker, state, status, now, policy.maxWaitMs, first);
        first = false;
      }
    }
  } catch (error) {
    // Take back the IDs that nobody has seen, unless a callback has made IDs or restored a state meanwhile.
    const after = state.save();
    if (
      start !== undefined &&
      (after[abi.ISSUED] as number) - (start[abi.ISSUED] as number) === done &&
      state.restores === restores
    ) {
      // Steps of the clock and full ticks have been, whatever came of them.
      start.set(after.subarray(abi.REGRESSIONS, abi.FROM), abi.REGRESSIONS);
      state.restore(start);
    }
    throw error;
  }
  return many as Many;
}
