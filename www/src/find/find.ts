/** Finds the IDs in a text, and what each can be. */
import type { AnyFormat } from "../lib/formats.ts";
import { type Hint, hintsFor } from "./context.ts";
import { type FamilyID, familyIn } from "./family.ts";
import { type ForeignID, foreignIn } from "./foreign/index.ts";
import { noise } from "./noise.ts";
import { notesOn } from "./notes.ts";
import { LONGEST, type Token, tokensOf } from "./token.ts";
import type { Encoding, Found, Reading } from "./types.ts";
import { type Evidence, when } from "./weigh.ts";

export type { Encoding, FamilyReading, ForeignReading, Found, Reading } from "./types.ts";

/** A reading, and how well it explains its text, in bits. */
interface Scored {
  readonly score: number;
  readonly reading: Reading & { isDoubtful: boolean };
}

/**
 * The likeliest reading is doubtful if it explains its text badly, and the next one hardly worse, in bits. Of the corpus' bare numbers
 * these are one in five, and all that are read wrongly are among them.
 */
const BADLY = -52;
const HARDLY = 6;

const isDoubtful = ([first, second]: readonly Scored[]): boolean =>
  first !== undefined &&
  second !== undefined &&
  // Another way of writing costs bits of its own.
  first.reading.encoding === "text" &&
  first.score < BADLY &&
  first.score - second.score < HARDLY;

const sentences = (evidence: readonly Evidence[]): string[] =>
  [...evidence].sort((a, b) => Math.abs(b.bits) - Math.abs(a.bits)).map(({ reason }) => reason);

const sum = (hints: readonly Hint[]): number => hints.reduce((total, { bits }) => total + bits, 0);

const hintsOn = (hints: readonly Hint[], key: string): readonly Hint[] =>
  hints.filter((hint) => hint.for === key);

/** How an encoding is said; nothing for plain digits. */
const WRITTEN: Readonly<Partial<Record<Encoding, string>>> = {
  hex: "in hexadecimal",
  "0x": "in hexadecimal",
  "base 36": "in base 36",
  binary: "in binary",
  base64url: "in base64url",
  bytes: "as bytes",
  UUID: "as a UUID",
  shortcode: "as a short code",
};

function ofFamily(one: FamilyID, hints: readonly Hint[], nothing: number): Scored {
  const { key, title, encoding, timestamp, format, id } = one;
  const mine = hintsOn(hints, format.name);
  // A format of one's own comes first, because it was asked for.
  const score = one.score + sum(mine) + (key === "own" ? 40 : 0);
  const reading: Scored["reading"] = {
    kind: "family",
    key,
    title,
    encoding,
    timestamp,
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
  return { score, reading };
}

function ofForeign(one: ForeignID, nothing: number, now: number): Scored {
  const { key, title, encoding, timestamp, fields, values, integer, width, text, score } = one;
  const reading: Scored["reading"] = {
    kind: "foreign",
    key,
    title,
    encoding,
    timestamp,
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
  return { score, reading };
}

/** What a token can be, with all its readings. */
function foundAt(
  input: string,
  token: Token,
  own: AnyFormat | undefined,
  now: number,
): Found & { readonly best: number } {
  const { text, start, end } = token;
  const hints = hintsFor(input, start, end);
  const nothing = noise(text, now) + sum(hintsOn(hints, "none"));
  const other = foreignIn(text, now);
  const scored = [
    ...familyIn(text, own, now).map((one) => ofFamily(one, hints, nothing)),
    ...(other === undefined ? [] : [ofForeign(other, nothing, now)]),
  ].sort((a, b) => b.score - a.score);
  if (scored[0] !== undefined) scored[0].reading.isDoubtful = isDoubtful(scored);
  const readings = scored.map(({ reading }) => reading);
  const best = (scored[0]?.score ?? -Infinity) - nothing;
  return { text, start, end, readings, notes: notesOn(text, best > 0, now), best };
}

/** The best of several ways to cut a piece. */
function bestOf(input: string, tokens: readonly Token[], own: AnyFormat | undefined, now: number) {
  const all = tokens.map((token) => foundAt(input, token, own, now));
  return all.reduce((best, one) => (one.best > best.best ? one : best));
}

const withoutScore = ({ best, ...found }: Found & { readonly best: number }): Found => found;

/** The IDs in a text, in order of place, repeats included. */
export function* eachIn(text: string, own: AnyFormat | undefined, now: number): Generator<Found> {
  for (const tokens of tokensOf(text)) {
    const found = bestOf(text, tokens, own, now);
    if (found.best > 0) yield withoutScore(found);
  }
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

/** The IDs in the input of a page, each text once. A single text is taken for what it could be, however unlikely. */
export function findIn(text: string, own: AnyFormat | undefined, now: number): Found[] {
  const found = new Map<string, Found>();
  for (const one of eachIn(text, own, now)) if (!found.has(one.text)) found.set(one.text, one);
  return found.size > 0 ? [...found.values()] : alone(text, own, now);
}
