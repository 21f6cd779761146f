/**
 * Objects for options and fields: plain objects of every origin, objects that could inherit
 * properties, and objects that misbehave.
 */
import { createContext, runInContext } from "node:vm";
import fc from "fast-check";
import type { Fault, Values } from "../../support/expected.ts";
import { anything, type Given, revoked, string, trapped } from "../../support/junk.ts";
import { mark } from "../../support/marked.ts";

type Made = (given: Values) => object;

const elsewhere = runInContext(
  "({ plain: (given) => ({ ...given }), heir: (given) => Object.create(given) })",
  createContext({}),
) as Record<"plain" | "heir", Made>;

/** Defines the same properties on an object. Assignment to `__proto__` would set the prototype. */
const filled = <T extends object>(object: T, given: Values): T =>
  Object.defineProperties(object, Object.getOwnPropertyDescriptors(given));

class Settings {
  constructor(given: Values) {
    filled(this, given);
  }
}

/** The same options as accessors of a class. */
function getters(given: Values): object {
  class Getters {}
  for (const [name, value] of Object.entries(given)) {
    Object.defineProperty(Getters.prototype, name, { enumerable: true, get: () => value });
  }
  return new Getters();
}

const bare = (given: Values): object => filled(Object.create(null), given);

/** Objects that can inherit properties. */
export const HEIRS: Readonly<Record<string, Made>> = {
  "of a class": (given) => new Settings(given),
  "of a class with getters": getters,
  "of a class without Object": (given) =>
    filled(Object.create(class extends (null as unknown as ObjectConstructor) {}.prototype), given),
  "with defaults": (given) => Object.create(given),
  "with defaults of another realm": elsewhere.heir,
  "with defaults that have no prototype": (given) => Object.create(bare(given)),
  "with defaults behind defaults": (given) => Object.create(Object.create(given)),
  "with defaults, and all of its own": (given) => filled(Object.create({ clock: () => 5 }), given),
  "with __proto__": (given) => ({ ...given, __proto__: { isolated: false } }),
  "with a proxy for a prototype": (given) => filled(Object.create(new Proxy({}, {})), given),
};

export const PLAIN: Readonly<Record<string, Made>> = {
  "a literal": (given) => ({ ...given }),
  "without a prototype": bare,
  "of another realm": elsewhere.plain,
  "a copy of what a class had": (given) => ({ ...new Settings(given) }),
  "made from Object.prototype": (given) => filled(Object.create(Object.prototype), given),
  frozen: (given) => Object.freeze({ ...given }),
  "a proxy of one": (given) => new Proxy({ ...given }, {}),
  "with a symbol": (given) => ({ ...given, [Symbol("ignored")]: 5 }),
};

/** An object, and what to expect when it is read. */
export class Bag {
  constructor(
    readonly object: unknown,
    /** The value of each own enumerable key at its first reading. Other keys are not read. */
    readonly values: Values,
    /** Faults of the object itself: it is not an object, not plain, or has an unknown key. */
    readonly faults: readonly Fault[] = [],
    readonly throws = false,
    /**
     * Whether it may be read as an object with other values, so that its outcome is not checked.
     */
    readonly loose = false,
  ) {}
}

/**
 * What a trick works with: the values, one of their keys, an unknown key, and a function that
 * creates another value.
 */
interface Parts {
  readonly values: Values;
  readonly key: string;
  readonly unknown: string;
  readonly other: Given;
  /** The faults for an object as a whole, and for an unknown key. */
  readonly wrong: (object: unknown) => Fault[];
  readonly stray: (object: unknown, key: string) => Fault[];
}

const redefined = (values: Values, key: string, descriptor: PropertyDescriptor): object =>
  Object.defineProperty({ ...values }, key, { enumerable: true, configurable: true, ...descriptor });

const without = (values: Values, key: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== key));

/** Objects that are rejected as a whole. */
const REFUSED: Made[] = [
  ...Object.values(HEIRS),
  (values) => revoked({ ...values }),
  (values) => filled([], values),
];

/** All kinds of misbehaviour. */
const TRICKS: ((parts: Parts) => Bag)[] = [
  ...Object.values(PLAIN).map(
    (make) =>
      ({ values }: Parts) =>
        new Bag(make(values), values),
  ),
  ...REFUSED.map((make) => ({ values, wrong }: Parts) => {
    const object = make(values);
    return new Bag(object, values, wrong(object));
  }),
  ({ values }) => new Bag(trapped({ ...values }), values, [], true, true),
  ({ other, wrong }) => {
    const object = other();
    const isObject = typeof object === "object" && object !== null;
    return isObject ? new Bag(object, {}, [], false, true) : new Bag(object, {}, wrong(object));
  },
  ({ values, unknown, stray }) => {
    const object = redefined(values, unknown, { value: 5 });
    return new Bag(object, values, stray(object, unknown));
  },
  ({ values, other }) => {
    // Returns another value at each reading except the first.
    const [later, seen] = [other(), new Set<PropertyKey>()];
    const get = (target: object, key: PropertyKey) => {
      const first = !seen.has(key);
      seen.add(key);
      return first ? Reflect.get(target, key) : later;
    };
    return new Bag(new Proxy({ ...values }, { get }), values);
  },
  ({ values, key, other }) => {
    const [later, value] = [other(), values[key]];
    let readings = 0;
    return new Bag(redefined(values, key, { get: () => (readings++ === 0 ? value : later) }), values);
  },
  ({ values, key }) => {
    const get = () => {
      throw mark("getter");
    };
    return new Bag(redefined(values, key, { get }), values, [], true);
  },
  ({ values, key }) =>
    new Bag(redefined(values, key, { enumerable: false, value: values[key] }), without(values, key)),
];

/** The bags of the created objects. A declaration can contain a second bag. */
const made = new WeakMap<object, Bag>();
export const bagOf = (object: unknown): Bag | undefined =>
  Object(object) === object ? made.get(object as object) : undefined;

const NAMES = ["", ..."x Timestamp tick constructor __proto__ toString 0 -1 id workerID".split(" ")];

/**
 * Objects with the given values, mostly plain. `field` is the name of the object in errors, `code`
 * the error code for an unknown key, and `known` lists the known keys.
 */
export function bags(
  entries: fc.Arbitrary<readonly (readonly [key: string, value: Given])[]>,
  field: string,
  code: "UNKNOWN_OPTION" | "UNKNOWN_FIELD",
  known: readonly string[],
): fc.Arbitrary<() => Bag> {
  const usual = fc.constant<(parts: Parts) => Bag>(({ values }) => new Bag({ ...values }, values));
  const trick = fc.oneof({ weight: 5, arbitrary: usual }, fc.constantFrom(...TRICKS));
  const name = fc
    .oneof(
      fc.constantFrom(...NAMES),
      string.map((given) => given() as string),
    )
    .map((name) => (known.includes(name) ? `${name}_` : name));
  const wrong = (value: unknown): Fault[] => [{ code: "TYPE", field, value }];
  const stray = (value: unknown, key: string): Fault[] => [{ code, field: key, value }];
  return fc
    .tuple(entries, trick, fc.nat(), name, anything)
    .map(([entries, play, at, unknown, other]) => () => {
      const values = Object.fromEntries(entries.map(([key, value]) => [key, value()]));
      const keys = Object.keys(values);
      const key = keys[at % keys.length];
      // Every trick needs a key.
      const bag =
        key === undefined ? new Bag(values, values) : play({ values, key, unknown, other, wrong, stray });
      if (Object(bag.object) === bag.object) {
        made.set(bag.object as object, bag);
      }
      return bag;
    });
}
