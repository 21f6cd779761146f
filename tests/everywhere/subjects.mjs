// What is checked in every host, as data: how to make each format, the numbers of a generator, and the names of its fields.

import { createRequire } from "node:module";
import { fromRoot } from "../../xtask/lib/process.mjs";

const require = createRequire(import.meta.url);

/** The facts of the built package. Read late, because the build may come first. */
const readFacts = () => Object.values(require(fromRoot("dist", "facts.cjs")).facts);

const EPOCH = Date.UTC(2020, 0, 1);
/** A layout of one's own. */
const OWN = { time: 41, region: 4, worker: 6, sequence: 12 };
const OWN_FIXED = ["region", "worker"].map((name) => ({ name, bits: OWN[name] }));

/** Different numbers for the fixed fields. */
const numbersFor = (fields) =>
  Object.fromEntries(fields.map(({ name, bits }, i) => [name, Math.min(3 + 6 * i, 2 ** bits - 1)]));

function subjectOf({ export: code, declared, declaration, fields }) {
  const choices = { epoch: EPOCH, fields: OWN };
  const required = declaration.filter((option) => option.required).map(({ name }) => [name, choices[name]]);
  const named = (role) => fields?.filter((field) => field.role === role);
  return {
    code,
    declaration: declared ? Object.fromEntries(required) : undefined,
    fixed: numbersFor(named("fixed") ?? OWN_FIXED),
    // Within a tick, steps are random: how many IDs it holds is not known.
    random: (named("random") ?? []).length > 0,
  };
}

/** The formats that are no layout of another one, by the name of the export. */
export function subjects() {
  const own = readFacts().filter(({ given }) => Object.keys(given).length === 0);
  return Object.fromEntries(own.map((one) => [one.export, subjectOf(one)]));
}

/** The fields of each dialect of Snowflake but the time, high to low. */
export function dialectFields() {
  const dialects = readFacts().filter(({ entry, declared }) => entry === "graupel/snowflake" && !declared);
  return dialects.map(({ name, fields }) => [name, fields.slice(1).map((field) => field.name)]);
}
