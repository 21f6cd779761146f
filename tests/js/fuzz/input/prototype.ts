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

const throwing = () => {
  throw mark("prototype");
};
const polluted = Object.fromEntries(
  [...names].map((name) => [name, { configurable: true, get: throwing, set: throwing }]),
);

/** Runs a call while all of them are there. */
export function withPrototype<T>(call: () => T): T {
  Object.defineProperties(Object.prototype, polluted);
  try {
    return call();
  } finally {
    for (const name of names) {
      Reflect.deleteProperty(Object.prototype, name);
    }
  }
}
