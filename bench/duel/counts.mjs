// Counts the results of a contestant in a story.

import { repeatedAmong } from "../../tests/support/issued.mjs";

/** The kind of an error: its code, or the first words of its message. */
export function kindOf(error) {
  const text = error?.code ?? error?.message ?? String(error);
  return String(text)
    .split(/[.:(]|\d/)[0]
    .trim()
    .slice(0, 60);
}

/** Adds up the numbers of errors by kind. */
export function added(all) {
  const kinds = {};
  for (const [kind, times] of all.flatMap(Object.entries)) kinds[kind] = (kinds[kind] ?? 0) + times;
  return kinds;
}

export const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);

/** The IDs of one generator, in order, and its errors. */
export class Issue {
  ids = [];
  kinds = {};
  hung = false;
  /** The longest call, in milliseconds of the story. */
  longest = 0;

  fail(error) {
    const kind = kindOf(error);
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
  }

  /** Generates one ID, and records it or the error. Returns a promise if the generator does. */
  call(next, sortable = (id) => id) {
    try {
      const id = next();
      if (!(id instanceof Promise)) this.ids.push(sortable(id));
      else return id.then((later) => void this.ids.push(sortable(later))).catch((error) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Counts the inversions, which are IDs below their predecessor. `explains(before, after)`:
   * whether there is a known reason for an inversion.
   */
  ordered(explains = () => false) {
    const { ids, kinds, hung, longest } = this;
    const falls = ids.flatMap((id, i) => (i > 0 && id < ids[i - 1] ? [explains(ids[i - 1], id)] : []));
    const explained = falls.filter(Boolean).length;
    return { ids, kinds, hung, longest, explained, inversions: falls.length - explained };
  }
}

/**
 * The counts of generators that ran at the same time. Duplicates are counted across all generators,
 * inversions within each.
 */
export function countsOf(all) {
  const kinds = added(all.map((one) => one.kinds));
  const total = (key) => sum(all.map((one) => one[key]));
  return {
    issued: sum(all.map(({ ids }) => ids.length)),
    duplicates: repeatedAmong(all.flatMap(({ ids }) => ids)),
    inversions: total("inversions"),
    explained: total("explained"),
    errors: sum(Object.values(kinds)),
    kinds,
    longest: Math.max(...all.map(({ longest }) => longest)),
    hung: all.some(({ hung }) => hung),
  };
}

/**
 * The sums over a contestant's stories, without counts that no story has. `hung`: the stories in
 * which a call hung.
 */
export function sums(results) {
  const counted = (key) => results.map((result) => result[key]).filter((count) => count !== undefined);
  const keys = ["issued", "duplicates", "inversions", "explained", "errors", "hung"];
  const totals = keys.map((key) => [key, sum(counted(key).map(Number))]);
  return { ...Object.fromEntries(totals), "longest ms": Math.round(Math.max(0, ...counted("longest"))) };
}
