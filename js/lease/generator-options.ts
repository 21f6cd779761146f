/** What a lease asks of the options of its generators, before they are checked. */
import type { Given } from "../checks.js";
import { fail } from "../errors.js";

/** Refuses an option or a method. */
const conflict = (name: string, value?: unknown, instead = "leave it out"): never =>
  fail("CONFLICT", name, value, `${name}: not with a lease; ${instead}`);

/** What an option may be; the first value is taken if it is left out. */
type Only = readonly [name: string, ...values: unknown[]];

const ONLY: readonly Only[] = [
  // The lease's mark does their work.
  ["snapshot", undefined, false],
  ["notBefore", undefined, false],
  // They could repeat IDs of the lease's other generators.
  ["isolated", undefined, false],
  ["random", undefined, false],
  // Policies that keep to the interval.
  ["clockBackwards", "hold"],
  ["sequenceFull", "wait", "borrow"],
];

/**
 * Refuses options that contradict a lease, and completes the others. `fixed`: the fixed fields of the generator; `chosen`: the values that
 * all numbers of the lease have.
 */
export function complete(options: Given, fixed: readonly { readonly name: string }[], chosen: Given): void {
  for (const [name, ...values] of [...ONLY, ...fixed.map(({ name }): Only => [name, chosen[name]])]) {
    // Null does not count as left out.
    if (options[name] === undefined) {
      options[name] = values[0];
    }
    if (!values.includes(options[name])) {
      conflict(name, options[name], values[0] === undefined ? values[0] : `use ${values.join(" or ")}`);
    }
  }
}

/** The methods that a lease does not allow. */
export const PAST = {
  at: () => conflict("at", undefined, "give old data a fixed number of its own"),
  snapshot: () => conflict("snapshot"),
};
