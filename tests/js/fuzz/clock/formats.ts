/** The formats under test, and the identities that a story may have. */
import fc from "fast-check";
import { sno } from "graupel/sno";
import { snowflake } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import type { AnyFormat } from "../../support/any-format.ts";
import { ROWS } from "../../support/formats.ts";
import { customSpec, Reference, type Spec, snowflakeSISpec } from "../../support/reference.ts";
import { formatOf, ownEpoch, type Row, specOf } from "../../support/row.ts";

type Numbers = Readonly<Record<string, number>>;

/** One of the identities in a story. */
export interface Naming {
  /** The options that make it: fixed fields, and bounds. */
  readonly options: Numbers;
  /** The fields that all of its IDs have in common, as `inspect` names them. */
  readonly fixed: Numbers;
  /** The smallest and the largest sequence. */
  readonly first: number;
  readonly last: number;
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
  /** IDs that a tick yields, more or less. */
  readonly width: number;
}

/** A format with the choices of one story: one or two identities. */
export interface Subject extends Traits {
  readonly format: AnyFormat;
  readonly spec: Spec;
  readonly reference: Reference;
  readonly namings: readonly Naming[];
}

/** A format under test, and how its subjects are drawn. */
export interface Family extends Traits {
  readonly subjects: fc.Arbitrary<Subject>;
}

const COUNTER: Traits = { counts: "sequence", kind: "counter", unordered: false, entropy: 0, width: 10 };

/** A format with any values in its fixed fields; sometimes with others beside them. */
function integers(given: unknown, spec: Spec, traits: Traits): fc.Arbitrary<Subject> {
  const [format, reference] = [given as AnyFormat, new Reference(spec)];
  const value = (bits: number) => fc.oneof(fc.nat(2 ** bits - 1), fc.constantFrom(0, 2 ** bits - 1));
  const places = spec.fields.filter(([name]) => !["time", "unused", traits.counts].includes(name));
  const values = Object.fromEntries(places.map(([name, bits]) => [name, value(bits)]));
  const fixed: fc.Arbitrary<Numbers> = fc.record(values, { noNullPrototype: true });
  const one = { weight: 5, arbitrary: fc.tuple(fixed) };
  const two = fc.uniqueArray(fixed, { minLength: 1, maxLength: 2, selector: (all) => JSON.stringify(all) });
  return fc.oneof(one, two).map((all) => {
    const [first, last] = [0, format.capacity - 1];
    const namings = all.map((options) => ({ options, fixed: options, first, last }));
    return { ...traits, format, spec, reference, namings };
  });
}

/** A partition of sno, whole or in disjoint parts; or two partitions. */
const snos = (spec: Spec, traits: Traits): fc.Arbitrary<Subject> =>
  fc
    .record({
      partition: fc.nat(65_535),
      size: fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: 4, max: 40 }) },
        { weight: 3, arbitrary: fc.integer({ min: 4, max: 3000 }) },
        { weight: 1, arbitrary: fc.constant(65_536) },
      ),
      at: fc.constantFrom(0, 0.4, 1),
      second: fc.nat(9),
    })
    .map(({ partition, size, at, second }) => {
      const naming = (partition: number, first: number): Naming => {
        const last = first + size - 1;
        const options = { partition, sequenceMin: first, sequenceMax: last };
        return { options, fixed: { partition }, first, last };
      };
      const first = Math.floor(at * Math.max(0, 65_536 - 2 * size));
      const part = second === 8 && size < 65_536 ? [naming(partition, first + size)] : [];
      const others = second === 9 ? [naming(partition ^ 1, first)] : part;
      const [format, reference] = [sno as unknown as AnyFormat, new Reference(spec)];
      return { ...traits, format, spec, reference, namings: [naming(partition, first), ...others] };
    });

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

/** Epochs of formats whose epoch is the user's. Snowflake-SI does not take 0. */
const EPOCHS = [1_577_836_800_000, 1_047_972_019_225, 1_700_000_000_000, 1_999_999_999_999, 0];
const NOT_ZERO = EPOCHS.slice(0, -1);

/** Snowflake-SI with so many bits of sequence. */
const narrow = (traits: Traits, ...sequences: readonly number[]): Family => {
  const subjects = sequences.flatMap((bits) =>
    NOT_ZERO.map((epoch) => {
      const format = snowflakeSI({ epoch, clockBits: 40, machineBits: 13 - bits });
      return integers(format, snowflakeSISpec(epoch, 40, 13 - bits, bits), traits);
    }),
  );
  return { ...traits, subjects: fc.oneof(...subjects) };
};

/** A row of the table of formats. */
function family(row: Row): Family {
  const { counts, page, random = 0, specified } = row;
  if (page === "sno") {
    const traits: Traits = { ...COUNTER, kind: "sno", width: 1000 };
    return { ...traits, subjects: snos(specOf(row), traits) };
  }
  const width = specified.capacity / (random > 0 ? 128 : 1);
  const kind = random > 0 ? "random" : "counter";
  const traits: Traits = { ...COUNTER, counts, kind, entropy: random, width };
  const epochs = !ownEpoch(row) ? [0] : page === "snowflake-si" ? NOT_ZERO : EPOCHS;
  const subjects = epochs.map((epoch) => integers(formatOf(row, epoch), specOf(row, epoch), traits));
  return { ...traits, subjects: fc.oneof(...subjects) };
}

const custom = LAYOUTS.flatMap(({ tickMs, fields }) =>
  [...EPOCHS, -86_400_000_000].map((epoch) =>
    integers(snowflake({ epoch, tickMs, fields }), customSpec(epoch, tickMs, fields), COUNTER),
  ),
);

/** By the names that `--format` takes. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(ROWS.map((row) => [row.name.replace(", ", "-"), family(row)])),
  custom: { ...COUNTER, width: 1000, subjects: fc.oneof(...custom) },
  "snowflake-si-narrow": narrow(COUNTER, 1, 3, 13),
  "snowflake-si-keep": narrow({ ...COUNTER, unordered: true }, 1, 2, 4, 8),
};
