// The data for the checks in every host: how to create each format, with the fixed fields of a
// generator, and some of its recorded codec vectors. The full set takes megabytes, which every
// bundle would contain; `npm test` runs it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fromRoot } from "../../xtask/lib/process.mjs";

const require = createRequire(import.meta.url);

/** The facts of the built package. They are read lazily, because the build may run first. */
const readFacts = () => Object.values(require(fromRoot("dist", "facts.cjs")).facts);

/** A custom layout. */
const OWN = { epoch: Date.UTC(2020, 0, 1), fields: { time: 41, region: 4, worker: 6, sequence: 12 } };
const OWN_FIXED = ["region", "worker"].map((name) => ({ name, bits: OWN.fields[name] }));

function subjectOf({ export: code, declared, declaration, fields }) {
  const required = declaration.filter((option) => option.required).map(({ name }) => [name, OWN[name]]);
  const fixed = fields?.filter(({ role }) => role === "fixed") ?? OWN_FIXED;
  return {
    code,
    declaration: declared ? Object.fromEntries(required) : undefined,
    // Different values for the fixed fields.
    fixed: Object.fromEntries(fixed.map(({ name, bits }, i) => [name, Math.min(3 + 6 * i, 2 ** bits - 1)])),
  };
}

/** The formats that are not based on another format's layout, by export name. */
export function subjects() {
  const own = readFacts().filter(({ given }) => Object.keys(given).length === 0);
  return Object.fromEntries(own.map((one) => [one.export, subjectOf(one)]));
}

/** The number of vectors for a format, not counting those that cover its whole alphabet. */
const HOW_MANY = 24;

/** Each item of a file's codec section as an object. `integer` is a string. */
function recorded(name) {
  const { epochs, codec } = JSON.parse(readFileSync(fromRoot("tests", "vectors", `${name}.json`), "utf8"));
  const items = codec.rows.map((row) =>
    Object.fromEntries(codec.columns.map((column, i) => [column, row[i]])),
  );
  return { epochs, items: items.filter(({ integer }) => !String(integer).startsWith("-")) };
}

const pick = (item, names) => Object.fromEntries(names.map((name) => [name, item[name]]));

/** The vectors of a format. `options`: the options that declare the format. */
function vectorsOf(items, options = []) {
  const each = Math.ceil(items.length / HOW_MANY);
  return items
    .filter(({ tags }, i) => /\balphabet\b/.test(tags) || i % each === 0)
    .map((item) => ({
      ...pick({ text: String(item.integer), ...item }, ["hex", "text", "timestamp", "ticks"]),
      ...(options.length > 0 && { options: pick(item, options) }),
    }));
}

/** The formats' vectors, by the format's export name. */
export function chosenVectors() {
  const { epochs, items } = recorded("snowflake");
  const ofVariant = (all, name) => all.filter(({ variant }) => variant === name);
  const dialects = readFacts().filter(({ entry, declared }) => entry === "graupel/snowflake" && !declared);
  const ulidFlake = vectorsOf(recorded("ulid-flake").items);
  const widths = ["clockBits", "machineBits", "sequenceBits"];
  const chosen = {
    sno: vectorsOf(recorded("sno").items),
    nanoflake: vectorsOf(ofVariant(recorded("nanoflake").items, "spec-22"), ["epoch"]),
    ...Object.fromEntries(dialects.map(({ name }) => [name, vectorsOf(ofVariant(items, name))])),
    snowflakeSI: vectorsOf(recorded("snowflake-si").items, ["epoch", ...widths]),
    ulidFlake,
    ulidFlakeScalable: ulidFlake,
  };
  // Twitter's layout as a custom declaration.
  const fields = { time: 41, datacenterId: 5, workerId: 5, sequence: 12 };
  const options = { epoch: epochs.twitter, fields };
  return { ...chosen, snowflake: chosen.twitter.map((vector) => ({ ...vector, options })) };
}
