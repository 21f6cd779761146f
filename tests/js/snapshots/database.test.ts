/**
 * Snapshots and IDs in a real database: PostgreSQL's `jsonb` keeps the values of an object but reorders its keys (by length, then by
 * bytes); its drivers return 64-bit columns as text.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { PGlite, types } from "@electric-sql/pglite";
import { nanoflake, snowflake, snowflakeSI, twitter } from "graupel";
import type { AnyFormat } from "../support/any-format.ts";
import { ROWS } from "../support/formats.ts";
import { emptyRegistry } from "../support/other-process.ts";
import { formatOf } from "../support/row.ts";

// The database is large and runs for a moment: to optimize its WebAssembly would take longer than to run it.
setFlagsFromString("--liftoff-only");
const database = await PGlite.create();
after(() => database.close());

/** A value after a round trip through a column. */
async function stored<T>(column: string, value: unknown): Promise<T> {
  const { rows } = await database.query<{ value: T }>(`SELECT $1::${column} AS value`, [value]);
  return rows[0]?.value as T;
}

const epoch = Date.UTC(2020, 0, 1);
const own = snowflake({ epoch, fields: { time: 41, region: 4, worker: 6, sequence: 12 } });
const formats = [
  ...ROWS.map((row) => [row.name, formatOf(row), row.fixed] as const),
  ["a layout of your own", own as unknown as AnyFormat, { region: 7, worker: 7 }] as const,
];

for (const [name, format, fixed] of formats) {
  /** Borrows, because a draw of Ulid-Flake may exceed the tick. */
  const make = (options: object) => format.generator({ ...fixed, sequenceFull: "borrow", ...options });
  test(`${name}: a snapshot that was a jsonb column is the same snapshot`, async () => {
    const clock = () => 1.75e12;
    const before = make({ clock });
    const seen: unknown[] = before.nextMany(5);
    const snapshot = before.snapshot();
    const back = await stored<typeof snapshot>("jsonb", JSON.stringify(snapshot));
    assert.deepEqual(back, snapshot);
    if (name !== "sno") {
      assert.notEqual(JSON.stringify(back), JSON.stringify(snapshot), "jsonb was to reorder the keys");
    }
    emptyRegistry();
    const next = make({ clock, snapshot: back });
    seen.push(...next.nextMany(5));
    assert.equal(new Set(seen).size, 10);
    // The generator continues: a new start would begin with the lowest sequence again.
    assert.ok(String(seen[5]) > String(seen[4]));
  });
}

test("what nextMany returns is a list to a database and to JSON", async () => {
  for (const [name, format, fixed] of formats) {
    const ids = format.generator({ ...fixed, isolated: true }).nextMany(3);
    const column = { string: "text", number: "bigint", bigint: "bigint" }[typeof ids[0] as "string"];
    await database.exec(`DROP TABLE IF EXISTS orders; CREATE TABLE orders (id ${column} PRIMARY KEY)`);
    await database.query(`INSERT INTO orders SELECT unnest($1::${column}[])`, [ids]);
    const { affectedRows } = await database.query(`DELETE FROM orders WHERE id = ANY($1::${column}[])`, [
      ids,
    ]);
    assert.equal(affectedRows, 3, name);
    const json = JSON.stringify(ids, (_, value) => (typeof value === "bigint" ? String(value) : value));
    assert.deepEqual(JSON.parse(json).map(String), ids.map(String), name);
  }
});

/** IDs of a busy millisecond. The first of a millisecond end in zeros, which even a number holds. */
const busy = <Id>(
  format: { generator(options: never): { nextMany(n: number): Iterable<Id> } },
  fixed: object,
) => {
  const options = { ...fixed, isolated: true, sequenceFull: "borrow", clock: () => 1.75e12 };
  return [...format.generator(options as never).nextMany(100)];
};

test("64-bit columns come back as text, which every verb takes", async () => {
  for (const id of busy(twitter, { datacenterId: 3, workerId: 9 })) {
    const { rows } = await database.query<{ id: string }>("SELECT ($1::bigint)::text AS id", [String(id)]);
    const text = rows[0]?.id as string;
    assert.equal(text, String(id));
    assert.deepEqual(twitter.inspect(text), twitter.inspect(id));
    assert.deepEqual(twitter.toBytes(text), twitter.toBytes(id));
    assert.equal(twitter.toBigInt(text), id);
    assert.equal(twitter.format(text), text);
    assert.equal(twitter.with(text, { workerId: 3 }), twitter.with(id, { workerId: 3 }));
    assert.equal(twitter.compare(text, id), 0);
  }
});

test("numbers of a driver, or of JSON, that rounds: refused, and the setting is named", async () => {
  const said = /expected a bigint or its text, as JSON and drivers round \(supportBigNumbers, safeIntegers\)/;
  for (const [name, format, fixed] of formats) {
    const ids = busy(format as never, fixed) as (bigint | number | string)[];
    if (typeof ids[0] !== "bigint") {
      continue;
    }
    const list = `{${ids.join()}}`;
    const rounding = { parsers: { [types.INT8]: Number } };
    const sql = "SELECT unnest($1::bigint[]) AS id";
    const { rows } = await database.query<{ id: number }>(sql, [list], rounding);
    const lists = [rows.map(({ id }) => id), JSON.parse(`[${ids}]`) as number[]];
    for (const numbers of lists) {
      assert.equal(numbers.length, ids.length);
      // Without this, the test would show nothing.
      const survivors = ids.filter((id, i) => id === BigInt(numbers[i] as number));
      assert.ok(survivors.length < ids.length / 4, `${survivors.length} of ${name} survive`);
      for (const number of numbers) {
        assert.throws(() => format.parse(number), { code: "TYPE", value: number, message: said });
        assert.equal(format.isValid(number), false);
      }
    }
    // Where the sequence is last, the first ID of a millisecond survives: low traffic hides the fault.
    if (name === "twitter") {
      assert.equal(BigInt(Number(ids[0])), ids[0]);
    }
  }
});

test("53-bit IDs are numbers in every column and in JSON", async () => {
  const format = snowflakeSI({ epoch });
  for (const id of busy(format, { machineId: 5 })) {
    const { rows } = await database.query<{ id: number }>("SELECT $1::bigint AS id", [id]);
    assert.equal(format.parse(rows[0]?.id), id);
    assert.equal(format.parse(JSON.parse(JSON.stringify({ id })).id), id);
  }
});

test("Nanoflake's canonical text is another one: decimal text is refused, and told what reads it", async () => {
  const ids = nanoflake({ epoch });
  const id = ids.compose({ timestamp: Date.UTC(2025, 0, 1), generatorId: 3, sequence: 4 });
  const { rows } = await database.query<{ id: string }>("SELECT ($1::bigint)::text AS id", [String(id)]);
  const text = rows[0]?.id as string;
  assert.throws(() => ids.inspect(text), { code: "LENGTH", message: /parse\(text, 10\)/ });
  assert.equal(ids.inspect(ids.parse(text, 10)).generatorId, 3);
});
