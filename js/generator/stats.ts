/** `stats`: the module's counters for an identity, and the time that its calls have waited. */

import type { Id } from "../core/id-types.js";
import * as abi from "../generated/constants.js";
import { opened } from "../identity/holder.js";
import type { Stats } from "../types.js";
import type { Maker } from "./maker.js";

export function stats<I extends Id>(maker: Maker<I>): Stats {
  const state = opened(maker);
  const { tickMs } = maker.schema;
  const numbers = state.save();
  const number = (index: number) => numbers[index] as number;
  return {
    issued: number(abi.ISSUED),
    waits: state.waits,
    waitedMs: state.waitedMs,
    clockRegressions: number(abi.REGRESSIONS),
    largestRegressionMs: number(abi.LARGEST_REGRESSION) * tickMs,
    overflows: number(abi.OVERFLOWS),
    // Before the first reading, `LAST` is not ahead of anything. Tick 0 counts as none, because sno's states begin there.
    aheadMs: number(abi.HIGHEST) > 0 ? (number(abi.LAST) - number(abi.HIGHEST)) * tickMs : 0,
  };
}
