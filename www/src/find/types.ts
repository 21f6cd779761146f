/** What is found in a text. */
import type { AlphabetName, EncodingName } from "../lib/alphabets.ts";
import type { AnyFormat, Id } from "../lib/formats.ts";

/** How certain the first reading is. `none`: the text is probably not an ID. */
export type Certainty = "sure" | "likely" | "none";

/** A text that is an ID, where it stands, and what it can be. */
export interface Found {
  /** As it stands in the input, without its wrapping; of damaged digits, as they are read. */
  readonly text: string;
  /** Its place in the input. */
  readonly start: number;
  readonly end: number;
  /** The likeliest first; empty where only a note applies. */
  readonly readings: readonly Reading[];
  /** Plain sentences. */
  readonly notes: readonly string[];
  readonly certainty: Certainty;
  /** For a text that is probably not an ID: its kind, such as "a date". */
  readonly instead?: string | undefined;
  /** Whether the address around it leads to this ID. */
  readonly isMain?: boolean | undefined;
}

export type Reading = FamilyReading | ForeignReading;

interface ReadingBase {
  /** Unique among the readings of a text: a format's name, "own", or the foreign kind's name. A further one of a format adds its encoding. */
  readonly key: string;
  /** The proper name. */
  readonly title: string;
  /** How the text writes it, by the names of look/encodings.ts. */
  readonly encoding: Encoding;
  /** Unix milliseconds. */
  readonly timestamp: number | undefined;
  /** The evidence in plain short sentences, the strongest first. */
  readonly reasons: readonly string[];
  /** How well it explains the text, in bits: a reading with one bit more is twice as likely. */
  readonly score: number;
  /** Whether it explains the text better than a number or a word that is no ID. */
  readonly plausible: boolean;
  /** Whether it is the likeliest, and another one is nearly as likely. */
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

/** An ID of the Snowflake family. */
export interface FamilyReading extends ReadingBase {
  readonly kind: "family";
  readonly format: AnyFormat;
  readonly id: Id;
}

/** An ID of another family: only to be read. */
export interface ForeignReading extends ReadingBase {
  readonly kind: "foreign";
  readonly layout: { readonly fields: readonly ForeignField[] };
  readonly integer: bigint;
  /** Bits. */
  readonly width: number;
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** The canonical text. */
  readonly text: string;
}

export interface ForeignField {
  readonly name: string;
  readonly bits: number;
}
