/** Formats with declared layouts: a few fixed ones with names, and random ones. */
import fc from "fast-check";
import { snowflake, snowflakeSI, ulidFlake } from "graupel";
import { EPOCH, type FormatUnderTest, ROWS, rowOf, underTest } from "./formats.ts";
import { facts } from "./make.ts";
import { customSpec, snowflakeSISpec } from "./reference.ts";

/** The formats of the table, and one with another epoch; Snowflake-SI is below, with all of its widths. */
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
}

/** The widths of the fields below the time, cut so that all fit into `room` bits. */
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
  )
  .map(([time, widths, place, anyTick, anyEpoch]) => {
    const others = fitted(widths, 64 - time);
    const sequence = place % others.length;
    const fields = Object.fromEntries([
      ["time", time],
      ...others.map((width, i) => [i === sequence ? "sequence" : `f${i}`, width] as const),
    ]);
    // All instants from the epoch to the end, in whole milliseconds, are integers below 2^53 and dates.
    const tickMs = Math.min(anyTick, 2 ** (53 - time));
    return { epoch: Math.min(anyEpoch, 8.64e15 - 2 ** time * tickMs), tickMs, fields };
  });

/** A custom layout. */
export function custom({ epoch, tickMs, fields }: Declaration): FormatUnderTest {
  return underTest(
    `snowflake ${JSON.stringify({ epoch, tickMs, fields })}`,
    facts.snowflake,
    "snowflake",
    snowflake({ epoch, tickMs, fields: fields as { time: number; sequence: number } }),
    customSpec(epoch, tickMs, fields),
  );
}

/** Layouts whose ticks hold few IDs. */
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
