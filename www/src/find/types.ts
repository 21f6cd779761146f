/** The results of a search for IDs in a text. */
import type { AlphabetName, EncodingName } from "../lib/alphabets.ts";
import type { AnyFormat, Id } from "../lib/formats.ts";

/** How certain the first reading is. `none`: the text is probably not an ID. */
export type Certainty = "sure" | "likely" | "none";

/** An ID in a text: its position and its possible readings. */
export interface Found {
  /** As it is in the input, without quotes and brackets. Damaged digits are repaired. */
  readonly text: string;
  /** The position in the input. */
  readonly start: number;
  readonly end: number;
  /** The readings, likeliest first; empty if only a note applies. */
  readonly readings: readonly Reading[];
  /** Plain sentences. */
  readonly notes: readonly string[];
  readonly certainty: Certainty;
  /** The kind of a text that is probably not an ID, such as "a date". */
  readonly instead?: string | undefined;
  /** Whether the address that contains the ID leads to it. */
  readonly isMain?: boolean | undefined;
}

export type Reading = FamilyReading | ForeignReading;

interface ReadingBase {
  /**
   * Unique among the readings of a text: the name of a format, "own", or the name of a foreign
   * kind. Further readings in the same format add their encoding.
   */
  readonly key: string;
  /** The display name. */
  readonly title: string;
  /** The encoding of the text, by its name in look/encodings.ts. */
  readonly encoding: Encoding;
  /** Unix milliseconds. */
  readonly timestamp: number | undefined;
  /** The evidence in short sentences, strongest first. */
  readonly reasons: readonly string[];
  /**
   * How well the reading explains the text, in bits. With one bit more, a reading is twice as
   * likely.
   */
  readonly score: number;
  /** Whether the reading explains the text better than a number or a word that is not an ID. */
  readonly plausible: boolean;
  /** Whether it is the likeliest reading, but another one is nearly as likely. */
  readonly isDoubtful: boolean;
}

export type Encoding =
  | "text"
  | "decimal"
  | "hex"
  | "0x"
  | "base 36"
  | AlphabetName
  | EncodingName
  | "binary"
  | "bytes"
  | "UUID";

/** A Snowflake-style ID. */
export interface FamilyReading extends ReadingBase {
  readonly kind: "family";
  readonly format: AnyFormat;
  readonly id: Id;
}

/** An ID of another family, which the page can only read. */
export interface ForeignReading extends ReadingBase {
  readonly kind: "foreign";
  readonly layout: { readonly fields: readonly ForeignField[] };
  readonly integer: bigint;
  /** The width in bits. */
  readonly width: number;
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** The canonical text. */
  readonly text: string;
}

export interface ForeignField {
  readonly name: string;
  readonly bits: number;
}
