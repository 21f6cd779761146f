/** SQL in PostgreSQL: expressions, functions, partitions and defaults. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sno, twitter, ulidFlake } from "graupel";
import { sql } from "graupel/sql";
import pg from "pg";
import { agreeOnBounds, agreeOnTimes } from "../../js/sql/agreement.ts";
import { startPostgres } from "../support/servers.ts";
import {
  countsByMonth,
  countsByRange,
  insertsOfSessions,
  MADE,
  manyIds,
  odd,
  type Session,
  texts,
} from "./common.ts";

let server: Awaited<ReturnType<typeof startPostgres>>;
let pool: pg.Pool;
before(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ ...server.options, max: 3 });
  // `end` does not wait for the connections, so the server's stop can reach one of them.
  pool.on("error", () => {});
});
after(async () => {
  await pool?.end();
  await server?.stop();
});

const rows = async (text: string, values: unknown[] = []) =>
  texts((await pool.query({ text, values, rowMode: "array" })).rows);
const run = async (statements: readonly string[]) => {
  for (const statement of statements) await rows(statement);
};
async function connect(): Promise<Session> {
  const client = new pg.Client(server.options);
  await client.connect();
  return {
    rows: async (text, values = []) => texts((await client.query({ text, values, rowMode: "array" })).rows),
    close: () => client.end(),
  };
}
/** What the planner does, as one text. */
const planOf = async (query: string, values: unknown[] = []) =>
  (await rows(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${query}`, values)).flat().join("\n");

describe("expressions", () => {
  test("the time of an ID is that of inspect", () => agreeOnTimes({ dialect: "postgres", rows }, 300));
  test("bounds are those of range", () => agreeOnBounds({ dialect: "postgres", rows }, 30));

  test("a time that is not finite", async () => {
    const { min, max } = sql(twitter, "postgres");
    const { min: first, max: last } = twitter.range();
    assert.deepEqual(
      await rows(
        `SELECT ${min("'-infinity'")}, ${max("'-infinity'")}, ${min("'infinity'")}, ${max("'infinity'")}`,
      ),
      [[`${first}`, null, null, `${last}`]],
    );
  });

  test("the session's time zone changes nothing", async () => {
    const { timeOf, min } = sql(twitter, "postgres");
    const text = `SELECT extract(epoch FROM ${timeOf(["v", "id"])})::numeric(20, 3), ${min("timestamptz '2025-03-30 01:30:00+00'")} FROM (SELECT 1585841080431321088 AS id) AS v`;
    const session = await connect();
    const found: unknown[] = [];
    for (const zone of ["UTC", "Europe/Berlin", "Asia/Kathmandu"]) {
      await session.rows(`SET TIME ZONE '${zone}'`);
      found.push(await session.rows(text));
    }
    await session.close();
    const { timestamp } = twitter.inspect(1585841080431321088n);
    const { min: bound } = twitter.range(Date.UTC(2025, 2, 30, 1, 30));
    assert.deepEqual(found, Array(3).fill([[(timestamp / 1000).toFixed(3), `${bound}`]]));
  });
});

describe("indexes", () => {
  before(async () => {
    await rows("CREATE TABLE seen (id bigint PRIMARY KEY)");
    await rows("INSERT INTO seen SELECT g * 4194304::bigint * 3600000 FROM generate_series(1, 100000) AS g");
    await run(sql(twitter, "postgres").functions("seen"));
    await rows("ANALYZE seen");
  });
  const { min, max, between } = sql(twitter, "postgres");
  for (const [what, condition, values] of [
    ["an expression", `id >= ${min("now() - interval '1 day'")}`, []],
    ["a function", "id >= seen_min(now() - interval '1 day')", []],
    ["placeholders", between("id", "$1", { unixMs: "$2" }), [new Date(1.5e12), 1.500001e12]],
    ["literals", between("id", 1.5e12, new Date(1.500001e12)), []],
    ["an end", `id <= ${max("now() - interval '15 years'")}`, []],
  ] as const) {
    test(`${what}: the primary key is used`, async () => {
      const plan = await planOf(`SELECT * FROM seen WHERE ${condition}`, [...values]);
      assert.match(plan, /Index Only Scan using seen_pkey|Bitmap Index Scan on seen_pkey/);
      assert.doesNotMatch(plan, /Filter/);
    });
  }

  test("functions are those of the expressions, and immutable enough for an index and a column", async () => {
    const id = 1585841080431321088n;
    const found = await rows(
      "SELECT seen_unix_ms($1), extract(epoch FROM seen_time($1))::numeric(20, 3), seen_min(seen_time($1)), seen_max(seen_time($1))",
      [`${id}`],
    );
    const { timestamp } = twitter.inspect(id);
    assert.deepEqual(found, [
      [
        `${timestamp}`,
        (timestamp / 1000).toFixed(3),
        `${twitter.range(timestamp).min}`,
        `${twitter.range(undefined, timestamp).max}`,
      ],
    ]);
    await rows("CREATE INDEX ON seen (seen_time(id))");
    await rows("ALTER TABLE seen ADD COLUMN made timestamptz GENERATED ALWAYS AS (seen_time(id)) STORED");
  });
});

describe("months", () => {
  const months = Array.from({ length: 9 }, (_, i) => Date.UTC(2024, 6 + i, 1));
  const ids = manyIds(odd, months);
  const { partitions, timeOf, between } = sql(odd, "postgres");
  before(async () => {
    await rows("CREATE TABLE events (id bigint PRIMARY KEY) PARTITION BY RANGE (id)");
    await run(
      partitions({
        table: ["public", "events"],
        from: months[0] as number,
        to: new Date(months[5] as number),
      }),
    );
    await run(partitions({ table: "events", from: months[5] as number, to: months[8] as number }));
    await rows("INSERT INTO events SELECT unnest($1::bigint[])", [ids]);
  });

  test("rows land in the month of their time", async () => {
    const expected = [...countsByMonth(odd, ids)].map(([month, count]) => [
      `events_${month.replace("-", "_")}`,
      `${count}`,
    ]);
    assert.deepEqual(
      await rows("SELECT tableoid::regclass, count(*) FROM events GROUP BY 1 ORDER BY 1::text"),
      expected,
    );
    assert.deepEqual(countsByRange(odd, ids, months), [...countsByMonth(odd, ids).values()]);
  });

  test("100,000 rows, summed by month", async () => {
    const sums = await rows(
      `SELECT to_char(date_trunc('month', ${timeOf("id")} AT TIME ZONE 'UTC'), 'YYYY-MM'), count(*) FROM events GROUP BY 1 ORDER BY 1`,
    );
    assert.deepEqual(
      sums,
      [...countsByMonth(odd, ids)].map(([month, count]) => [month, `${count}`]),
    );
  });

  test("a query of two days reads one partition", async () => {
    const plan = await planOf(
      `SELECT count(*) FROM events WHERE ${between("id", "timestamptz '2024-10-10 00:00+00'", "timestamptz '2024-10-12 00:00+00'")}`,
    );
    assert.deepEqual(
      [...plan.matchAll(/on (events_\w+?)(_pkey| |$)/gm)]
        .map(([, name]) => name)
        .filter((name) => name !== "events_2024_10"),
      [],
    );
    const late = await planOf(
      `SELECT count(*) FROM events WHERE ${between("id", "now() - interval '1 day'", "now()")}`,
    );
    assert.match(late, /Subplans Removed: 8/);
  });

  test("what is earlier or later has no partition", async () => {
    for (const id of [
      odd.range(undefined, months[0]).max,
      odd.toBigInt(odd.range(undefined, months[8]).max) + 1n,
    ]) {
      await assert.rejects(rows("INSERT INTO events VALUES ($1)", [id]), /no partition/);
    }
  });
});

describe("defaults", () => {
  for (const [i, [name, format, fields]] of MADE.entries()) {
    test(`16 sessions: ${name}`, async () => {
      await rows(`CREATE TABLE made${i} (id bigint PRIMARY KEY, note text)`);
      await run(sql(format, "postgres").defaults({ table: ["public", `made${i}`], column: "id", fields }));
      await insertsOfSessions(connect, format, fields, { table: `made${i}`, each: 1000 });
    });
  }

  test("a full tick is waited for, and what is made is in order", async () => {
    const [, format] = MADE.find(([name]) => name === "ticks of 10 ms") as (typeof MADE)[0];
    const i = MADE.findIndex(([name]) => name === "ticks of 10 ms");
    const found = await rows(
      `INSERT INTO made${i} (note) SELECT g FROM generate_series(1, 3000) AS g RETURNING id, note`,
    );
    const ids = found.map(([id]) => BigInt(id as string));
    const times = ids.map((id) => format.inspect(format.fromBigInt(id)).timestamp);
    assert.ok((times[2999] as number) - (times[0] as number) >= 110);
    assert.ok((times[2999] as number) <= Date.now());
    // The machine lies below the sequence.
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  test("open transactions hold up nobody, and what they roll back is not made again", async () => {
    const [a, b] = await Promise.all([connect(), connect()]);
    await a.rows("BEGIN");
    const [[first]] = (await a.rows("INSERT INTO made0 (note) VALUES ('a') RETURNING id")) as [[string]];
    await b.rows("SET statement_timeout = 2000");
    const [[second]] = (await b.rows("INSERT INTO made0 (note) VALUES ('b') RETURNING id")) as [[string]];
    await a.rows("ROLLBACK");
    const [[third]] = (await a.rows("INSERT INTO made0 (note) VALUES ('c') RETURNING id")) as [[string]];
    assert.ok(BigInt(first) < BigInt(second) && BigInt(second) < BigInt(third));
    assert.deepEqual(await rows("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), [["0"]]);
    await Promise.all([a.close(), b.close()]);
  });

  test("a counter ahead of the clock: waited for, or refused beyond the limit", async () => {
    await rows("CREATE TABLE ahead (id bigint PRIMARY KEY, note text)");
    await run(
      sql(twitter, "postgres").defaults({
        table: "ahead",
        column: "id",
        fields: { datacenterId: 1, workerId: 1 },
        maxAheadMs: 1000,
      }),
    );
    const place = (ms: number) => (twitter.toBigInt(twitter.range(Date.now() + ms).min) >> 22n) << 12n;
    await rows(`SELECT setval('ahead_id_last', ${place(400)})`);
    const [[id]] = (await rows("INSERT INTO ahead (note) VALUES ('x') RETURNING id")) as [[string]];
    assert.ok(twitter.timestamp(id) <= Date.now());
    const far = place(60_000);
    await rows(`SELECT setval('ahead_id_last', ${far})`);
    await assert.rejects(rows("INSERT INTO ahead (note) VALUES ('x')"), /ms behind the last ID/);
    // What is refused counts nothing, and leaves no lock.
    assert.deepEqual(await rows("SELECT last_value FROM ahead_id_last"), [[`${far}`]]);
    assert.deepEqual(await rows("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), [["0"]]);
  });

  test("sessions that are stopped at any moment leave no lock", async () => {
    await Promise.all(
      Array.from({ length: 8 }, async (_, session) => {
        const own = await connect();
        // Once, while there is no limit yet: on a busy machine, another SET would take longer than the one before allows.
        await own.rows(`SET statement_timeout = ${1 + (session % 5)}`);
        for (let i = 0; i < 60; i++) {
          await own
            .rows("INSERT INTO made0 (note) SELECT g FROM generate_series(1, 5000) AS g")
            .catch(({ code }) => assert.equal(code, "57014"));
        }
        await own.close();
      }),
    );
    assert.deepEqual(await rows("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), [["0"]]);
  });

  test("a role needs USAGE and UPDATE of the sequence alone", async () => {
    await run(["CREATE ROLE app", "GRANT INSERT, SELECT ON made0 TO app"]);
    const own = await connect();
    await own.rows("SET ROLE app");
    await assert.rejects(own.rows("INSERT INTO made0 (note) VALUES ('x')"), /permission denied for sequence/);
    await rows("GRANT USAGE, UPDATE ON made0_id_last TO app");
    await own.rows("INSERT INTO made0 (note) VALUES ('x')");
    await own.close();
  });
});

test("names: quotes, dots, spaces and other scripts", async () => {
  const names = ['a"b', "a.b", "Größe; --", "'x'", "$$", "back\\slash", "日本"];
  for (const [i, column] of names.entries()) {
    const schema = names[(i + 1) % names.length] as string;
    const table = names[(i + 2) % names.length] as string;
    const q = (name: string) => `"${name.replaceAll('"', '""')}"`;
    await rows(`CREATE SCHEMA IF NOT EXISTS ${q(schema)}`);
    await rows(`CREATE TABLE ${q(schema)}.${q(table)} (${q(column)} bigint PRIMARY KEY, note text)`);
    const { defaults, functions, unixMsOf, between } = sql(twitter, "postgres");
    await run([
      ...defaults({ table: [schema, table], column, fields: { datacenterId: 1, workerId: 2 } }),
      ...functions([schema, table]),
    ]);
    await rows(`INSERT INTO ${q(schema)}.${q(table)} (note) VALUES ('x')`);
    const [[ms]] = (await rows(
      `SELECT ${unixMsOf([table, column])} FROM ${q(schema)}.${q(table)} WHERE ${between(column, "now() - interval '1 minute'", "now() + interval '1 minute'")}`,
    )) as [[string]];
    assert.ok(Math.abs(Number(ms) - Date.now()) < 60_000);
  }
});

test("texts: bounds are compared byte by byte, whatever the column's collation", async () => {
  for (const format of [sno, ulidFlake]) {
    const { between } = sql(format, "postgres");
    const ids = Array.from({ length: 500 }, (_, i) =>
      format.with(format.next(), { timestamp: 1.75e12 + i * 1000 }),
    );
    const [from, to] = [1.75e12 + 100_000, 1.75e12 + 200_000];
    for (const collation of ['"C"', '"en-x-icu"', '"da-x-icu"']) {
      await rows("DROP TABLE IF EXISTS words");
      await rows(`CREATE TABLE words (id text COLLATE ${collation} PRIMARY KEY)`);
      await rows("INSERT INTO words SELECT unnest($1::text[])", [ids]);
      const [[count]] = (await rows(`SELECT count(*) FROM words WHERE ${between("id", from, to)}`)) as [
        [string],
      ];
      assert.equal(count, "100");
    }
    await rows('ALTER TABLE words ALTER COLUMN id TYPE text COLLATE "C"');
    const session = await connect();
    await session.rows("SET enable_seqscan = off");
    const plan = (await session.rows(`EXPLAIN SELECT * FROM words WHERE ${between("id", from, to)}`))
      .flat()
      .join("\n");
    await session.close();
    assert.match(plan, /Index Cond/);
  }
});
