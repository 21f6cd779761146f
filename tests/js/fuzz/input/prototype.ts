/**
 * Puts every name that the package reads from objects on `Object.prototype`: the package must ignore them there. `time` and `sequence`
 * are left out, because a layout of one's own refuses the name of a field that is there.
 */
import { sno, twitter } from "graupel";
import { facts } from "../../support/make.ts";
import { mark } from "./marked.ts";

const isolated = true;
const snapshots = [
  sno.generator({ partition: 1, isolated }).snapshot(),
  twitter.generator({ datacenterId: 1, workerId: 1, isolated }).snapshot(),
];
const all = Object.values(facts).flatMap(({ options, declaration, fields }) =>
  [...options, ...declaration, ...(fields ?? [])].map(({ name }) => name),
);
const keys = JSON.stringify(snapshots).match(/(?<=")\w+(?=":)/g) ?? [];
const names = new Set([...all, ...keys, "timestamp", "ticks", "last", "signal"]);
names.delete("time");
names.delete("sequence");

/** Gives Object.prototype accessors of these names, until the returned function is called. */
export function pollute(
  names: Iterable<string>,
  accessors: (name: string) => Pick<PropertyDescriptor, "get" | "set">,
): () => void {
  for (const name of names) {
    const { get, set } = accessors(name);
    const descriptor = { __proto__: null, configurable: true, get, set };
    Object.defineProperty(Object.prototype, name, descriptor as PropertyDescriptor);
  }
  return () => {
    for (const name of names) {
      Reflect.deleteProperty(Object.prototype, name);
    }
  };
}

const throwing = () => {
  throw mark("prototype");
};

/** Runs a call while all names of options, fields and snapshots are there. */
export function withPrototype<T>(call: () => T): T {
  const leave = pollute(names, () => ({ get: throwing, set: throwing }));
  try {
    return call();
  } finally {
    leave();
  }
}
