/** The IDs in a text: in a log, for example. */
import type { AnyFormat } from "../lib/formats.ts";
import { type Candidate, candidatesOf } from "./candidates.ts";
import { type Foreign, foreign } from "./foreign.ts";

export interface Found {
  readonly text: string;
  readonly candidates: readonly Candidate[];
  readonly foreign: Foreign | undefined;
}

/** Whatever could be an ID: a UUID has hyphens between its digits. */
const WORDS = /[0-9A-Za-z]+(?:-[0-9A-Za-z]+)*/g;
/** Shorter texts in a log are numbers of something else, longer ones no ID. */
const [SHORTEST, LONGEST] = [10, 40];
/** So many IDs are listed. */
export const MOST = 200;

/** Quotes, commas and Discord's mentions around a single ID. */
export const unwrapped = (text: string): string =>
  text
    .trim()
    .replace(/^<(?:@[!&]?|#|a?:\w+:)(\d+)>$/, "$1")
    .replace(/^["'`“”‘’]+|["'`“”‘’]?[,;]?$/g, "")
    .replace(/^(\d+)n$/, "$1");

/** The texts in a log that are IDs, each once, with the likeliest formats. A word without a digit is no ID there. */
function inLog(text: string, own: AnyFormat | undefined, now: number): Found[] {
  const found = new Map<string, Found>();
  for (const [word] of text.matchAll(WORDS)) {
    if (found.size === MOST) break;
    const parts = /^[0-9a-f-]{36}$/i.test(word) ? [word] : word.split("-");
    for (const part of parts) {
      if (found.has(part) || part.length < SHORTEST || part.length > LONGEST || !/\d/.test(part)) continue;
      const other = foreign(part);
      const candidates = candidatesOf(part, own, now).filter(({ plausible }) => plausible);
      if (other !== undefined || candidates.length > 0)
        found.set(part, { text: part, candidates, foreign: other });
    }
  }
  return [...found.values()];
}

/** One ID with all its formats, or the IDs of a log. Empty if there is nothing. */
export function findIn(text: string, own: AnyFormat | undefined, now: number): Found[] {
  const single = unwrapped(text);
  if (single === "") return [];
  if (/\s/.test(single)) return inLog(text, own, now);
  return [{ text: single, candidates: candidatesOf(single, own, now), foreign: foreign(single) }];
}
