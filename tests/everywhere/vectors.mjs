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

/**
 * The vectors of a format. `fieldsOf`: the names of an item's fields, or the fields. `options`: the
 * options that declare the format.
 */
function vectorsOf(items, fieldsOf, options = []) {
  const each = Math.ceil(items.length / HOW_MANY);
  const chosen = items.filter(({ tags }, i) => /\balphabet\b/.test(tags) || i % each === 0);
  return chosen.map((item) => {
    const fields = fieldsOf(item);
    return {
      ...pick({ text: String(item.integer), ...item }, ["hex", "text", "timestamp", "ticks"]),
      fields: Array.isArray(fields) ? pick(item, fields) : fields,
      ...(options.length > 0 && { options: pick(item, options) }),
    };
  });
}

/** The formats' vectors, by the format's export name. */
export function chosenVectors() {
  const ofFile = (name, ...rest) => vectorsOf(recorded(name).items, ...rest);
  const { epochs, items } = recorded("snowflake");
  const dialects = readFacts().filter(({ entry, declared }) => entry === "graupel/snowflake" && !declared);
  const named = dialects.map(({ name, fields }) => [
    name,
    vectorsOf(
      items.filter(({ variant }) => variant === name),
      (item) => Object.fromEntries(fields.slice(1).map((field, i) => [field.name, item.fields[i]])),
    ),
  ]);
  const nanoflakes = recorded("nanoflake").items.filter(({ variant }) => variant === "spec-22");
  const widths = ["clockBits", "machineBits", "sequenceBits"];
  const chosen = {
    sno: ofFile("sno", () => ["tickTock", "metabyte", "partition", "sequence"]),
    nanoflake: vectorsOf(nanoflakes, () => ["generatorId", "sequence"], ["epoch"]),
    ...Object.fromEntries(named),
    snowflakeSI: ofFile(
      "snowflake-si",
      ({ machineBits }) => [...(machineBits > 0 ? ["machineId"] : []), "sequence"],
      ["epoch", ...widths],
    ),
    ulidFlake: ofFile("ulid-flake", () => ["randomness"]),
    ulidFlakeScalable: ofFile("ulid-flake", ({ scalableRandomness: randomness, scalability }) => ({
      randomness,
      scalability,
    })),
  };
  // Twitter's layout as a custom declaration.
  const fields = { time: 41, datacenterId: 5, workerId: 5, sequence: 12 };
  const options = { epoch: epochs.twitter, fields };
  return { ...chosen, snowflake: chosen.twitter.map((vector) => ({ ...vector, options })) };
}
