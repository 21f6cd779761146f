// The counts of one contestant in one story.

/** The kind of an error: its code, or the first words of its message. */
function kindOf(error) {
  const text = error?.code ?? error?.message ?? String(error);
  return String(text)
    .split(/[.:(]|\d/)[0]
    .trim()
    .slice(0, 60);
}

/** Collects IDs in the order of issue, and errors. `explains(before, after)`: whether an inversion has a known reason. */
export class Tally {
  #ids = [];
  #explains;
  #errors = new Map();
  hung = false;
  /** The longest call, in the story's milliseconds. */
  longest = 0;

  constructor(explains = () => false) {
    this.#explains = explains;
  }

  get ids() {
    return this.#ids;
  }

  /** How often each kind of error was thrown. */
  get kinds() {
    return this.#errors;
  }

  add(id) {
    this.#ids.push(id);
  }

  fail(error) {
    const kind = kindOf(error);
    this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + 1);
  }

  /** The counts. An inversion is an ID below the one issued just before it. */
  counts() {
    const ids = this.#ids;
    let inversions = 0;
    let explained = 0;
    for (let i = 1; i < ids.length; i++) {
      if (ids[i] >= ids[i - 1]) continue;
      if (this.#explains(ids[i - 1], ids[i])) explained++;
      else inversions++;
    }
    return {
      issued: ids.length,
      duplicates: ids.length - new Set(ids).size,
      inversions,
      explained,
      errors: [...this.#errors.values()].reduce((sum, count) => sum + count, 0),
      kinds: Object.fromEntries(this.#errors),
      longest: this.longest,
      hung: this.hung,
    };
  }
}

/** The counts of parallel threads together: duplicates across all of them, order within each. */
export function together(threads) {
  const sum = (key) => threads.reduce((total, { counts }) => total + counts[key], 0);
  const kinds = {};
  for (const { counts } of threads) {
    for (const [kind, count] of Object.entries(counts.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  const issued = sum("issued");
  return {
    issued,
    duplicates: issued - new Set(threads.flatMap(({ ids }) => ids)).size,
    inversions: sum("inversions"),
    explained: sum("explained"),
    errors: sum("errors"),
    kinds,
    longest: Math.max(...threads.map(({ counts }) => counts.longest)),
    hung: threads.some(({ counts }) => counts.hung),
  };
}
