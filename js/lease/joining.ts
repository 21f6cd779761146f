/** What a lease asks of the options of its generators, before they are checked. */
import { refuseSaying } from "../errors.js";

type Options = Partial<Record<string, unknown>>;

const MARKED = "the lease's mark does its work";
const REPEATS = "it would repeat IDs of the lease's other generators";

/** What an option may not be under a lease, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  snapshot: MARKED,
  notBefore: MARKED,
  isolated: REPEATS,
  random: REPEATS,
};

/** Policies that keep to the interval; the first one is taken if the option is left out. */
const POLICIES: Readonly<Record<string, readonly unknown[]>> = {
  clockBackwards: ["hold"],
  sequenceFull: ["wait", "borrow"],
};

/** Refuses an option or a method. */
const contradicts = (name: string, value: unknown, why: string): never =>
  refuseSaying("CONFLICT", name, value, `${name}: not with a lease; ${why}`);

/**
 * Refuses options that contradict a lease, and completes the others. `fixed`: the names of the leased fields. `chosen`: the values that
 * all its numbers have.
 */
export function complete(options: Options, fixed: readonly string[], chosen: Options): void {
  /** Only some values of an option are allowed; it gets the first of them if it is left out. */
  const only = (name: string, values: readonly unknown[], why: string) => {
    // Null does not count as left out.
    if (options[name] === undefined) {
      options[name] = values[0];
    }
    if (!values.includes(options[name])) {
      contradicts(name, options[name], why);
    }
  };
  for (const [name, why] of Object.entries(REFUSED)) {
    only(name, [undefined, false], why);
  }
  for (const [name, words] of Object.entries(POLICIES)) {
    only(name, words, `take "${words.join('" or "')}"`);
  }
  for (const name of fixed) {
    only(name, [chosen[name]], "it gives the number");
    // Only holds the place: the number comes with the tenure.
    options[name] ??= 0;
  }
}

/** Replaces the methods that a lease does not allow. */
export function withoutPast<Methods extends object>(methods: Methods): Methods {
  const refuse = (name: string, why: string) => () => contradicts(name, undefined, why);
  return Object.assign(methods, {
    at: refuse("at", "give old data a fixed number of its own"),
    snapshot: refuse("snapshot", MARKED),
  });
}
