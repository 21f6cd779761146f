/** `at`: IDs for given times, from the backfill counter. */
import { time as timeOf } from "../checks.js";
import type { Id } from "../core/id-types.js";
import { refuseToMake } from "../core/refusals.js";
import { BACKFILL } from "../generated/constants.js";
import { ask } from "./attempt.js";
import { type Maker, opened } from "./generator.js";
import { descends, save } from "./state.js";

/** An ID for a time. Never waits, and reads no clock. */
export function at<I extends Id>(maker: Maker<I>, time: unknown, callBits: number): I {
  const ms = timeOf(time, "time");
  const call = maker.policy.callFlags | callBits | BACKFILL;
  const state = opened(maker);
  const status = ask(maker, state, ms, call);
  return status === 0
    ? maker.idType.takeNext(state.core)
    : refuseToMake(status, ms, maker.schema, descends(save(state), ms, maker.schema));
}
