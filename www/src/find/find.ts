/** Finds the IDs in a text, and the possible readings of each. */
import { NUMBERED_BELOW, ownOf } from "../../../js/habits.ts";
import type { AnyFormat } from "../lib/formats.ts";
import { outcomeOf } from "../lib/refusal.ts";
import { timeInWords } from "../lib/time.ts";
import { cleaned } from "./clean.ts";
import { type Hint, hintsFor } from "./context.ts";
import { certaintyOf, isDoubtful } from "./doubt.ts";
import { DECIMAL, type FamilyID, familyIn } from "./family.ts";
import { type ForeignID, foreignIn, unixTime } from "./foreign/index.ts";
import { Neighbours, sightingOf } from "./neighbours.ts";
import { noise } from "./noise.ts";
import { isMadeUp, notesOn, otherIn } from "./other.ts";
import { LONGEST, type Token, tokensOf } from "./token.ts";
import type { Encoding, FamilyReading, ForeignReading, Found, Reading } from "./types.ts";
import { type Evidence, when } from "./weigh.ts";

export type { Encoding, FamilyReading, ForeignReading, Found, Reading } from "./types.ts";

/** `isDoubtful` and `key` depend on the other readings, so they are set last. */
type Made<R extends Reading = Reading> = R & { isDoubtful: boolean; key: string };

const sentences = (evidence: readonly Evidence[]): string[] =>
  [...evidence].sort((a, b) => Math.abs(b.bits) - Math.abs(a.bits)).map(({ reason }) => reason);

const sum = (hints: readonly Hint[]): number => hints.reduce((total, { bits }) => total + bits, 0);

const hintsOn = (hints: readonly Hint[], key: string, written?: Encoding): readonly Hint[] =>
  hints.filter(({ for: whose, encoding }) => whose === key && (encoding ?? written) === written);

/** The names of the encodings. Plain digits need none. */
const WRITTEN: Readonly<Partial<Record<Encoding, string>>> = {
  hex: "in hexadecimal",
  "0x": "in hexadecimal",
  "base 36": "in base 36",
  "base 62": "in base 62",
  "base 58": "in base 58",
  "Crockford 32": "in Crockford’s base 32",
  binary: "in binary",
  base64url: "in base64url",
  bytes: "as bytes",
  UUID: "as a UUID",
  shortcode: "as a short code",
  zbase32: "in z-base-32",
  "crockford32-lower": "in Crockford’s base 32, in lower case",
  "crockford32-lenient": "in Crockford’s base 32, as people type it",
  uuidv8: "as a UUID of version 8",
};

function ofFamily(one: FamilyID, hints: readonly Hint[], nothing: number): Made<FamilyReading> {
  const { key, title, encoding, timestamp, format, id } = one;
  const mine = hintsOn(hints, format.name, encoding);
  // A declared format comes first, because the reader asked for it.
  const score = one.score + sum(mine) + (key === "own" ? 44 : 0);
  return {
    kind: "family",
    key,
    title,
    encoding,
    timestamp,
    score,
    plausible: score > nothing,
    isDoubtful: false,
    format,
    id,
    get reasons() {
      const way = WRITTEN[encoding];
      const written = way === undefined ? [] : [{ bits: 0, reason: `It is written ${way}.` }];
      return sentences([...mine, ...one.evidence(title), ...written]);
    },
  };
}

function ofForeign(
  one: ForeignID,
  hints: readonly Hint[],
  nothing: number,
  now: number,
): Made<ForeignReading> {
  const { key, title, encoding, timestamp, fields, values, integer, width, text } = one;
  const mine = hintsOn(hints, key);
  const score = one.score + sum(mine);
  return {
    kind: "foreign",
    key,
    title,
    encoding,
    timestamp,
    score,
    plausible: score > nothing,
    isDoubtful: false,
    layout: { fields },
    integer,
    width,
    values,
    text,
    get reasons() {
      const form = `It has the form of ${/^[OxX]/.test(title) ? "an" : "a"} ${title}.`;
      const time = timestamp === undefined ? [] : [`Its time is ${when(timestamp, now)}.`];
      return [...sentences(mine), form, ...time];
    },
  };
}

const DAY = 86_400_000;

/** Whether an ID is from the first day of its format. Any small number looks like such an ID. */
const isOfFirstDay = (one: Reading): boolean =>
  one.kind === "family" && (one.timestamp ?? Infinity) < one.format.epoch + DAY;

/**
 * The key of a format's likeliest reading is the format's name. The keys of its other readings also
 * name the encoding.
 */
function nameApart(readings: readonly Made[]): void {
  const keys = new Set<string>();
  for (const reading of readings) {
    if (keys.has(reading.key)) reading.key = `${reading.key} in ${reading.encoding}`;
    keys.add(reading.key);
  }
}

/**
 * Whether the service that the hints name numbered this ID consecutively, before it used its
 * format.
 */
const isNumbered = (text: string, hints: readonly Hint[]): boolean =>
  /^[1-9]\d*$/.test(text) &&
  hints.some(({ for: whose, bits }) => bits > 30 && BigInt(text) < BigInt(ownOf(NUMBERED_BELOW, whose) ?? 0));

/** Reads a token in every possible way. `more`: evidence in addition to the surrounding text. */
function foundAt(
  input: string,
  token: Token,
  own: AnyFormat | undefined,
  now: number,
  more: readonly Hint[] = [],
): Found & { readonly best: number } {
  const { text, start, end, isMain } = token;
  const hints = [...hintsFor(input, start, end), ...more];
  if (isNumbered(text, hints)) {
    const instead = `a tweet’s number from before 4 November 2010: until then, tweets were numbered consecutively, so it contains no time`;
    return { text, start, end, readings: [], notes: [], certainty: "none", instead, isMain, best: 1 };
  }
  const nothing = noise(text, now) + sum(hintsOn(hints, "none"));
  const isAsked = (key: string) => hintsOn(hints, key).length > 0;
  const mended = mendedIn(text);
  const readings = [
    ...familyIn(text, own, now).map((one) => ofFamily(one, hints, nothing)),
    ...foreignIn(mended ?? text, now, isAsked, input.trim() === text).map((one) =>
      ofForeign(one, hints, nothing, now),
    ),
  ].sort((a, b) => b.score - a.score);
  nameApart(readings);
  const [first] = readings;
  if (first !== undefined) first.isDoubtful = isDoubtful(readings) || isOfFirstDay(first);
  const best = (first?.score ?? -Infinity) - nothing;
  const notes = mended !== undefined && first?.kind === "foreign" ? [MENDED] : notesOn(text);
  const certainty = certaintyOf(text, readings, nothing);
  return { text, start, end, readings, notes, certainty, isMain, best };
}

const MENDED = "O was read as 0, and I and L as 1, as in Crockford’s base 32.";

/** Corrects a ULID that was typed by hand. Crockford's base 32 reads O as 0, and I and L as 1. */
function mendedIn(text: string): string | undefined {
  if (!/^(?:[0-9A-TV-Z]{26}|[0-9a-tv-z]{26})$/.test(text) || !/[oil]/i.test(text) || !/\d/.test(text))
    return undefined;
  return text.replace(/o/gi, "0").replace(/[il]/gi, "1");
}

/** The best of several ways to cut a piece. */
function bestOf(input: string, tokens: readonly Token[], own: AnyFormat | undefined, now: number) {
  const all = tokens.map((token) => foundAt(input, token, own, now));
  return all.reduce((best, one) => (one.best > best.best ? one : best));
}

const withoutScore = ({ best, ...found }: Found & { readonly best: number }): Found => found;

/**
 * The IDs in a text, in order. Each is read by itself; neighbours.ts adds the evidence of the other
 * IDs.
 */
export function* eachIn(text: string, own: AnyFormat | undefined, now: number): Generator<Found> {
  for (const tokens of tokensOf(text)) {
    const found = bestOf(text, tokens, own, now);
    if (found.best > 0) yield withoutScore(found);
  }
}

/** Reads an ID again, with the evidence of its neighbours. */
export const foundAgain = (
  input: string,
  token: Token,
  own: AnyFormat | undefined,
  now: number,
  hints: readonly Hint[],
): Found => withoutScore(foundAt(input, token, own, now, hints));

/** The IDs in a text, in order, with the evidence of their neighbours. */
function together(text: string, own: AnyFormat | undefined, now: number): Found[] {
  const neighbours = new Neighbours();
  const all = Array.from(eachIn(text, own, now), (found) => {
    const sighting = sightingOf(text, found);
    neighbours.add(sighting);
    return { found, sighting };
  });
  return all.map(({ found, sighting }) => {
    const hints = neighbours.hintsFor(sighting);
    return hints.length === 0 ? found : foundAgain(text, found, own, now, hints);
  });
}

/** Matches quotes, brackets and commas around a single text. */
const AROUND = /^[\s"'`“”‘’„«»<({]*(.*?)(?:(?<=\d{9})n)?[\s"'`“”‘’„«»>)},;]*\.?\s*$/s;

/** A short text without the quotes and brackets around it; empty for a longer text. */
function innerOf(input: string): string {
  const text = input.trim();
  return text.length > 2 * LONGEST ? "" : (AROUND.exec(text)?.[1] ?? "");
}

/** A number that a spreadsheet has rounded: its first digits and its power of ten. */
const ROUNDED = /(?<![\w.,])(\d)(?:[.,](\d{1,14}))?[eE]\+?(1[5-9])(?!\d)/;

/** The interval in which an ID with these first digits was made. */
function rounded(text: string, now: number): Found[] {
  const match = ROUNDED.exec(text);
  if (match === null) return [];
  const [whole, first = "", more = "", power] = match;
  const digits = BigInt(first + more);
  const unit = 10n ** BigInt(Number(power) - more.length);
  const [least, most] = [digits * unit - unit / 2n, digits * unit + unit / 2n];
  const end = match.index + whole.length;
  const hinted = hintsFor(text, match.index, end)[0]?.for;
  const lines = DECIMAL.flatMap(({ format, title }) => {
    const [from = Number.NaN, to = Number.NaN] = [least, most].map((id) => {
      const made = outcomeOf(() => format.inspect(format.fromBigInt(id)).timestamp);
      return "value" in made ? made.value : Number.NaN;
    });
    if (!(from >= SINCE && from <= now) || Number.isNaN(to)) return [];
    if (hinted !== undefined && hinted !== format.name) return [];
    return [
      `As ${/^[AEIO]/.test(title) ? "an" : "a"} ${title} ID, it was made between ${timeInWords(from)} and ${timeInWords(to)}.`,
    ];
  });
  const instead = "an ID that a spreadsheet has rounded: the last digits are lost";
  const notes = [...lines, "Export it from its source again, and import it into the spreadsheet as text."];
  return [{ text: whole, start: match.index, end, readings: [], notes, certainty: "likely", instead }];
}

const SINCE = Date.UTC(2006, 2, 21);

/** Reads a text of one piece, even if it is unlikely to be an ID. */
function alone(input: string, own: AnyFormat | undefined, now: number): Found[] {
  const inner = innerOf(input);
  if (inner === "" || inner.length > LONGEST) return [];
  const isPiece = /^-?(?:[\w-]+|\d{1,3}(?:,\d{3})+|\d+\.\d+|\[[\d\s,]+\])$/.test(inner);
  const start = input.indexOf(inner);
  const token = { text: inner, start, end: start + inner.length };
  const found: Found = isPiece
    ? withoutScore(foundAt(input, token, own, now))
    : { ...token, readings: [], notes: [], certainty: "none" };
  const unix = isMadeUp(inner) ? undefined : unixTime(inner, now);
  if (unix !== undefined && found.certainty === "none") {
    const reading = { ...ofForeign(unix, [], -Infinity, now), plausible: false };
    return [{ ...found, readings: [reading, ...found.readings], instead: "a Unix time" }];
  }
  const [only, ...others] = found.readings;
  // If no other format has this form, the text is an ID with a wrong time.
  if (
    found.certainty === "none" &&
    only?.kind === "family" &&
    only.encoding === "text" &&
    others.length === 0
  )
    if (otherIn(inner) === undefined && !/^\d+$/.test(inner)) return [{ ...found, certainty: "likely" }];
  const instead = found.certainty === "none" ? (found.instead ?? otherIn(inner)?.what) : undefined;
  return found.readings.length + found.notes.length > 0 || instead !== undefined
    ? [{ ...found, instead }]
    : [];
}

/** Reads a text that is certainly not an ID, such as a date, together with its readings as an ID. */
function otherwise(input: string, own: AnyFormat | undefined, now: number): Found[] {
  const inner = innerOf(input);
  const other = otherIn(inner);
  if (other === undefined || !other.isCertain) return [];
  const [found] = alone(inner, own, now);
  if (found?.certainty === "sure") return [];
  const start = input.indexOf(inner);
  const bare = { text: inner, readings: [], notes: [] };
  const isUnix = found?.readings[0]?.key === "unix";
  const instead = isUnix ? found?.instead : other.what;
  return [{ ...bare, ...found, start, end: start + inner.length, certainty: "none", instead }];
}

/**
 * All IDs in the input of a page. If the input is a single piece, it is read even if it is unlikely
 * to be an ID.
 */
export function findIn(given: string, own: AnyFormat | undefined, now: number): Found[] {
  const whole = own === undefined ? otherwise(given, own, now) : [];
  if (whole.length > 0) return whole;
  const { text, placeOf, notesAt } = cleaned(given);
  const ways = [together, (one: string) => rounded(one, now), alone];
  const found = ways.reduce<Found[]>((all, way) => (all.length > 0 ? all : way(text, own, now)), []);
  return found.map((one) => ({
    ...one,
    start: placeOf(one.start),
    end: one.end === 0 ? 0 : placeOf(one.end),
    notes: [...notesAt(placeOf(one.start), placeOf(one.end)), ...one.notes],
  }));
}
