/** SQL in PostgreSQL and MariaDB: expressions, functions, partitions, defaults and triggers. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { type AnyFormat, discord, sno, snowflake, twitter, ulidFlake } from "graupel";
import { sql } from "graupel/sql";
import { agreeOnBounds, agreeOnTimes } from "../../js/sql/agreement.ts";
import { runGuide } from "../support/guide.ts";
import { testIn } from "../support/servers.ts";
import { connect, dialect, rows, run, server, words } from "./dialects.ts";
import "./defaults.ts";

const { planOf, ago } = words;

/** A snowflake layout with an odd tick length, for IDs in busy ticks over some months. */
const odd = snowflake({
  epoch: Date.UTC(2024, 5, 11),
  tickMs: 7,
  fields: { time: 38, worker: 6, sequence: 12 },
});

/** 100,000 IDs in these months: in busy ticks, and the first and last IDs of each month. */
function manyIds(format: AnyFormat, months: readonly number[]): bigint[] {
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

/** The number of IDs in each month, by the time from `inspect`. */
function countsByMonth(format: AnyFormat, ids: readonly bigint[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const month = format.inspect(format.fromBigInt(id)).time.toISOString().slice(0, 7);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  return new Map([...counts].sort());
}

describe("expressions", () => {
  test("the time of an ID equals that of `inspect`", () => agreeOnTimes({ dialect, rows }, 300));
  test("bounds equal those of `range`", () => agreeOnBounds({ dialect, rows }, 30));

  test("neither the session's time zone nor a column's sign has an effect", async () => {
    const { timeOf, min } = sql(discord, dialect);
    const id = 1585841080431321088n;
    await rows(`CREATE TABLE zones (id bigint, big ${words.unsigned})`);
    await rows(`INSERT INTO zones VALUES (${id}, ${id})`);
    const [signed, big] = [["zones", "id"] as const, "big"].map((name) => words.textOf(timeOf(name)));
    const session = await connect();
    const time = discord.inspect(id).time.toISOString().slice(0, 23).replace("T", " ");
    const bound = `${discord.range(Date.UTC(2025, 2, 30, 1, 30)).min}`;
    for (const zone of words.zones) {
      await session.rows(words.setZone(zone));
      const query = `SELECT ${signed}, ${big}, ${min(words.instant("2025-03-30 01:30:00"))} FROM zones`;
      assert.deepEqual(await session.rows(query), [[time, time, bound]], zone);
    }
    await session.close();
  });
});

describe("indexes", () => {
  before(async () => {
    await rows("CREATE TABLE seen (id bigint PRIMARY KEY, x int)");
    await rows(`INSERT INTO seen (id) ${words.hours}`);
    await run(sql(twitter, dialect).functions("seen"));
    await rows(`${words.analyze} seen`);
  });
  const { min, max, between } = sql(twitter, dialect);
  for (const [what, condition, values] of [
    ["an expression", `id >= ${min(ago(1, "day"))}`, []],
    ["a function", `id >= seen_min(${ago(1, "day")})`, []],
    ["literals", between("id", 1.5e12, new Date(1.500001e12)), []],
    ["an end", `id <= ${max(ago(15, "year"))}`, []],
    words.seen,
  ] as const) {
    test(`${what}: the primary key is used`, async () => {
      const plan = await planOf(`SELECT id FROM seen WHERE ${condition}`, [...values]);
      assert.ok(words.usesKey(plan), plan);
    });
  }

  test("functions equal the expressions", async () => {
    const id = 1585841080431321088n;
    const { timestamp } = twitter.inspect(id);
    const found = await rows(
      `SELECT seen_unix_ms(${id}), seen_min(seen_time(${id})), seen_max(seen_time(${id}))`,
    );
    const { min } = twitter.range(timestamp);
    assert.deepEqual(found, [[timestamp, min, twitter.range(undefined, timestamp).max].map(String)]);
  });
});

describe("months", () => {
  const months = Array.from({ length: 9 }, (_, i) => Date.UTC(2024, 6 + i, 1)) as [number, ...number[]];
  const [first, middle, last] = [months[0], months[5] as number, months[8] as number];
  const ids = manyIds(odd, months);
  const counts = [...countsByMonth(odd, ids)].map(([month, count]) => [month, `${count}`]);
  const { partitions, timeOf, between } = sql(odd, dialect) as ReturnType<typeof sql<"mysql">>;
  before(async () => {
    await rows(`CREATE TABLE events (id bigint PRIMARY KEY) ${words.partitioned}`);
    const column = dialect === "mysql" ? { column: "id" } : {};
    const table = [words.schema, "events"] as const;
    await run(partitions({ table, from: first, to: new Date(middle), ...column } as never));
    await run(partitions({ table: "events", from: middle, to: last } as never));
    await words.insert("events", ids);
  });

  test("rows are in the month of their time", async () => {
    for (const [month = "", count] of counts) {
      const partition = words.of(words.partition(month.replace("-", "_")));
      assert.deepEqual(await rows(`SELECT count(*) FROM ${partition}`), [[count]], month);
    }
    // `range` gives the same rows: a tick belongs to the month in which it starts.
    const upTo = (to: number) => odd.toBigInt(odd.range(undefined, to).max);
    for (const [i, to] of months.slice(1).entries()) {
      const found = ids.filter((id) => id <= upTo(to) && (i === 0 || id > upTo(months[i] as number)));
      assert.equal(`${found.length}`, counts[i]?.[1]);
    }
  });

  test("100,000 rows, summed by month", async () => {
    const month = `substr(${words.textOf(timeOf("id"))}, 1, 7)`;
    const query = `SELECT ${month} AS month, count(*) FROM events GROUP BY month ORDER BY month`;
    assert.deepEqual(await rows(query), counts);
  });

  test("a query of two days reads one partition", async () => {
    const instants = ["2024-10-10 00:00:00", "2024-10-12 00:00:00"].map(words.instant);
    for (const [from, to] of [instants, [Date.UTC(2024, 9, 10), Date.UTC(2024, 9, 12)]] as string[][]) {
      const condition = between("id", from as string, to as string);
      const plan = await planOf(`SELECT count(*) FROM events WHERE ${condition}`);
      assert.deepEqual(words.partitionsIn(plan), [words.partition("2024_10")], plan);
    }
  });

  test("later rows have no partition", async () => {
    const later = odd.toBigInt(odd.range(undefined, last).max) + 1n;
    await assert.rejects(rows(`INSERT INTO events VALUES (${later})`), /no partition/);
  });
});

test("names: quotes, dots, spaces and other scripts", async () => {
  const { names, quote } = words;
  let made = 0;
  for (const setting of words.quoting) {
    const session = await connect();
    await session.rows(setting);
    for (const [i, column] of names.entries()) {
      const { unixMsOf, between, functions, ...own } = sql(twitter, dialect);
      const makes = "trigger" in own ? [own.defaults, own.trigger] : [own.defaults];
      for (const make of makes as (typeof own.defaults)[]) {
        const schema = `${names[(i + 1) % names.length]}${made++}`;
        const table = names[(i + 2) % names.length] as string;
        const path = [schema, table] as const;
        const quoted = path.map(quote).join(".");
        await session.rows(`CREATE SCHEMA ${quote(schema)}`);
        await session.rows(`CREATE TABLE ${quoted} (${quote(column)} bigint PRIMARY KEY, note text)`);
        const fields = { datacenterId: 1, workerId: 2 };
        for (const statement of [...make({ table: path, column, fields }), ...functions(path)]) {
          await session.rows(statement);
        }
        await session.rows(`INSERT INTO ${quoted} (note) VALUES ('x')`);
        const now = between(column, ago(1, "minute"), ago(-1, "minute"));
        const ms = unixMsOf([table, column]);
        const [[found]] = (await session.rows(`SELECT ${ms} FROM ${quoted} WHERE ${now}`)) as [[string]];
        assert.ok(Math.abs(Number(found) - Date.now()) < 60_000, `${schema} ${table} ${column}`);
      }
    }
    await session.close();
  }
});

test("bounds of texts compare bytes, and use an index if the column compares bytes", async () => {
  for (const format of [sno, ulidFlake]) {
    const at = (timestamp: number) => format.with(format.next(), { timestamp });
    const ids = Array.from({ length: 500 }, (_, i) => at(1.75e12 + i * 1000));
    const condition = sql(format, dialect).between("id", 1.75e12 + 100_000, 1.75e12 + 110_000);
    for (const [type, settings] of Object.entries(words.texts)) {
      await rows("DROP TABLE IF EXISTS words");
      await rows(`CREATE TABLE words (id ${type} PRIMARY KEY, x int)`);
      await words.insert("words (id)", ids);
      assert.deepEqual(await rows(`SELECT count(*) FROM words WHERE ${condition}`), [["10"]], type);
      if (settings === undefined) continue;
      const plan = await planOf(`SELECT * FROM words WHERE ${condition}`, [], settings);
      assert.match(plan, / range PRIMARY |Index Cond/);
    }
  }
});

for (const [page, kind, lines] of [
  ["shard.md", "postgres", 1],
  ["order.md", "order", 10],
] as const) {
  testIn("postgres")(`the guide ${page}`, async () => {
    const { env } = await server.create(`${kind}_of_guide`);
    await runGuide(page, kind, { env, lines });
  });
}

testIn("postgres")("infinite times have the first and the last bound", async () => {
  const { min, max } = sql(twitter, "postgres");
  const { min: first, max: last } = twitter.range();
  const bounds = [min("'-infinity'"), max("'-infinity'"), min("'infinity'"), max("'infinity'")];
  assert.deepEqual(await rows(`SELECT ${bounds.join()}`), [[`${first}`, null, null, `${last}`]]);
});

testIn("postgres")("functions are immutable enough for an index and a column", async () => {
  await rows("CREATE INDEX ON seen (seen_time(id))");
  await rows("ALTER TABLE seen ADD COLUMN made timestamptz GENERATED ALWAYS AS (seen_time(id)) STORED");
});

testIn("postgres")(
  "a query with now() skips partitions when it starts; earlier rows have no partition",
  async () => {
    const { between } = sql(odd, "postgres");
    const condition = between("id", "now() - interval '1 day'", "now()");
    assert.match(await planOf(`SELECT count(*) FROM events WHERE ${condition}`), /Subplans Removed: 8/);
    const { max: earlier } = odd.range(undefined, Date.UTC(2024, 6, 1));
    await assert.rejects(rows("INSERT INTO events VALUES ($1)", [earlier]), /no partition/);
  },
);

testIn("mysql")("rows before all months are in the first partition", async () => {
  const { max: earlier } = odd.range(undefined, Date.UTC(2024, 6, 1));
  await rows(`INSERT INTO events VALUES (${earlier})`);
  const found = await rows(`SELECT * FROM events PARTITION (p2024_07) WHERE id = ${earlier}`);
  assert.deepEqual(found, [[`${earlier}`]]);
});
