/** The interval of ID time, which no option sets yet: the tests set it in the state that generators share. */
import assert from "node:assert/strict";
import { registry } from "../support/other-process.ts";

/** Sets the interval, in ticks, of the only state of this process: the last two of the saved numbers. */
export function setOnlyInterval(interval: readonly number[]): void {
  const [[state] = [], ...others] = registry()?.states.values() ?? [];
  assert.ok(state !== undefined && others.length === 0);
  const numbers = state.save();
  numbers.set(interval, numbers.length - interval.length);
  state.restore(numbers);
}
