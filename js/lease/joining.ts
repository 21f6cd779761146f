/** What a lease asks of the options of its generators, before they are checked. */
import { refuseSaying } from "../errors.js";
import type { Numbering } from "./number.js";

type Options = Partial<Record<string, unknown>>;

const MARKED = "the lease's mark does its work";
const REPEATS = "it would repeat IDs of the lease's other generators";

/** Refuses an option or a method. */
const contradicts = (name: string, value: unknown, why: string): never =>
  refuseSaying("CONFLICT", name, value, `${name}: not with a lease; ${why}`);

/** What an option may be, and why; the first value is taken if it is left out. */
type Only = readonly [name: string, values: readonly unknown[], why: string];

const NONE = [undefined, false];
const ONLY: readonly Only[] = [
  ["snapshot", NONE, MARKED],
  ["notBefore", NONE, MARKED],
  ["isolated", NONE, REPEATS],
  ["random", NONE, REPEATS],
  // Policies that keep to the interval.
  ["clockBackwards", ["hold"], 'take "hold"'],
  ["sequenceFull", ["wait", "borrow"], 'take "wait" or "borrow"'],
];

/**
 * Refuses options that contradict a lease, and completes the others. `chosen`: the values that all its numbers have.
 */
export function complete(options: Options, { fixed }: Numbering, chosen: Options): void {
  const given = fixed.map(({ name }): Only => [name, [chosen[name]], "it gives the number"]);
  for (const [name, values, why] of [...ONLY, ...given]) {
    // Null does not count as left out.
    if (options[name] === undefined) {
      options[name] = values[0];
    }
    if (!values.includes(options[name])) {
      contradicts(name, options[name], why);
    }
  }
  for (const { name } of fixed) {
    // Only holds the place: the number comes with the tenure.
    options[name] ??= 0;
  }
}

/** The methods that a lease does not allow. */
export const PAST = {
  at: () => contradicts("at", undefined, "give old data a fixed number of its own"),
  snapshot: () => contradicts("snapshot", undefined, MARKED),
};
