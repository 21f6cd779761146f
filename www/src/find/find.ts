/** Finds the IDs in a text, and what each can be. */
import type { AnyFormat } from "../lib/formats.ts";
import { type Hint, hintsFor } from "./context.ts";
import { isDoubtful } from "./doubt.ts";
import { type FamilyID, familyIn } from "./family.ts";
import { type ForeignID, foreignIn } from "./foreign/index.ts";
import { Neighbours, sightingOf } from "./neighbours.ts";
import { noise } from "./noise.ts";
import { notesOn } from "./notes.ts";
import { LONGEST, type Token, tokensOf } from "./token.ts";
import type { Encoding, FamilyReading, ForeignReading, Found, Reading } from "./types.ts";
import { type Evidence, when } from "./weigh.ts";

export type { Encoding, FamilyReading, ForeignReading, Found, Reading } from "./types.ts";

/** The doubt and the key are known once all readings are. */
type Made<Kind extends Reading = Reading> = Kind & { isDoubtful: boolean; key: string };

const sentences = (evidence: readonly Evidence[]): string[] =>
  [...evidence].sort((a, b) => Math.abs(b.bits) - Math.abs(a.bits)).map(({ reason }) => reason);

const sum = (hints: readonly Hint[]): number => hints.reduce((total, { bits }) => total + bits, 0);

const hintsOn = (hints: readonly Hint[], key: string, written?: Encoding): readonly Hint[] =>
  hints.filter(({ for: whose, encoding }) => whose === key && (encoding ?? written) === written);

/** How an encoding is said; nothing for plain digits. */
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
};

function ofFamily(one: FamilyID, hints: readonly Hint[], nothing: number): Made<FamilyReading> {
  const { key, title, encoding, timestamp, format, id } = one;
  const mine = hintsOn(hints, format.name, encoding);
  // A format of one's own comes first, because it was asked for.
  const score = one.score + sum(mine) + (key === "own" ? 40 : 0);
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

function ofForeign(one: ForeignID, nothing: number, now: number): Made<ForeignReading> {
  const { key, title, encoding, timestamp, fields, values, integer, width, text, score } = one;
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
      const form = `It has the form of ${/^[Ox]/.test(title) ? "an" : "a"} ${title}.`;
      const time = timestamp === undefined ? [] : [`Its time is ${when(timestamp, now)}.`];
      return [form, ...time];
    },
  };
}

const DAY = 86_400_000;

/** Whether an ID is of the first day of its format, as any small number is. */
const isOfFirstDay = (one: Reading): boolean =>
  one.kind === "family" && (one.timestamp ?? Infinity) < one.format.epoch + DAY;

/** The likeliest reading of a format has its name for a key; others of the same format say how they are written. */
function nameApart(readings: readonly Made[]): void {
  const keys = new Set<string>();
  for (const reading of readings) {
    if (keys.has(reading.key)) reading.key = `${reading.key} in ${reading.encoding}`;
    keys.add(reading.key);
  }
}

/** What a token can be, with all its readings. `more`: evidence that does not stand around it. */
function foundAt(
  input: string,
  token: Token,
  own: AnyFormat | undefined,
  now: number,
  more: readonly Hint[] = [],
): Found & { readonly best: number } {
  const { text, start, end } = token;
  const hints = [...hintsFor(input, start, end), ...more];
  const nothing = noise(text, now) + sum(hintsOn(hints, "none"));
  const other = foreignIn(text, now);
  const readings = [
    ...familyIn(text, own, now).map((one) => ofFamily(one, hints, nothing)),
    ...(other === undefined ? [] : [ofForeign(other, nothing, now)]),
  ].sort((a, b) => b.score - a.score);
  nameApart(readings);
  const [first] = readings;
  if (first !== undefined) first.isDoubtful = isDoubtful(readings) || isOfFirstDay(first);
  const best = (first?.score ?? -Infinity) - nothing;
  return { text, start, end, readings, notes: notesOn(text, best > 0, now), best };
}

/** The best of several ways to cut a piece. */
function bestOf(input: string, tokens: readonly Token[], own: AnyFormat | undefined, now: number) {
  const all = tokens.map((token) => foundAt(input, token, own, now));
  return all.reduce((best, one) => (one.best > best.best ? one : best));
}

const withoutScore = ({ best, ...found }: Found & { readonly best: number }): Found => found;

/** The IDs in a text, in order of place, each by itself: what they say of one another is in neighbours.ts. */
export function* eachIn(text: string, own: AnyFormat | undefined, now: number): Generator<Found> {
  for (const tokens of tokensOf(text)) {
    const found = bestOf(text, tokens, own, now);
    if (found.best > 0) yield withoutScore(found);
  }
}

/** An ID once more, with what its neighbours say of it. */
export const foundAgain = (
  input: string,
  token: Token,
  own: AnyFormat | undefined,
  now: number,
  hints: readonly Hint[],
): Found => withoutScore(foundAt(input, token, own, now, hints));

/** The IDs in a text, in order of place, with what they say of one another. */
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

/** Quotes, brackets and commas around a text that is alone. */
const AROUND = /^[\s"'`“”‘’„«»<({]*(.*?)(?:(?<=\d{9})n)?[\s"'`“”‘’„«»>)},;.]*$/s;

/** A text that is one piece, with whatever can be said of it. */
function alone(input: string, own: AnyFormat | undefined, now: number): Found[] {
  const inner = AROUND.exec(input)?.[1] ?? "";
  if (inner === "" || inner.length > LONGEST || !/^(?:[\w-]+|\d{1,3}(?:,\d{3})+|\[[\d\s,]+\])$/.test(inner))
    return [];
  const start = input.indexOf(inner);
  const found = withoutScore(foundAt(input, { text: inner, start, end: start + inner.length }, own, now));
  return found.readings.length + found.notes.length > 0 ? [found] : [];
}

/** The IDs in the input of a page, at each place. A single text is taken for what it could be, however unlikely. */
export function findIn(text: string, own: AnyFormat | undefined, now: number): Found[] {
  const found = together(text, own, now);
  return found.length > 0 ? found : alone(text, own, now);
}
