/** Formats with declared layouts: some fixed ones with names, and random ones. */
import fc from "fast-check";
import { snowflake, snowflakeSI, ulidFlake } from "graupel";
import type { SnowflakeDeclaration, SnowflakeFields } from "graupel/snowflake";
import { EPOCH, type FormatUnderTest, ROWS, rowOf, underTest } from "./formats.ts";
import { facts } from "./make.ts";
import { customSpec, snowflakeSISpec } from "./reference.ts";

/**
 * The formats of the table and one with another epoch. Snowflake-SI is below, with all its widths.
 */
export function named(): FormatUnderTest[] {
  const later = Date.UTC(2030, 0, 1);
  const { facts, page, reference } = rowOf("ulid-flake");
  const spec = { ...reference.spec, epoch: later };
  return [
    ...ROWS.filter(({ page }) => page !== "snowflake-si"),
    underTest("ulid-flake, epoch of 2030", facts, page, ulidFlake.withEpoch(later), spec),
  ];
}

/** Snowflake-SI in every combination of widths. */
export function snowflakeSIs(): FormatUnderTest[] {
  return [40, 41].flatMap((clockBits) =>
    Array.from({ length: 13 }, (_, i) => i + 1)
      .filter((sequenceBits) => 53 - clockBits - sequenceBits >= 0)
      .map((sequenceBits) => {
        const machineBits = 53 - clockBits - sequenceBits;
        return underTest(
          `snowflake-si ${clockBits}|${machineBits}|${sequenceBits}`,
          facts["snowflake-si"],
          "snowflake-si",
          snowflakeSI({ epoch: EPOCH, clockBits, machineBits, sequenceBits }),
          snowflakeSISpec(EPOCH, clockBits, machineBits, sequenceBits),
        );
      }),
  );
}

/** The declaration of a custom layout. */
interface Declaration {
  readonly epoch: number;
  readonly tickMs: number;
  readonly fields: Record<string, number>;
  readonly sequenceField: string;
  readonly ids: Ids;
}

export type Ids = "bigint" | "unsigned" | "number";

/** The minimum and maximum number of bits of a layout. */
export const BITS: Readonly<Record<Ids, readonly [number, number]>> = {
  bigint: [2, 64],
  unsigned: [64, 64],
  number: [2, 53],
};

/** The ID types that a layout can have. */
export const idsOf = (bits: number): Ids[] =>
  (Object.keys(BITS) as Ids[]).filter((ids) => bits >= BITS[ids][0] && bits <= BITS[ids][1]);

/** Reduces the widths of the fields below the time until they fit in `room` bits. */
function fitted(widths: readonly number[], room: number): number[] {
  let left = room - widths.length;
  return widths.map((width) => {
    const more = Math.min(width - 1, left);
    left -= more;
    return 1 + more;
  });
}

/** Valid declarations: at most 64 bits, and a life within the range of `Date`. */
export const declarations: fc.Arbitrary<Declaration> = fc
  .tuple(
    fc.integer({ min: 1, max: 53 }),
    fc.array(fc.integer({ min: 1, max: 53 }), { minLength: 1, maxLength: 8 }),
    fc.nat(7),
    fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2 ** 32 - 1 })),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
    fc.constantFrom("sequence", "increment"),
    fc.constantFrom(53, 64),
    fc.nat(5),
  )
  .map(([anyTime, widths, place, anyTick, anyEpoch, sequenceField, room, pick]) => {
    const time = Math.min(anyTime, room - 1);
    const others = fitted(widths.slice(0, room - time), room - time);
    const sequence = place % others.length;
    const fields = Object.fromEntries([
      ["time", time],
      ...others.map((width, i) => [i === sequence ? sequenceField : `f${i}`, width] as const),
    ]);
    const possible = idsOf(others.reduce((sum, width) => sum + width, time));
    const ids = possible[pick % possible.length] as Ids;
    // Every instant from the epoch to the end must be below 2^53 ms and within the range of `Date`.
    const tickMs = Math.min(anyTick, 2 ** (53 - time));
    return { epoch: Math.min(anyEpoch, 8.64e15 - 2 ** time * tickMs), tickMs, fields, sequenceField, ids };
  });

/** A custom layout. */
export function custom(
  declaration: Omit<Declaration, "sequenceField" | "ids"> & Partial<Declaration>,
): FormatUnderTest {
  const { epoch, tickMs, fields, ids } = declaration;
  return underTest(
    `snowflake ${JSON.stringify(declaration)}`,
    facts.snowflake,
    "snowflake",
    snowflake(declaration as SnowflakeDeclaration<SnowflakeFields>),
    customSpec(epoch, tickMs, fields, ids),
  );
}

/** Layouts of other programs: yitter's, a layout with ticks of 10 ms, and TSID's. */
export const others = (): FormatUnderTest[] => [
  custom({ epoch: EPOCH, tickMs: 1, fields: { time: 41, worker: 6, sequence: 6 }, ids: "number" }),
  custom({ epoch: EPOCH, tickMs: 10, fields: { time: 38, sequence: 7, machine: 8 }, ids: "number" }),
  custom({
    ...{ epoch: EPOCH, tickMs: 1, fields: { time: 42, node: 10, counter: 12 } },
    ...{ sequenceField: "counter", ids: "unsigned" },
  }),
];

/** Layouts whose ticks hold only a few IDs. */
export function tiny(): FormatUnderTest[] {
  const layouts: [number, Record<string, number>][] = [
    [1, { time: 41, worker: 3, sequence: 1 }],
    [1, { time: 41, sequence: 2 }],
    [4, { time: 39, worker: 10, sequence: 2, shard: 5 }],
    [10, { time: 12, sequence: 3 }],
    [1, { time: 53, shard: 9, sequence: 2 }],
  ];
  const narrow = snowflakeSIs().filter(({ name }) => / 4[01]\|\d+\|[123]$/.test(name));
  return [...narrow, ...layouts.map(([tickMs, fields]) => custom({ epoch: EPOCH, tickMs, fields }))];
}
