/** What the page shows of a reading: the same for IDs of the package and of other families. */
import type { Reading } from "../find/types.ts";
import { kindOf } from "../lib/kinds.ts";
import { bitsOf, type Place, placesOf } from "../lib/places.ts";
import { timeInWords, utcTime } from "../lib/time.ts";
import { foreignKindOf } from "./foreign-kinds.ts";

export interface FieldShown extends Place {
  /** What it is called in a sentence. */
  readonly words: string;
  readonly value: string;
}

export interface Shown {
  /** "Discord ID". */
  readonly name: string;
  readonly timestamp: number | undefined;
  readonly integer: bigint;
  readonly width: number;
  /** High to low. */
  readonly fields: readonly FieldShown[];
}

/** Fields whose names are no words. */
const WORDS: Readonly<Record<string, string>> = {
  tickTock: "tick-tock",
  randomness: "random",
  scalability: "worker",
};

/** "internalWorkerId" is a worker, "shardId" a shard; what counts the IDs of a tick is their number. */
function wordsOf({ name, kind }: Place): string {
  if (kind === "sequence") return "number";
  const plain = name.replace(/^internal|Id$/g, "").replace(/([a-z])([A-Z])/g, "$1 $2");
  return WORDS[name] ?? plain.toLowerCase();
}

/** A title such as "Twitter, X" says the same by two names. */
function nameOf({ kind, key, title }: Reading): string {
  if (kind === "foreign") return title;
  if (key === "own") return `${title.replace(" of your own", "")} of your own`;
  const [first, second] = title.split(", ");
  return second === undefined ? `${title} ID` : `${first} ID (${second})`;
}

/** A date as it stands below bits. */
const dateOf = (timestamp: number): string => utcTime(timestamp).replace("T", " ").replace("Z", "");

export function shownOf(reading: Reading): Shown {
  const name = nameOf(reading);
  const { timestamp } = reading;
  if (reading.kind === "foreign") {
    const { integer, width, layout, values } = reading;
    const places = placesOf(layout, foreignKindOf);
    const time = places.find(({ kind }) => kind === "time");
    const fields = places.map((place) => ({
      ...place,
      words: place.name,
      value:
        place === time && timestamp !== undefined
          ? dateOf(timestamp)
          : (values.find((one) => one.name === place.name)?.value ?? bitsOf(integer, place).toString(16)),
    }));
    return { name, timestamp, integer, width, fields };
  }
  const { format, id } = reading;
  const integer = format.toBigInt(id);
  const fields = placesOf(format.layout, kindOf).map((place, index) => ({
    ...place,
    words: wordsOf(place),
    value: index === 0 ? dateOf(format.inspect(id).timestamp) : String(bitsOf(integer, place)),
  }));
  return { name, timestamp, integer, width: 8 * format.toBytes(id).length, fields };
}

/** A part of the sentence about a field: "worker" and "1". */
export interface Part {
  readonly field: string;
  readonly words: string;
  readonly value: string;
}

/** What the sentence says after the name. The longest values are told by the drawing alone. */
export function partsOf({ timestamp, fields }: Shown): Part[] {
  const time = fields.find(({ kind }) => kind === "time");
  const made =
    timestamp === undefined
      ? []
      : [{ field: time?.name ?? "", words: "made", value: timeInWords(timestamp) }];
  const others = fields.filter(
    ({ kind, value }) => kind !== "time" && kind !== "unused" && value.length <= 10,
  );
  return [...made, ...others.map(({ name, words, value }) => ({ field: name, words, value }))];
}

/** The whole sentence as a text, for those who do not see the page. */
export const sentenceOf = (shown: Shown): string =>
  [shown.name, ...partsOf(shown).map(({ words, value }) => `${words} ${value}`)].join(", ");
