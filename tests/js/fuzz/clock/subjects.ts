/** The formats under test: the options of their generators, and how their IDs are unpacked. */
import { sno } from "graupel/sno";
import { snowflake } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import type { AnyFormat } from "../../support/any-format.ts";
import { ROWS } from "../../support/formats.ts";
import type { Random } from "../../support/random.ts";
import { formatOf, ownEpoch, type Row, specOf } from "../../support/row.ts";
import { type Split, splitBigints, splitCrockford, splitNumbers, splitSno } from "./split.ts";

/** One of the generators' identities in a story. */
export interface Naming {
  /** The options that make it: fixed fields, and bounds. */
  readonly options: Readonly<Record<string, number>>;
  /** The fixed fields, as `inspect` names them. */
  readonly fixed: Readonly<Record<string, number>>;
  readonly capacity: number;
  readonly split: Split;
}

/** A format with the choices of one story. */
export interface Subject {
  readonly format: AnyFormat;
  /** The name of the sequence field in `inspect`, and the names of this format's own options. */
  readonly counts: string;
  readonly kind: "sno" | "counter" | "random";
  /** Whether values within a tick may come in any order. */
  readonly unordered: boolean;
  /** Mastodon rounds where the others floor. */
  readonly nearest: boolean;
  /** The most bytes of a random step. */
  readonly entropy: number;
  /** One or two identities. */
  readonly namings: readonly Naming[];
}

type Dress = (dice: Random) => Subject;

/** An integer format with any values in its fixed fields. */
function integers(
  dice: Random,
  given: unknown,
  counts: string,
  more: Partial<Subject> & { readonly splitter?: typeof splitBigints; readonly unset?: string } = {},
): Subject {
  const format = given as AnyFormat;
  const { fields } = format.layout;
  const { splitter = splitBigints, unset, ...rest } = more;
  const places = fields.slice(1).filter(({ name }) => name !== counts && name !== unset);
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
    entropy: 0,
    namings: [one, ...two],
    ...rest,
  };
}

/** A partition, whole or in disjoint parts. */
function snos(dice: Random): Subject {
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
    entropy: 0,
    namings: [one, ...two],
  };
}

/** Custom layouts: long and short lives, wide and narrow sequences, in the lowest bits and in the middle. */
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

/** Custom epochs. */
const EPOCHS = [0, 1_047_972_019_225, 1_577_836_800_000, 1_700_000_000_000, 1_999_999_999_999];

const si = (machineBits: number, clockBits: number, dice: Random, unordered = false): Subject => {
  const format = snowflakeSI({ epoch: dice.pick(EPOCHS.slice(1)), clockBits, machineBits });
  return integers(dice, format, "sequence", { splitter: splitNumbers, unordered });
};

/** How a row's IDs are unpacked, by their type. */
const SPLITTERS = { bigint: splitBigints, number: splitNumbers, string: splitCrockford } as const;

/** A row, with a random epoch if the user chooses it. */
const ofRow = (row: Row) => (dice: Random) => {
  const format = formatOf(
    row,
    ownEpoch(row) ? dice.pick(EPOCHS.slice(row.page === "snowflake-si" ? 1 : 0)) : 0,
  );
  const { idType, rounds = false } = specOf(row);
  return integers(dice, format, row.counts, {
    splitter: SPLITTERS[idType],
    // The layout of Nanoflake's published programs has two unused bits.
    unset: "unused",
    kind: row.random === undefined ? "counter" : "random",
    nearest: rounds,
    entropy: row.random ?? 0,
  });
};

/** By the names that `--format` takes. */
export const SUBJECTS: Readonly<Record<string, Dress>> = {
  ...Object.fromEntries(
    ROWS.map((row) => [row.name.replace(", ", "-"), row.page === "sno" ? snos : ofRow(row)]),
  ),
  custom: (dice) => {
    const { tickMs, fields } = dice.pick(LAYOUTS);
    return integers(
      dice,
      snowflake({ epoch: dice.pick([...EPOCHS, -86_400_000_000]), tickMs, fields }),
      "sequence",
    );
  },
  "snowflake-si-narrow": (dice) =>
    dice.pick([
      () => si(12, 40, dice),
      () => si(11, 41, dice),
      () => si(10, 40, dice),
      () => si(0, 40, dice),
    ])(),
  "snowflake-si-keep": (dice) => si(dice.pick([12, 11, 9, 5]), 40, dice, true),
};
