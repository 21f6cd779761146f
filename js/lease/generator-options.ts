/** Completes and restricts the options of a lease's generators before they are checked. */
import type { Given } from "../checks.js";
import { fail } from "../errors.js";

/** Throws for an option or a method. */
const conflict = (name: string, value?: unknown, instead = "leave it out"): never =>
  fail("CONFLICT", name, value, `${name}: not with a lease; ${instead}`);

/** The values that an option may have. The first one is the default. */
type Only = readonly [name: string, ...values: unknown[]];

const ONLY: readonly Only[] = [
  // The lease's mark replaces them.
  ["snapshot", undefined, false],
  ["notBefore", undefined, false],
  // They could repeat IDs of other generators of the lease.
  ["isolated", undefined, false],
  ["random", undefined, false],
  // Policies that stay within the interval.
  ["clockBackwards", "hold"],
  ["sequenceFull", "wait", "borrow"],
];

/**
 * Rejects options that contradict a lease, and fills in the others. `fixed`: the fixed fields of
 * the generator; `chosen`: the field values that all numbers of the lease share.
 */
export function complete(options: Given, fixed: readonly { readonly name: string }[], chosen: Given): void {
  for (const [name, ...values] of [...ONLY, ...fixed.map(({ name }): Only => [name, chosen[name]])]) {
    // Only undefined counts as omitted; null is checked like any value.
    if (options[name] === undefined) {
      options[name] = values[0];
    }
    if (!values.includes(options[name])) {
      conflict(name, options[name], values[0] === undefined ? values[0] : `use ${values.join(" or ")}`);
    }
  }
}

/** The methods that throw under a lease. */
export const PAST = {
  at: () => conflict("at", undefined, "use a fixed worker ID for old data"),
  snapshot: () => conflict("snapshot"),
};
