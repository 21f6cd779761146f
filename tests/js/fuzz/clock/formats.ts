/** The formats under test: the identities that a story may have, and the parts of an ID by this test's own arithmetic. */
import fc from "fast-check";
import { sno } from "graupel/sno";
import { snowflake } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import type { AnyFormat } from "../../support/any-format.ts";
import { ROWS } from "../../support/formats.ts";
import { customSpec, Reference, type Spec, snowflakeSISpec } from "../../support/reference.ts";
import { formatOf, ownEpoch, type Row, specOf } from "../../support/row.ts";

type Numbers = Readonly<Record<string, number>>;

/** The variable parts of an ID. */
export interface Parts {
  readonly tick: number;
  /** The field that counts or is random. */
  readonly value: number;
  readonly tickTock: number;
  readonly metabyte: number;
  /** All bits except the metabyte, which is the user's: two IDs that differ only in it count as the same. */
  readonly key: bigint;
}

/** One of the identities in a story. */
export interface Naming {
  /** The options that make it: fixed fields, and bounds. */
  readonly options: Numbers;
  /** The fixed fields, as `inspect` names them. */
  readonly fixed: Numbers;
  /** The bounds of the sequence, and IDs between them. */
  readonly bounds: readonly [first: number, last: number];
  readonly capacity: number;
}

/** What all stories of a format have in common. */
interface Traits {
  /** The field that counts or is random, as `inspect` names it. */
  readonly counts: string;
  readonly kind: "sno" | "counter" | "random";
  /** Whether values within a tick may come in any order. */
  readonly unordered: boolean;
  /** The most bytes of a random step. */
  readonly entropy: number;
}

/** A format with the choices of one story: one or two identities. */
export interface Subject extends Traits {
  readonly format: AnyFormat;
  readonly spec: Spec;
  readonly namings: readonly Naming[];
}

/** A format under test, and how its subjects are drawn. */
export interface Family extends Traits {
  /** IDs that a tick yields, more or less. */
  readonly width: number;
  readonly subject: fc.Arbitrary<Subject>;
}

const COUNTER = { counts: "sequence", kind: "counter", unordered: false, entropy: 0 } as const;

/** Usually one, sometimes two. */
const oneOrTwo = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: 4, arbitrary: one.map((it) => [it]) }, { weight: 1, arbitrary: fc.tuple(one, one) });

/** Fields of an ID that are neither set by an option nor count. */
const NOT_SET = ["time", "unused", "tickTock", "metabyte"];

/** A format with any values in its fixed fields. */
function integers(given: unknown, spec: Spec, traits: Traits = COUNTER): fc.Arbitrary<Subject> {
  const format = given as AnyFormat;
  const places = spec.fields.filter(([name]) => name !== traits.counts && !NOT_SET.includes(name));
  const fixed = fc.record(Object.fromEntries(places.map(([name, bits]) => [name, fc.nat(2 ** bits - 1)])), {
    noNullPrototype: true,
  }) as fc.Arbitrary<Numbers>;
  return oneOrTwo(fixed).map(([one = {}, two]) => {
    const naming = (fixed: Numbers): Naming => {
      const { capacity } = format;
      return { options: fixed, fixed, bounds: [0, capacity - 1], capacity };
    };
    const differ = two !== undefined && places.some(([name]) => one[name] !== two[name]);
    return { ...traits, format, spec, namings: (differ ? [one, two] : [one]).map(naming) };
  });
}

/** A partition of sno, whole or in disjoint parts, or two partitions. */
function snos(row: Row): fc.Arbitrary<Subject> {
  const some = {
    weight: 6,
    arbitrary: fc.oneof(fc.integer({ min: 4, max: 40 }), fc.integer({ min: 4, max: 3000 })),
  };
  const choices = fc.record({
    partition: fc.nat(65_535),
    size: fc.oneof(some, { weight: 1, arbitrary: fc.constant(65_536) }),
    at: fc.constantFrom(0, 0.4, 1),
    second: fc.constantFrom(
      "none",
      "none",
      "none",
      "none",
      "none",
      "none",
      "none",
      "none",
      "part",
      "partition",
    ),
  });
  return choices.map(({ partition, size, at, second }) => {
    const naming = (partition: number, first: number): Naming => ({
      options: { partition, sequenceMin: first, sequenceMax: first + size - 1 },
      fixed: { partition },
      bounds: [first, first + size - 1],
      capacity: size,
    });
    const first = Math.floor(at * Math.max(0, 65_536 - 2 * size));
    const others =
      second === "part" && size < 65_536
        ? [naming(partition, first + size)]
        : second === "partition"
          ? [naming(partition ^ 1, first)]
          : [];
    const format = sno as unknown as AnyFormat;
    return {
      ...COUNTER,
      kind: "sno",
      format,
      spec: specOf(row),
      namings: [naming(partition, first), ...others],
    };
  });
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

/** Epochs of formats whose epoch is the user's. */
const EPOCHS = [1_047_972_019_225, 0, 1_577_836_800_000, 1_700_000_000_000, 1_999_999_999_999];
/** Snowflake-SI takes none before 1970-01-01T00:00:00.001Z. */
const LATER = EPOCHS.filter((epoch) => epoch > 0);

/** Snowflake-SI with 53 - clock - machine bits of sequence. */
const narrow = (widths: readonly (readonly [machine: number, clock: number])[], traits: Traits = COUNTER) =>
  fc.oneof(
    ...widths.flatMap(([machineBits, clockBits]) =>
      LATER.map((epoch) => {
        const format = snowflakeSI({ epoch, clockBits, machineBits });
        return integers(
          format,
          snowflakeSISpec(epoch, clockBits, machineBits, 53 - clockBits - machineBits),
          traits,
        );
      }),
    ),
  );

/** A row of the table of formats. */
function family(row: Row): Family {
  if (row.page === "sno") {
    return { ...COUNTER, kind: "sno", width: 1000, subject: snos(row) };
  }
  const { counts, random = 0 } = row;
  const traits: Traits = { ...COUNTER, counts, kind: random > 0 ? "random" : "counter", entropy: random };
  const epochs = !ownEpoch(row) ? [0] : row.page === "snowflake-si" ? LATER : EPOCHS;
  const subjects = epochs.map((epoch) => integers(formatOf(row, epoch), specOf(row, epoch), traits));
  const { capacity } = row.specified;
  const width = random > 0 ? capacity / 128 : capacity;
  return { ...traits, width, subject: fc.oneof(...subjects) };
}

const custom = LAYOUTS.flatMap(({ tickMs, fields }) =>
  [...EPOCHS, -86_400_000_000].map((epoch) =>
    integers(snowflake({ epoch, tickMs, fields }), customSpec(epoch, tickMs, fields)),
  ),
);
const keep: Traits = { ...COUNTER, unordered: true };
const KEEP = narrow([[12, 40], [11, 40], [9, 40], [5, 40]], keep); // biome-ignore format: a table

/** By the names that `--format` takes. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(ROWS.map((row) => [row.name.replace(", ", "-"), family(row)])),
  custom: { ...COUNTER, width: 100, subject: fc.oneof(...custom) },
  "snowflake-si-narrow": {
    ...COUNTER,
    width: 10,
    subject: narrow([
      [12, 40],
      [11, 41],
      [10, 40],
      [0, 40],
    ]),
  },
  "snowflake-si-keep": { ...keep, width: 10, subject: KEEP },
};

/** The value of a text of either alphabet; undefined if it is not one. The two halves are exact as numbers. */
function reader(spec: Spec): (text: string) => bigint | undefined {
  const reference = new Reference(spec);
  const { length } = reference.text(0n);
  const digits = new Map(
    Array.from({ length: 32 }, (_, i) => [reference.text(BigInt(i)).charCodeAt(length - 1), i]),
  );
  return (text) => {
    let [high, low] = [0, 0];
    for (let i = 0; i < text.length; i++) {
      const digit = digits.get(text.charCodeAt(i)) ?? Number.NaN;
      if (i < length - 8) {
        high = high * 32 + digit;
      } else {
        low = low * 32 + digit;
      }
    }
    return text.length === length && high + low >= 0 ? (BigInt(high) << 40n) | BigInt(low) : undefined;
  };
}

/** A function that takes an ID apart; it returns undefined for one that is not of the identity. */
export function splitter(
  { spec, counts }: Subject,
  { fixed, bounds }: Naming,
): (id: unknown) => Parts | undefined {
  const [first, last] = bounds;
  const read = spec.idType === "string" ? reader(spec) : undefined;
  let shift = 0n;
  let [fixedMask, fixedBits] = [0n, 0n];
  const place: Record<string, (bits: bigint) => number> = {};
  let metabyteMask = 0n;
  for (const [name, width] of [...spec.fields].reverse()) {
    const [at, mask] = [shift, (1n << BigInt(width)) - 1n];
    place[name] = (bits) => Number((bits >> at) & mask);
    if (name === "metabyte") {
      metabyteMask = mask << at;
    } else if (!["time", "tickTock", counts].includes(name)) {
      fixedMask |= mask << at;
      fixedBits |= BigInt(fixed[name] ?? 0) << at;
    }
    shift += BigInt(width);
  }
  const { time = Number, [counts]: counter = Number, tickTock, metabyte } = place;
  return (id) => {
    if (typeof id !== spec.idType || (typeof id === "number" && !Number.isSafeInteger(id))) {
      return undefined;
    }
    const bits = read === undefined ? BigInt(id as bigint | number) : read(id as string);
    if (bits === undefined || bits < 0n || bits >> shift !== 0n || (bits & fixedMask) !== fixedBits) {
      return undefined;
    }
    const value = counter(bits);
    return value < first || value > last
      ? undefined
      : {
          tick: time(bits),
          value,
          tickTock: tickTock?.(bits) ?? 0,
          metabyte: metabyte?.(bits) ?? 0,
          key: bits & ~metabyteMask,
        };
  };
}
