/** Decides whether the likeliest reading is in doubt. */
import { PRIORS } from "./encoded.ts";
import { isLong, LONG } from "./noise.ts";
import type { Certainty, Reading } from "./types.ts";

/** The facts of a reading, without its texts. */
export type Score = Pick<Reading, "key" | "title" | "encoding" | "score">;

/**
 * In bits. A reading with hardly any lead is doubtful. A reading with a small lead is doubtful if
 * it explains its text badly. With these bounds, one in five bare numbers of the corpus is
 * doubtful, including all that are read wrongly.
 */
const EVEN = 2;
const BADLY = -52;
const SMALL = 6;

/** `readings`: ordered from the likeliest to the least likely. */
export function isDoubtful([first, second]: readonly Score[]): boolean {
  if (first === undefined || second === undefined) return false;
  const lead = first.score - second.score;
  // An unusual notation costs additional bits.
  return lead < EVEN || (lead < SMALL && first.score - PRIORS[first.encoding] < BADLY);
}

/**
 * The minimum lead of a sure reading over a text that is not an ID, in bits. One in 500 random
 * texts of the same form has this lead by chance.
 */
const SURE = 9;

/**
 * `nothing`: the score of the text as not an ID. Most long numbers are IDs, but that alone does not
 * make this one an ID.
 */
export function certaintyOf(text: string, [first]: readonly Reading[], nothing: number): Certainty {
  if (first === undefined || !first.plausible) return "none";
  if (first.key === "own") return "sure";
  const random = nothing + (isLong(text) ? LONG : 0) + (/^[0-9a-f]{24}$/i.test(text) ? 6 : 0);
  return !first.isDoubtful && first.score - random >= SURE ? "sure" : "likely";
}
