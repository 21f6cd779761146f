/**
 * Evidence from the other IDs of a text. A service writes its IDs after the same name or into the
 * same column, and IDs of about the same time have similar values. An ambiguous ID is therefore
 * likely to be of the same kind as the other IDs of its series. The same ID at two positions is one
 * ID.
 */
import type { Hint } from "./context.ts";
import { isDoubtful, type Score } from "./doubt.ts";
import { type Position, positionOf } from "./position.ts";
import type { Found } from "./types.ts";

/** An ID as plain data. A log has many of these. */
export interface Sighting {
  readonly text: string;
  readonly position: Position;
  /** The scores, best first. */
  readonly scores: readonly Score[];
}

/**
 * The maximum weight of one ID, and of all IDs together, in bits. It is less than the weight of an
 * ID's address.
 */
const MOST = 20;
/** Less evidence than this is not mentioned. */
const LEAST = 1;
/** The difference between two IDs with 22 bits below the milliseconds, a day apart. */
const NEAR = 86_400_000 * 2 ** 22;

/** The readings that are not much less likely than the best one. */
const within = (readings: readonly Score[]): Score[] => {
  const best = readings[0]?.score ?? 0;
  return readings
    .filter(({ score }) => score > best - MOST)
    .map(({ key, title, encoding, score }) => ({ key, title, encoding, score }));
};

export const sightingOf = (input: string, { text, start, readings }: Found): Sighting => ({
  text,
  position: positionOf(input, start),
  scores: within(readings),
});

const byScore = (a: Score, b: Score): number => b.score - a.score;

/**
 * The evidence of an ID for each of its readings, in bits: 0 for the likeliest reading, less for
 * the others, and at least `-MOST`.
 */
const sayingsOf = (scores: readonly Score[]): (readonly [key: string, bits: number])[] =>
  scores.map(({ key, score }) => [key, Math.max(-MOST, score - (scores[0]?.score ?? 0))] as const);

/** IDs that belong together, and their combined evidence. Each ID counts once. */
class Series {
  readonly words: string;
  #count = 0;
  /**
   * For each reading: how much better it explains the IDs than a reading that scores `-MOST` for
   * each of them.
   */
  readonly #sums = new Map<string, number>();

  constructor(words: string) {
    this.words = words;
  }

  add(scores: readonly Score[]): void {
    this.#count += 1;
    for (const [key, bits] of sayingsOf(scores))
      this.#sums.set(key, (this.#sums.get(key) ?? 0) + bits + MOST);
  }

  /** The evidence of the other IDs for one ID of the series. */
  hintFor(scores: readonly Score[]): Hint | undefined {
    const others = sayingsOf(scores)
      .map(([key, bits]) => ({ key, sum: (this.#sums.get(key) ?? 0) - bits - MOST }))
      .sort((a, b) => b.sum - a.sum);
    const [first, second] = others;
    if (first === undefined || second === undefined || this.#count < 2) return undefined;
    const bits = Math.min(MOST, first.sum - second.sum);
    if (bits < LEAST) return undefined;
    const title = scores.find(({ key }) => key === first.key)?.title.replace(/, .*/, "");
    const reason = `Other IDs ${this.words} are ${title} IDs.`;
    return { for: first.key, bits, reason };
  }
}

export class Neighbours {
  /** Each ID once. A reading has the best score among the ID's positions. */
  readonly #scores = new Map<string, readonly Score[]>();
  readonly #positions = new Map<string, Sighting["position"] & { readonly texts: Set<string> }>();
  /**
   * The series by position, and the series by ID for close numbers; undefined until they are needed
   * again.
   */
  #series: { readonly at: Map<string, Series>; readonly near: Map<string, Series> } | undefined;

  add({ text, position, scores }: Sighting): void {
    this.#series = undefined;
    const before = this.#scores.get(text);
    this.#scores.set(text, before === undefined ? scores : bestOf(before, scores));
    const here = this.#positions.get(position.key) ?? { ...position, texts: new Set() };
    this.#positions.set(position.key, here);
    here.texts.add(text);
  }

  /** The evidence of the other IDs for one ID; empty if it changes nothing. */
  hintsFor({ text, position, scores }: Sighting): readonly Hint[] {
    if (scores.length < 2) return [];
    this.#series ??= this.#arranged();
    const { at, near } = this.#series;
    const all = this.#scores.get(text) ?? scores;
    const elsewhere = hintFrom(scores, all);
    const hints = [at.get(position.key), near.get(text)].flatMap((series) => series?.hintFor(all) ?? []);
    // Both series may have the same members, so only the stronger hint counts.
    const strongest = hints.sort((a, b) => b.bits - a.bits)[0];
    const given = [...elsewhere, ...(strongest === undefined ? [] : [strongest])];
    return given.length > 0 && changes(scores, given) ? given : [];
  }

  #arranged() {
    const at = new Map<string, Series>();
    for (const [key, { words, texts }] of this.#positions) {
      const series = new Series(words);
      for (const text of texts) series.add(this.#scores.get(text) ?? []);
      at.set(key, series);
    }
    return { at, near: this.#near() };
  }

  #near(): Map<string, Series> {
    const near = new Map<string, Series>();
    const numbers = [...this.#scores.keys()].filter((text) => /^\d{15,20}$/.test(text));
    let last = Number.NEGATIVE_INFINITY;
    let series = new Series("");
    for (const text of numbers.sort((a, b) => Number(a) - Number(b))) {
      if (Number(text) - last > NEAR) series = new Series("that are close to it");
      series.add(this.#scores.get(text) ?? []);
      near.set(text, series);
      last = Number(text);
    }
    return near;
  }
}

/** The better score of each reading. */
function bestOf(one: readonly Score[], other: readonly Score[]): readonly Score[] {
  const best = new Map(one.map((score) => [score.key, score]));
  for (const score of other)
    if (score.score > (best.get(score.key)?.score ?? -Infinity)) best.set(score.key, score);
  return within([...best.values()].sort(byScore));
}

/** The evidence of the same ID at another position. */
function hintFrom(here: readonly Score[], all: readonly Score[]): Hint[] {
  const own = here.find(({ key }) => key === all[0]?.key);
  const [best] = all;
  if (own === undefined || best === undefined || best.score <= own.score) return [];
  const reason = `Elsewhere in this text, it is a ${best.title.replace(/, .*/, "")} ID.`;
  return [{ for: best.key, bits: best.score - own.score, reason }];
}

/**
 * Whether hints change the likeliest reading. This is always true if it is in doubt, with or
 * without the hints.
 */
function changes(scores: readonly Score[], hints: readonly Hint[]): boolean {
  const hinted = scores.map((one) => {
    const bits = hints.reduce((sum, hint) => sum + (hint.for === one.key ? hint.bits : 0), 0);
    return { ...one, score: one.score + bits };
  });
  return isDoubtful(scores) || isDoubtful(hinted) || hinted.sort(byScore)[0]?.key !== scores[0]?.key;
}
