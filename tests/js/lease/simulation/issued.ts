/** All IDs of a world, by their number: memory stays bounded, because only the ends of what each tenure issued are kept. */

/** What one tenure has issued: the first and the last ID but for its number, as (tick, sequence) in one integer. */
interface Stretch {
  readonly first: bigint;
  last: bigint;
  readonly by: string;
}

/** Two IDs of one number that are in the wrong order, or equal, or of two tenures at the same time. */
export class Repeated extends Error {}

export class Issued {
  readonly #stretches = new Map<number, Stretch[]>();
  count = 0;

  /** Records IDs of a tenure, in the order in which they were made. */
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
