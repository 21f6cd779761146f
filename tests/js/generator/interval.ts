/** The interval of ID time, which no option sets yet: what a lease will do, the tests do in the state that generators share. */
import assert from "node:assert/strict";

/** What the copies of the package share (js/generator/shared.ts), as far as it is used here. */
interface Registry {
  readonly states: Map<string, readonly { save(): Float64Array; restore(numbers: Float64Array): void }[]>;
}

/** Sets the interval, in ticks, of the only state of this realm: the last two of the saved numbers. */
export function setOnlyInterval(interval: readonly number[]): void {
  const { states } = Reflect.get(globalThis, Symbol.for("graupel.registry")) as Registry;
  const [[state] = []] = states.values();
  assert.ok(state !== undefined && states.size === 1);
  const numbers = state.save();
  numbers.set(interval, numbers.length - interval.length);
  state.restore(numbers);
}
