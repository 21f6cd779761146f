/**
 * All IDs of a world, by number. Memory stays bounded, because only the first and last ID of each
 * tenure are kept.
 */

/**
 * The first and last ID that a tenure issued, without the number, as an integer of (tick,
 * sequence).
 */
interface Stretch {
  readonly first: bigint;
  last: bigint;
  readonly by: string;
}

/** Two IDs of one number are equal, out of order, or from overlapping tenures. */
export class Repeated extends Error {}

export class Issued {
  readonly #stretches = new Map<number, Stretch[]>();
  count = 0;

  /** Records the IDs of a tenure in the order in which they were issued. */
  add(number: number, by: string, places: readonly bigint[]): void {
    const list = this.#stretches.get(number) ?? [];
    this.#stretches.set(number, list);
    const [first = 0n] = places;
    const known = list.find((one) => one.by === by);
    const own = known ?? { first, last: first - 1n, by };
    if (known === undefined) list.push(own);
    const fail = (what: string) => {
      throw new Repeated(`number ${number}: ${by} issued ${what}`);
    };
    for (const place of places) {
      if (place <= own.last) fail(`${place} after ${own.last}`);
      own.last = place;
    }
    const other = list.find((one) => one !== own && one.first <= own.last && own.first <= one.last);
    if (other) fail(`${own.first} to ${own.last}, and ${other.by} ${other.first} to ${other.last}`);
    this.count += places.length;
  }
}
