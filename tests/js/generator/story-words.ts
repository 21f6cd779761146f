// The words of the answers in tests/stories/*.json; tests/stories/README.md explains them.

/** The words of the stories for codes. */
export const WORDS: Readonly<Record<string, string>> = {
  CLOCK_BACKWARDS: "back",
  SEQUENCE_FULL: "full",
  TIME_TAKEN: "taken",
  OUTSIDE_INTERVAL: "outside",
  BEFORE_EPOCH: "before",
  END_OF_LIFE: "ended",
};

/** One word of the answer: a refusal, or consecutive IDs of one tick. */
export interface Heard {
  /** The refusal, or the wait of the first ID. */
  readonly before: string;
  /** The tick, after an @ for a given time; and the tick-tock bit. */
  readonly tick?: string;
  readonly mark?: string;
  readonly first?: number;
  last?: number;
}

export const said = ({ before, tick, mark, first, last }: Heard): string =>
  tick === undefined ? before : `${before}${tick}.${first}${last === first ? "" : `-${last}`}${mark}`;

/** The numbers that are not 0, by name. */
export const nonzero = (numbers: Readonly<Record<string, number>>): string =>
  `(${Object.entries(numbers)
    .filter(([, number]) => number !== 0)
    .map(([name, number]) => `${name}=${number}`)
    .join()})`;
