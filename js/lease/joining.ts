/** What a lease asks of the options of its generators, before they are checked. */
import { refuseSaying } from "../errors.js";
import type { Granted } from "../identity/shared.js";

type Options = Partial<Record<string, unknown>>;

/** What an option may not be under a lease, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  snapshot: "the lease's mark does its work",
  notBefore: "the lease's mark does its work",
  isolated: "its IDs would repeat those of the lease's other generators",
  random: "its IDs would repeat those of the lease's other generators",
};

/** Policies that keep to the interval; the first one is taken if the option is left out. */
const POLICIES: Readonly<Record<string, readonly string[]>> = {
  clockBackwards: ["hold"],
  sequenceFull: ["wait", "borrow"],
};

const contradicts = (name: string, value: unknown, why: string): never =>
  refuseSaying("CONFLICT", name, value, `${name}: ${why}; leave it out with a lease`);

/**
 * Refuses options that contradict a lease, and completes the others. `fixed`: the names of the leased fields. `chosen`: the values that
 * all its numbers have.
 */
export function complete(options: Options, fixed: readonly string[], chosen: Options): void {
  for (const [name, why] of Object.entries(REFUSED)) {
    if (options[name] !== undefined && options[name] !== false) {
      contradicts(name, options[name], why);
    }
  }
  for (const [name, words] of Object.entries(POLICIES)) {
    options[name] ??= words[0];
    if (!words.includes(options[name] as string)) {
      contradicts(name, options[name], `under a lease it is "${words.join('" or "')}"`);
    }
  }
  for (const name of fixed) {
    if (options[name] !== undefined && options[name] !== chosen[name]) {
      contradicts(name, options[name], "the lease gives it");
    }
    // Only holds the place: the number comes with the tenure.
    options[name] = chosen[name] ?? 0;
  }
}

/** Replaces the methods that a lease does not allow. */
export const withoutPast: Granted["limit"] = (methods) => {
  const refuse = (name: string, instead: string) => () =>
    refuseSaying("CONFLICT", "lease", undefined, `${name}: not with a lease; ${instead}`);
  Object.assign(methods, {
    at: refuse("at", "give old data a generator with a fixed number of its own"),
    snapshot: refuse("snapshot", "the lease's mark does its work"),
  });
};
