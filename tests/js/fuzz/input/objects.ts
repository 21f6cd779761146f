/** Objects of options and fields that misbehave, with the value of the first reading of each key. */
import { createContext, runInContext } from "node:vm";
import type { Junk } from "./junk.ts";
import { mark } from "./marked.ts";

const otherRealm = runInContext("() => ({})", createContext({})) as () => Record<string, unknown>;

/** A prototype with which an object is not plain: it could inherit options. */
const heritage = ({ random }: Junk, object: object): object =>
  random.make<object>(
    () => object,
    () => ({}),
    () => otherRealm(),
    () => Object.create(null),
    () => class {}.prototype,
    () => class extends (null as unknown as ObjectConstructor) {}.prototype,
    () => new Proxy({}, {}),
  );

/** An object, and what can be expected of reading it. */
export interface Bag {
  readonly object: unknown;
  /** The value of each own enumerable key at its first reading; other keys are not read. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Faults of the object itself: not an object, or with an unknown key. */
  readonly faults: ReadonlySet<string>;
  /** Whether reading it throws. */
  readonly throws: boolean;
  /** Whether it may be read as an object with other values, so that nothing is expected. */
  readonly loose: boolean;
}

const NAMES = [
  "",
  "x",
  "Timestamp",
  "tick",
  "constructor",
  "__proto__",
  "toString",
  "0",
  "-1",
  "id",
  "workerID",
];

/** An object with `values`, plain or with tricks. `unknown` is the code for an unknown key. */
export function bag(
  junk: Junk,
  values: ReadonlyMap<string, unknown>,
  known: readonly string[],
  unknown: "UNKNOWN_OPTION" | "UNKNOWN_FIELD",
): Bag {
  const { random } = junk;
  const faults = new Set<string>();
  let object: Record<string, unknown> = {};
  switch (random.below(24)) {
    case 0: {
      // Something other than an object with these values.
      const other = junk.any();
      const none = typeof other !== "object" || other === null;
      return {
        object: other,
        values: new Map(),
        faults: none ? new Set(["TYPE"]) : faults,
        throws: false,
        loose: !none,
      };
    }
    case 1:
      object = Object.create(null);
      break;
    case 2:
      object = otherRealm();
      break;
    default:
  }
  let throws = false;
  const read = new Map(values);
  for (const [key, value] of values) {
    switch (random.below(40)) {
      case 0: {
        let readings = 0;
        const later = junk.any();
        Object.defineProperty(object, key, {
          enumerable: true,
          configurable: true,
          get: () => (readings++ === 0 ? value : later),
        });
        break;
      }
      case 1: {
        if (!random.oneIn(4)) {
          object[key] = value;
          break;
        }
        throws = true;
        const get = () => {
          throw mark("getter");
        };
        Object.defineProperty(object, key, { enumerable: true, configurable: true, get });
        break;
      }
      case 2:
        read.delete(key);
        Object.defineProperty(object, key, { enumerable: false, configurable: true, value });
        break;
      default:
        object[key] = value;
    }
  }
  if (random.oneIn(30)) {
    const key = random.oneIn(2) ? random.pick(NAMES) : junk.string();
    if (!known.includes(key)) {
      Object.defineProperty(object, key, { enumerable: true, configurable: true, value: junk.number() });
      faults.add(unknown);
    }
  }
  if (random.oneIn(30)) {
    Object.assign(object, { [Symbol("ignored")]: 5 });
  }
  const plain = { values: read, faults, throws, loose: false };
  switch (random.below(60)) {
    case 0:
      return { ...plain, object: Object.freeze(object) };
    case 1:
      return { ...plain, object: new Proxy(object, {}) };
    case 2: {
      // Returns another value at each reading except the first.
      const seen = new Set<PropertyKey>();
      const get = (target: object, key: PropertyKey) => {
        const first = !seen.has(key);
        seen.add(key);
        return first ? Reflect.get(target, key) : junk.any();
      };
      return { ...plain, object: new Proxy(object, { get }) };
    }
    case 3:
      return { ...plain, object: junk.trapped(object), throws: true, loose: true };
    case 4:
      return { ...plain, object: junk.revoked(object), faults: new Set(["TYPE"]), throws: false };
    case 5: {
      // Its values are its own, or inherited.
      const [heir, parent] = random.oneIn(2) ? [object, {}] : [{}, object];
      Object.setPrototypeOf(heir, heritage(junk, parent));
      return { ...plain, object: heir, faults: new Set(["TYPE"]), throws: false };
    }
    case 6: {
      const array = Object.defineProperties([], Object.getOwnPropertyDescriptors(object));
      return { ...plain, object: array, faults: new Set(["TYPE"]), throws: false };
    }
    default:
      return { ...plain, object };
  }
}
