/** What the tests of SQL share: rows of 100,000 IDs, and many sessions that insert. */
import assert from "node:assert/strict";
import {
  type AnyFormat,
  discord,
  instagram,
  mastodon,
  nanoflake,
  snowflake,
  snowflakeSI,
  twitter,
} from "graupel";

/** Rows as texts, NULL as null. */
export type Row = (string | null)[];

/** A session of a database. */
export interface Session {
  rows(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export const texts = (rows: readonly unknown[][]): Row[] =>
  rows.map((row) => row.map((value) => (value === null ? null : `${value}`)));

const epoch = Date.UTC(2024, 0, 1);

/** Formats that a database makes IDs of, with the fields of its own worker, and ticks that hold few and many. */
export const MADE: readonly (readonly [name: string, format: AnyFormat, fields: Record<string, number>])[] = [
  ["twitter", twitter, { datacenterId: 31, workerId: 30 }],
  ["discord", discord, { internalWorkerId: 3, internalProcessId: 5 }],
  ["instagram", instagram, { shardId: 8191 }],
  ["mastodon", mastodon, {}],
  [
    "ticks of 10 ms",
    snowflake({ epoch, tickMs: 10, fields: { time: 39, sequence: 8, machineId: 16 } }),
    { machineId: 65535 },
  ],
  ["nanoflake", nanoflake({ epoch }), { generatorId: 1023 }],
  ["nanoflake, reference-24", nanoflake({ epoch, layout: "reference-24" }), { generatorId: 9 }],
  ["snowflake-si", snowflakeSI({ epoch }), { machineId: 17 }],
  ["its text", twitter.text, { datacenterId: 1, workerId: 2 }],
  [
    "ticks of 7 ms",
    snowflake({ epoch, tickMs: 7, fields: { time: 38, region: 4, sequence: 12, zone: 3 } }),
    { region: 9, zone: 5 },
  ],
];

/** Snowflakes of a layout with an odd tick, in busy ticks, over some months. */
export const odd = snowflake({
  epoch: Date.UTC(2024, 5, 11),
  tickMs: 7,
  fields: { time: 38, worker: 6, sequence: 12 },
});

/** 100,000 IDs of these months: busy ticks, and the first and the last ones of each month. */
export function manyIds(format: AnyFormat, months: readonly number[]): bigint[] {
  const [from, to] = [months[0] as number, months[months.length - 1] as number];
  const ids = new Set<bigint>();
  for (const edge of months.slice(1, -1)) {
    const below = format.toBigInt(format.range(undefined, edge).max as never);
    for (let i = -3n; i < 4n; i++) ids.add(below + i);
  }
  for (let i = 0; ids.size < 100_000; i++) {
    const timestamp =
      from + format.layout.tickMs + (((i >> 3) * 86_028_157) % (to - from - format.layout.tickMs));
    const first = format.toBigInt(format.range(timestamp).min as never);
    ids.add(first + BigInt(1 + ((i * 7919) % 4095)));
  }
  return [...ids];
}

/** How many IDs there are in each month, by the time that `inspect` says. */
export function countsByMonth(format: AnyFormat, ids: readonly bigint[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const month = format.inspect(format.fromBigInt(id)).time.toISOString().slice(0, 7);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  return new Map([...counts].sort());
}

/** How many there are from month to month, by `range`: a tick counts where it starts. */
export function countsByRange(
  format: AnyFormat,
  ids: readonly bigint[],
  months: readonly number[],
): number[] {
  const upTo = (to: number) => {
    const max = format.toBigInt(format.range(undefined, to).max as never);
    return ids.filter((id) => id <= max).length;
  };
  return months.slice(1).map((to, i) => upTo(to) - (i === 0 ? 0 : upTo(months[i] as number)));
}

/** Many sessions insert rows at the same time, one by one and several at once. All IDs are distinct, with these fields, made just now. */
export async function insertsOfSessions(
  connect: () => Promise<Session>,
  format: AnyFormat,
  fields: Record<string, number>,
  {
    table,
    each,
    sessions = 16,
    aheadMs = 2,
  }: { readonly table: string; readonly each: number; readonly sessions?: number; readonly aheadMs?: number },
): Promise<bigint[]> {
  const began = Date.now();
  await Promise.all(
    Array.from({ length: sessions }, async (_, session) => {
      const own = await connect();
      for (let left = each; left > 0; ) {
        const rows = Math.min(left, (left * 31 + session) % 11 === 0 ? 50 : 1);
        await own.rows(`INSERT INTO ${table} (note) VALUES ${Array(rows).fill("('x')").join(", ")}`);
        left -= rows;
      }
      await own.close();
    }),
  );
  const own = await connect();
  const ids = (await own.rows(`SELECT id FROM ${table} ORDER BY id`)).map(([id]) => BigInt(id as string));
  await own.close();
  assert.equal(ids.length, sessions * each);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) {
    const inspection = format.inspect(format.fromBigInt(id));
    for (const [name, value] of Object.entries(fields)) {
      assert.equal(inspection[name], value, `${name} of ${id}`);
    }
    const { timestamp } = inspection;
    assert.ok(
      timestamp > began - format.layout.tickMs - 2 && timestamp <= Date.now() + aheadMs,
      `${timestamp} of ${id}`,
    );
  }
  return ids;
}
