/** `at`: IDs for given times, from the backfill counter. */
import { time as timeOf } from "../checks.js";
import type { Id } from "../core/id-types.js";
import type { Area } from "../core/load.js";
import { failToIssue } from "../core/status.js";
import { BACKFILL } from "../generated/constants.js";
import { opened } from "../identity/holder.js";
import { descends } from "../identity/numbers.js";
import { ask } from "./attempt.js";
import type { Maker } from "./maker.js";

/** An ID for a time. Never waits, and reads no clock. */
export function at<I extends Id>(maker: Maker<I>, time: unknown, callBits: number): I {
  const ms = timeOf(time, "time");
  const call = maker.policy.callFlags | callBits | BACKFILL;
  const state = opened(maker);
  const status = ask(maker, state, ms, call);
  return status === 0
    ? maker.idType.takeNext(state.core as Area)
    : failToIssue(status, ms, maker.schema, descends(state.save(), ms, maker.schema));
}
