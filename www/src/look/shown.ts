/**
 * Converts a reading to the values that the page shows. IDs of other families have the same form as
 * those of the package.
 */
import type { FamilyReading, ForeignReading, Reading } from "../find/types.ts";
import { kindOf } from "../lib/kinds.ts";
import { plainName } from "../lib/names.ts";
import { bitsOf, type Place, placesOf } from "../lib/places.ts";
import { timeInWords, utcTime } from "../lib/time.ts";
import { foreignKindOf } from "./foreign-kinds.ts";

export interface FieldShown extends Place {
  /** The field's name in words. */
  readonly words: string;
  readonly value: string;
  /**
   * Whether the sentence about the ID mentions the field. It leaves out random digits, and the time
   * is always mentioned.
   */
  readonly isSaid: boolean;
}

export interface Shown {
  /** The name, such as "Discord ID". */
  readonly name: string;
  readonly timestamp: number | undefined;
  readonly integer: bigint;
  readonly width: number;
  /** The fields, from high to low. */
  readonly fields: readonly FieldShown[];
}

/** "Ulid-Flake, scalable" becomes "Ulid-Flake ID". */
function nameOf({ kind, key, title }: Reading): string {
  if (kind === "foreign") return title;
  if (key === "own") return `${title.replace(" of your own", "")} of your own`;
  const [first, which] = title.split(", ");
  return `${first} ID${which === undefined ? "" : ` (${which})`}`;
}

function ofForeign({ integer, width, layout, values, timestamp }: ForeignReading): Omit<Shown, "name"> {
  const places = placesOf(layout, foreignKindOf);
  // The date is below the first part of the time.
  const time = places.find(({ kind }) => kind === "time");
  const textOf = ({ name }: Place) => values.find((one) => one.name === name)?.value ?? "";
  const fields = places.map((place) => ({
    ...place,
    words: place.name,
    value: place === time && timestamp !== undefined ? utcTime(timestamp) : textOf(place),
    isSaid: place.kind === "machine" || place.kind === "sequence",
  }));
  return { timestamp, integer, width, fields };
}

function ofFamily({ format, id, timestamp }: FamilyReading): Omit<Shown, "name"> {
  const integer = format.toBigInt(id);
  const fields = placesOf(format.layout, kindOf).map((place, index) => ({
    ...place,
    words: plainName(place.name),
    value: index === 0 ? utcTime(format.inspect(id).timestamp) : String(bitsOf(integer, place)),
    isSaid: index > 0 && place.kind !== "unused",
  }));
  return { timestamp, integer, width: 8 * format.toBytes(id).length, fields };
}

export const shownOf = (reading: Reading): Shown => ({
  name: nameOf(reading),
  ...(reading.kind === "foreign" ? ofForeign(reading) : ofFamily(reading)),
});

/** A field in the sentence about an ID, such as "worker" and "1". */
export interface SaidField {
  readonly field: string;
  readonly words: string;
  readonly value: string;
}

/** The fields in the sentence, which follow the name and the time. */
export const saidFieldsOf = ({ fields }: Shown): SaidField[] =>
  fields.filter(({ isSaid }) => isSaid).map(({ name, words, value }) => ({ field: name, words, value }));

/** The answer as a sentence, for readers who cannot see the page. */
export function sentenceOf(shown: Shown): string {
  const made = shown.timestamp === undefined ? [] : [`made ${timeInWords(shown.timestamp)}`];
  const parts = saidFieldsOf(shown).map(({ words, value }) => `${words} ${value}`);
  return [shown.name, ...made, ...parts].join(", ");
}
