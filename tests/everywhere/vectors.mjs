// Chooses some of the recorded codec vectors for each format. All of them take megabytes, which every bundle of every host
// would hold; `npm test` runs them all.

import { readFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";
import { dialectFields } from "./subjects.mjs";

/** Vectors of one format, besides those that hold its whole alphabet. */
const HOW_MANY = 24;
const SEED = 20;

/** The codec section of a file, as objects. */
function recorded(name) {
  const { epochs, codec } = JSON.parse(readFileSync(fromRoot("tests", "vectors", `${name}.json`), "utf8"));
  const items = codec.rows.map((row) =>
    Object.fromEntries(codec.columns.map((column, i) => [column, row[i]])),
  );
  return { epochs, items };
}

const pick = (item, ...names) => Object.fromEntries(names.map((name) => [name, item[name]]));
const common = (item) => pick(item, "hex", "text", "timestamp", "ticks");

/** Deterministic, so that every run and every host sees the same items. */
function sample(vectors) {
  let state = SEED;
  const chosen = new Set(vectors.filter(({ alphabet }) => alphabet));
  const wanted = Math.min(vectors.length, chosen.size + HOW_MANY);
  while (chosen.size < wanted) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    chosen.add(vectors[state % vectors.length]);
  }
  return [...chosen].map(({ alphabet, ...vector }) => vector);
}

const aboutAlphabet = ({ tags }) => /\balphabet\b/.test(tags);

/** The formats' vectors, by the name of the format's export. */
export function chosenVectors() {
  const sno = recorded("sno").items.map((item) => ({
    ...common(item),
    fields: pick(item, "tickTock", "metabyte", "partition", "sequence"),
    alphabet: aboutAlphabet(item),
  }));
  const nanoflake = recorded("nanoflake")
    .items.filter(({ variant, integer }) => variant === "spec-22" && !integer.startsWith("-"))
    .map((item) => ({
      ...common(item),
      options: pick(item, "epoch"),
      fields: pick(item, "generatorId", "sequence"),
      alphabet: aboutAlphabet(item),
    }));
  const snowflakeSI = recorded("snowflake-si").items.map((item) => ({
    ...common({ ...item, text: String(item.integer) }),
    options: pick(item, "epoch", "clockBits", "machineBits", "sequenceBits"),
    fields: pick(item, ...(item.machineBits > 0 ? ["machineId"] : []), "sequence"),
  }));
  const ulid = recorded("ulid-flake").items;
  const ulidFlake = ulid.map((item) => ({
    ...common(item),
    fields: pick(item, "randomness"),
    alphabet: aboutAlphabet(item),
  }));
  const ulidFlakeScalable = ulid.map((item) => ({
    ...common(item),
    fields: { randomness: item.scalableRandomness, scalability: item.scalability },
    alphabet: aboutAlphabet(item),
  }));
  const { epochs, items } = recorded("snowflake");
  const dialects = dialectFields().map(([name, fields]) => [
    name,
    items
      .filter(({ variant, integer }) => variant === name && !integer.startsWith("-"))
      .map((item) => ({
        ...common({ ...item, text: item.integer }),
        fields: Object.fromEntries(fields.map((field, i) => [field, item.fields[i]])),
      })),
  ]);
  const all = { sno, nanoflake, ...Object.fromEntries(dialects), snowflakeSI, ulidFlake, ulidFlakeScalable };
  const chosen = Object.fromEntries(Object.entries(all).map(([name, vectors]) => [name, sample(vectors)]));
  // Twitter's layout, declared by hand.
  const fields = { time: 41, datacenterId: 5, workerId: 5, sequence: 12 };
  const options = { epoch: epochs.twitter, fields };
  return { ...chosen, snowflake: chosen.twitter.map((vector) => ({ ...vector, options })) };
}
