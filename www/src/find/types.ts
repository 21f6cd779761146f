/** What is found in a text: its IDs by their places, and what each can be. */
import type { AnyFormat, Id } from "../lib/formats.ts";

/** A text that is an ID, where it stands, and what it can be. */
export interface Found {
  /** As it stands in the input, without its wrapping. */
  readonly text: string;
  /** Its place: `input.slice(start, end) === text`. */
  readonly start: number;
  readonly end: number;
  /** The likeliest first; empty where only a note applies. */
  readonly readings: readonly Reading[];
  /** Plain sentences, such as "It has more than 64 bits." */
  readonly notes: readonly string[];
}

export type Reading = FamilyReading | ForeignReading;

interface ReadingBase {
  /** Unique among the readings of one text: a format's name, "own", or the name of a foreign kind. */
  readonly key: string;
  /** The proper name: "Discord", "UUID v7", "ULID". */
  readonly title: string;
  /** How the text writes it: "text", "decimal", "hex", "base 36", "base64url", "bytes", "UUID". */
  readonly encoding: string;
  /** Unix milliseconds. */
  readonly timestamp: number | undefined;
  /** Evidence in short sentences, the strongest first. */
  readonly reasons: readonly string[];
  readonly plausible: boolean;
}

/** An ID of a format of the package. */
export interface FamilyReading extends ReadingBase {
  readonly kind: "family";
  readonly format: AnyFormat;
  readonly id: Id;
}

/** An ID of another family, which the page only reads. */
export interface ForeignReading extends ReadingBase {
  readonly kind: "foreign";
  readonly layout: { readonly fields: readonly { readonly name: string; readonly bits: number }[] };
  readonly integer: bigint;
  readonly width: number;
  /** Decoded values by the field's name. */
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** Its canonical text. */
  readonly text: string;
}
