/** Every format of the package with its reference, and custom layouts from a seed. */
import { snowflake, snowflakeSI, ulidFlake } from "graupel";
import type { AnyFormat } from "./any-format.ts";
import { ROWS, rowOf } from "./formats.ts";
import type { Random } from "./random.ts";
import { customSpec, Reference, type Spec, snowflakeSISpec } from "./reference.ts";
import { EPOCH, formatOf, specOf } from "./row.ts";

/** A format and its reference. */
export interface Subject {
  readonly label: string;
  readonly format: AnyFormat;
  readonly reference: Reference;
  /** The fixed fields of a generator; all values must be given except those of `optional`. */
  readonly fixed: readonly string[];
  /** The field that counts or is random. */
  readonly counter: string;
}

function subject(label: string, format: unknown, spec: Spec, counter = "sequence"): Subject {
  const fixed = spec.fields.slice(1).map(([name]) => name);
  const settable = fixed.filter((name) => name !== counter && !NOT_SET.has(name));
  return { label, format: format as AnyFormat, reference: new Reference(spec), fixed: settable, counter };
}

/** Fields that some format has, and that no option sets. */
const NOT_SET: ReadonlySet<string> = new Set(
  ROWS.flatMap(({ facts: { fields } }) =>
    (fields ?? [])
      .filter(({ role }) => ["unused", "tickTock", "call"].includes(role))
      .map(({ name }) => name),
  ),
);

/** The formats of the table; Snowflake-SI is below, with all of its widths. */
export function named(): Subject[] {
  const later = Date.UTC(2030, 0, 1);
  return [
    ...ROWS.filter(({ page }) => page !== "snowflake-si").map((row) =>
      subject(row.name, formatOf(row), specOf(row), row.counts),
    ),
    subject(
      "ulid-flake, epoch of 2030",
      ulidFlake.withEpoch(later),
      { ...specOf(rowOf("ulid-flake")), epoch: later },
      "randomness",
    ),
  ];
}

/** Snowflake-SI in every combination of widths. */
export function snowflakeSIs(): Subject[] {
  return [40, 41].flatMap((clockBits) =>
    Array.from({ length: 13 }, (_, i) => i + 1)
      .filter((sequenceBits) => 53 - clockBits - sequenceBits >= 0)
      .map((sequenceBits) => {
        const machineBits = 53 - clockBits - sequenceBits;
        return subject(
          `snowflake-si ${clockBits}|${machineBits}|${sequenceBits}`,
          snowflakeSI({ epoch: EPOCH, clockBits, machineBits, sequenceBits }),
          snowflakeSISpec(EPOCH, clockBits, machineBits, sequenceBits),
        );
      }),
  );
}

/** The declaration of a custom layout. */
export interface Declaration {
  readonly epoch: number;
  readonly tickMs: number;
  readonly fields: Record<string, number>;
}

/** A valid declaration: at most 64 bits, and a life within the range of `Date`. */
export function declaration(random: Random): Declaration {
  const time = random.between(1, 53);
  const others = random.below(Math.min(8, 64 - time));
  let room = 64 - time - others - 1;
  const width = () => {
    const more = random.below(Math.min(room, 52) + 1);
    room -= more;
    return 1 + more;
  };
  const fields: Record<string, number> = { time };
  const place = random.below(others + 1);
  for (let i = 0; i <= others; i++) {
    fields[i === place ? "sequence" : `f${i}`] = width();
  }
  const span = 2 ** time;
  const tickMs = random.oneIn(2)
    ? 1
    : Number(1n + random.edgy(1 + random.below(31))) % Math.max(1, Math.floor(2 ** 53 / span)) || 1;
  // All instants from the epoch to the end, in whole milliseconds, are integers below 2^53 and dates.
  const latest = 8.64e15 - span * tickMs;
  const epoch = Number(BigInt.asIntN(53, random.edgy(random.between(2, 53))));
  return { epoch: Math.trunc(Math.max(-8.64e15, Math.min(latest, epoch))), tickMs, fields };
}

/** A custom layout. */
export function custom(random: Random): Subject {
  const { epoch, tickMs, fields } = declaration(random);
  return subject(
    `snowflake ${JSON.stringify({ epoch, tickMs, fields })}`,
    snowflake({ epoch, tickMs, fields: fields as { time: number; sequence: number } }),
    customSpec(epoch, tickMs, fields),
  );
}

/** Layouts whose ticks hold few IDs. */
export function tiny(): Subject[] {
  const layouts: [number, Record<string, number>][] = [
    [1, { time: 41, worker: 3, sequence: 1 }],
    [1, { time: 41, sequence: 2 }],
    [4, { time: 39, worker: 10, sequence: 2, shard: 5 }],
    [10, { time: 12, sequence: 3 }],
    [1, { time: 53, shard: 9, sequence: 2 }],
  ];
  const narrow = snowflakeSIs().filter(({ label }) => / 4[01]\|\d+\|[123]$/.test(label));
  return [
    ...narrow,
    ...layouts.map(([tickMs, fields]) =>
      subject(
        `snowflake ${tickMs} ${JSON.stringify(fields)}`,
        snowflake({ epoch: EPOCH, tickMs, fields: fields as { time: number; sequence: number } }),
        customSpec(EPOCH, tickMs, fields),
      ),
    ),
  ];
}
