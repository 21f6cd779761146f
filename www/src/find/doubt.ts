/** Whether the likeliest reading is in doubt. */
import { PRIORS } from "./encoded.ts";
import type { Reading } from "./types.ts";

/** What is known of a reading without its words. */
export type Score = Pick<Reading, "key" | "title" | "encoding" | "score">;

/**
 * In bits: with hardly any lead, a reading is doubtful; with a small one, it is if it explains its text badly. Of the corpus' bare
 * numbers these are one in five, and all that are read wrongly are among them.
 */
const EVEN = 2;
const BADLY = -52;
const SMALL = 6;

/** `readings`: the likeliest first. */
export function isDoubtful([first, second]: readonly Score[]): boolean {
  if (first === undefined || second === undefined) return false;
  const lead = first.score - second.score;
  // Another way of writing costs bits of its own.
  return lead < EVEN || (lead < SMALL && first.score - PRIORS[first.encoding] < BADLY);
}
