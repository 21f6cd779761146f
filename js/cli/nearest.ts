/** "Did you mean": finds the known name that is nearest to a misspelled one. */

/**
 * The most edits that count as a misspelling. Short names allow one edit for every three letters.
 */
const mostEdits = 3;

/**
 * The name that was probably meant: one with few edits, or one that begins with the typed text.
 * Ignores case.
 */
export function nearest(typed: string, names: Iterable<string>): string | undefined {
  const wanted = typed.toLowerCase();
  let limit = Math.min(mostEdits, Math.floor(wanted.length / 3));
  let found: string | undefined;
  for (const name of names) {
    const known = name.toLowerCase();
    if (Math.abs(known.length - wanted.length) > limit && !known.startsWith(wanted)) continue;
    const edits = wanted.length > 1 && known.startsWith(wanted) ? 0 : distance(wanted, known);
    if (edits < limit || (edits === limit && found === undefined)) {
      found = name;
      limit = edits;
    }
  }
  return found;
}

/** The end of an error message: the nearest name, if there is one. */
export function didYouMean(typed: string, names: Iterable<string>): string {
  const name = nearest(typed, names);
  return name === undefined ? "" : `; did you mean ${name}?`;
}

/**
 * The number of edits between two words: insert, delete or change a letter, or swap two neighbours.
 */
function distance(a: string, b: string): number {
  // One row of the table for each letter of `a`. A swap needs the row before the last.
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : change;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
