/** The formats under test: what their generators take, and how their IDs are taken apart. */
import { nanoflake } from "graupel/nanoflake";
import { sno } from "graupel/sno";
import { discord, instagram, mastodon, snowflake, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";
import type { Dice } from "./dice.ts";
import { type Field, type Split, splitBigints, splitCrockford, splitNumbers, splitSno } from "./split.ts";

/** An ID of any format. */
export type Id = string | bigint | number;

/** A generator of any format. */
export interface AnyGenerator {
  next(metabyte?: number): Id;
  nextText(metabyte?: number): string;
  nextMany(n: number, metabyte?: number): ArrayLike<Id>;
  nextManyText(n: number, metabyte?: number): string[];
  nextAsync(options?: object): Promise<Id>;
  at(time: number | Date, metabyte?: number): Id;
  snapshot(): object;
  stats(): { issued: number; waits: number; clockRegressions: number; overflows: number };
  /** sno's. */
  sequence?(): number;
  len?(): number;
}

/** A format of any kind, as far as the stories need it. */
export interface AnyFormat {
  readonly epoch: number;
  readonly endOfLife: number;
  readonly capacity: number;
  readonly layout: { readonly tickMs: number; readonly fields: readonly Field[] };
  generator(options: object): AnyGenerator;
  parse(x: unknown): Id;
  isValid(x: unknown): boolean;
  inspect(id: Id): { readonly [field: string]: unknown };
  format(id: Id): string;
}

/** One of the generators' identities in a story. */
export interface Naming {
  /** The options that make it: fixed fields, and bounds. */
  readonly options: Readonly<Record<string, number>>;
  /** What `inspect` says of the fixed fields. */
  readonly fixed: Readonly<Record<string, number>>;
  readonly capacity: number;
  readonly split: Split;
}

/** A format, dressed for one story. */
export interface Subject {
  readonly format: AnyFormat;
  /** Names of the fields that `inspect` calls the sequence, and of the options of this format alone. */
  readonly counts: string;
  readonly kind: "sno" | "counter" | "random";
  /** Whether values within a tick come in any order. */
  readonly unordered: boolean;
  /** Mastodon rounds where the others floor. */
  readonly nearest: boolean;
  /** Whether its generators hold when the clock goes back, if not told otherwise. */
  readonly holds: boolean;
  /** Bytes that a random step may have. */
  readonly entropy: number;
  /** One or two identities. */
  readonly namings: readonly Naming[];
}

type Dress = (dice: Dice) => Subject;

/** An integer format with any values in its fixed fields. */
function integers(
  dice: Dice,
  given: unknown,
  counts: string,
  more: Partial<Subject> & { readonly splitter?: typeof splitBigints } = {},
): Subject {
  const format = given as AnyFormat;
  const { fields } = format.layout;
  const { splitter = splitBigints, ...rest } = more;
  const places = fields.slice(1).filter(({ name }) => name !== counts);
  const naming = (before?: Naming): Naming => {
    const fixed: Record<string, number> = {};
    for (const { name, bits } of places) {
      fixed[name] = dice.chance(0.2) ? dice.pick([0, 2 ** bits - 1]) : dice.below(2 ** bits);
    }
    const first = places[0];
    if (before !== undefined && first !== undefined && fixed[first.name] === before.fixed[first.name]) {
      fixed[first.name] = (before.fixed[first.name] as number) === 0 ? 1 : 0;
    }
    return { options: fixed, fixed, capacity: format.capacity, split: splitter(fields, counts, fixed) };
  };
  const one = naming();
  const two = places.length > 0 && dice.chance(0.2) ? [naming(one)] : [];
  return {
    format,
    counts,
    kind: "counter",
    unordered: false,
    nearest: false,
    holds: true,
    entropy: 0,
    namings: [one, ...two],
    ...rest,
  };
}

/** A partition, whole or in disjoint parts. */
function snos(dice: Dice): Subject {
  const format = sno as unknown as AnyFormat;
  const partition = dice.chance(0.2) ? dice.pick([0, 65_535]) : dice.below(65_536);
  const naming = (partition: number, first: number, last: number): Naming => ({
    options: { partition, sequenceMin: first, sequenceMax: last },
    fixed: { partition },
    capacity: last - first + 1,
    split: splitSno(partition, first, last),
  });
  const size = dice.chance(0.15) ? 65_536 : Math.min(3 + dice.size(3000), 30_000);
  const first = size === 65_536 ? 0 : dice.pick([0, dice.below(65_537 - 2 * size), 65_536 - 2 * size]);
  const one = naming(partition, first, first + size - 1);
  const second = () =>
    size < 32_768 && dice.chance(0.5)
      ? naming(partition, first + size, first + 2 * size - 1)
      : naming(partition ^ 1, first, first + size - 1);
  const two = dice.chance(0.2) ? [second()] : [];
  return {
    format,
    counts: "sequence",
    kind: "sno",
    unordered: false,
    nearest: false,
    holds: false,
    entropy: 0,
    namings: [one, ...two],
  };
}

/** Layouts of one's own: long and short lives, wide and narrow sequences, at the bottom and in the middle. */
const LAYOUTS = [
  { tickMs: 1, fields: { time: 41, region: 4, worker: 6, sequence: 12 } },
  { tickMs: 10, fields: { time: 12, sequence: 3, node: 6 } },
  { tickMs: 1, fields: { time: 42, sequence: 2, first: 10, second: 10 } },
  { tickMs: 4, fields: { time: 30, shard: 5, sequence: 5 } },
  { tickMs: 1, fields: { time: 50, sequence: 4, node: 3 } },
  { tickMs: 1000, fields: { time: 20, sequence: 1 } },
  { tickMs: 1, fields: { time: 40, node: 4, sequence: 20 } },
  { tickMs: 3, fields: { time: 8, sequence: 9, node: 1 } },
] as const;

/** Epochs of one's own, whole milliseconds. */
const EPOCHS = [0, 1_047_972_019_225, 1_577_836_800_000, 1_700_000_000_000, 1_999_999_999_999];

const si = (machineBits: number, clockBits: number, dice: Dice, unordered = false): Subject => {
  const format = snowflakeSI({ epoch: dice.pick(EPOCHS.slice(1)), clockBits, machineBits });
  return integers(dice, format, "sequence", { splitter: splitNumbers, unordered });
};

/** By the names that the command line knows. */
export const SUBJECTS: Readonly<Record<string, Dress>> = {
  sno: snos,
  nanoflake: (dice) => {
    const layout = dice.chance(0.1) ? "reference-24" : undefined;
    const format = nanoflake({ epoch: dice.pick(EPOCHS), layout });
    const subject = integers(dice, format, "sequence", { holds: false });
    return layout === undefined ? subject : unused(subject, format as unknown as AnyFormat);
  },
  twitter: (dice) => integers(dice, twitter, "sequence", { holds: false }),
  discord: (dice) => integers(dice, discord, "increment"),
  instagram: (dice) => integers(dice, instagram, "sequence"),
  mastodon: (dice) => integers(dice, mastodon, "sequenceData", { nearest: true }),
  custom: (dice) => {
    const { tickMs, fields } = dice.pick(LAYOUTS);
    return integers(
      dice,
      snowflake({ epoch: dice.pick([...EPOCHS, -86_400_000_000]), tickMs, fields }),
      "sequence",
    );
  },
  "snowflake-si": (dice) => si(5, 40, dice),
  "snowflake-si-narrow": (dice) =>
    dice.pick([
      () => si(12, 40, dice),
      () => si(11, 41, dice),
      () => si(10, 40, dice),
      () => si(0, 40, dice),
    ])(),
  "snowflake-si-keep": (dice) => si(dice.pick([12, 11, 9, 5]), 40, dice, true),
  "ulid-flake": (dice) =>
    integers(dice, ulidFlake, "randomness", {
      splitter: splitCrockford,
      kind: "random",
      holds: false,
      entropy: 3,
    }),
  "ulid-flake-scalable": (dice) =>
    integers(dice, ulidFlakeScalable, "randomness", {
      splitter: splitCrockford,
      kind: "random",
      holds: false,
      entropy: 2,
    }),
};

/** The layout of the published programs has two bits between the fields that nobody sets. */
function unused(subject: Subject, format: AnyFormat): Subject {
  const namings = subject.namings.slice(0, 1).map((naming): Naming => {
    const { generatorId } = naming.fixed as { generatorId: number };
    const fixed = { generatorId };
    return {
      ...naming,
      options: fixed,
      fixed,
      split: splitBigints(format.layout.fields, subject.counts, fixed),
    };
  });
  return { ...subject, namings };
}
