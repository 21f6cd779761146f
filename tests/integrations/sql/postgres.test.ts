/** SQL in PostgreSQL: expressions, functions, partitions and defaults. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { twitter } from "graupel";
import { sql } from "graupel/sql";
import pg from "pg";
import { runGuide } from "../support/guide.ts";
import { usePool } from "../support/servers.ts";
import {
  behavesAsEverywhere,
  MADE,
  madeBySessions,
  odd,
  placeIn,
  type Session,
  texts,
  type Words,
} from "./common.ts";

const server = usePool(3);

const rows = async (text: string, values: unknown[] = []) =>
  texts((await server.pool.query({ text, values, rowMode: "array" })).rows);
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

const words: Words = {
  ...{ dialect: "postgres", rows, connect, schema: "public", unsigned: "bigint" },
  async planOf(query, values = [], settings = "SELECT 1") {
    const session = await connect();
    await session.rows(settings);
    const plan = await session.rows(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${query}`, values);
    await session.close();
    return plan.flat().join("\n");
  },
  ago: (number, unit) => `now() - interval '${number} ${unit}'`,
  instant: (text) => `timestamptz '${text}+00'`,
  textOf: (time) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS')`,
  zones: ["UTC", "Europe/Berlin", "Asia/Kathmandu"],
  setZone: (zone) => `SET TIME ZONE '${zone}'`,
  hours: "SELECT g * 4194304::bigint * 3600000 FROM generate_series(1, 100000) AS g",
  seen: [
    "placeholders",
    sql(twitter, "postgres").between("id", "$1", { unixMs: "$2" }),
    [new Date(1.5e12), 1.500001e12],
  ],
  usesKey: (plan) =>
    /Index Only Scan using seen_pkey|Bitmap Index Scan on seen_pkey/.test(plan) && !plan.includes("Filter"),
  partitioned: "PARTITION BY RANGE (id)",
  partition: (month) => `events_${month}`,
  of: (partition) => partition,
  partitionsIn: (plan) => [
    ...new Set([...plan.matchAll(/on (events_\w+?)(_pkey| |$)/gm)].map(([, name = ""]) => name)),
  ],
  insert: (table, ids) =>
    server.pool.query(
      `INSERT INTO ${table} SELECT unnest($1::text[])::${/words/.test(table) ? "text" : "bigint"}`,
      [ids],
    ),
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  names: ['a"b', "a.b", "Größe; --", "'x'", "$$", "back\\slash", "日本"],
  quoting: ["SELECT 1"],
  texts: {
    'text COLLATE "C"': "SET enable_seqscan = off",
    'text COLLATE "en-x-icu"': undefined,
    'text COLLATE "da-x-icu"': undefined,
  },
};
behavesAsEverywhere(words);

for (const [page, kind, lines] of [
  ["shard.md", "postgres", 1],
  ["order.md", "order", 10],
] as const) {
  test(`the guide ${page}`, async () => {
    await rows(`CREATE DATABASE ${kind}_of_guide`);
    const { host, port, user } = server.options;
    const env = { DATABASE_URL: `postgres://${user}@${host}:${port}/${kind}_of_guide` };
    await runGuide(page, kind, { env, lines });
  });
}

test("infinite times have the first and the last bound", async () => {
  const { min, max } = sql(twitter, "postgres");
  const { min: first, max: last } = twitter.range();
  const bounds = [min("'-infinity'"), max("'-infinity'"), min("'infinity'"), max("'infinity'")];
  assert.deepEqual(await rows(`SELECT ${bounds.join()}`), [[`${first}`, null, null, `${last}`]]);
});

test("functions are immutable enough for an index and a column", async () => {
  await rows("CREATE INDEX ON seen (seen_time(id))");
  await rows("ALTER TABLE seen ADD COLUMN made timestamptz GENERATED ALWAYS AS (seen_time(id)) STORED");
});

test("a query with now() skips partitions when it starts; earlier rows have no partition", async () => {
  const { between } = sql(odd, "postgres");
  const condition = between("id", "now() - interval '1 day'", "now()");
  assert.match(await words.planOf(`SELECT count(*) FROM events WHERE ${condition}`), /Subplans Removed: 8/);
  const { max: earlier } = odd.range(undefined, Date.UTC(2024, 6, 1));
  await assert.rejects(rows("INSERT INTO events VALUES ($1)", [earlier]), /no partition/);
});

describe("defaults", () => {
  madeBySessions(words, "defaults", { each: 1000 });

  test("a full tick waits, and the IDs are in order", async () => {
    const [, format] = MADE.find(([name]) => name === "ticks of 10 ms") as (typeof MADE)[0];
    const i = MADE.findIndex(([name]) => name === "ticks of 10 ms");
    const found = await rows(
      `INSERT INTO defaults${i} (note) SELECT g FROM generate_series(1, 3000) AS g RETURNING id, note`,
    );
    const ids = found.map(([id]) => BigInt(id as string));
    const times = ids.map((id) => format.inspect(format.fromBigInt(id)).timestamp);
    assert.ok((times[2999] as number) - (times[0] as number) >= 110);
    assert.ok((times[2999] as number) <= Date.now());
    // The machine field is below the sequence.
    const sorted = [...ids].sort((a, b) => (a < b ? -1 : 1));
    assert.deepEqual(ids, sorted);
  });

  test("open transactions block nobody, and IDs that they roll back are not reused", async () => {
    const [a, b] = await Promise.all([connect(), connect()]);
    await a.rows("BEGIN");
    const [[first]] = (await a.rows("INSERT INTO defaults0 (note) VALUES ('a') RETURNING id")) as [[string]];
    await b.rows("SET statement_timeout = 60000");
    const [[second]] = (await b.rows("INSERT INTO defaults0 (note) VALUES ('b') RETURNING id")) as [[string]];
    await a.rows("ROLLBACK");
    const [[third]] = (await a.rows("INSERT INTO defaults0 (note) VALUES ('c') RETURNING id")) as [[string]];
    assert.ok(BigInt(first) < BigInt(second) && BigInt(second) < BigInt(third));
    assert.deepEqual(await rows("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), [["0"]]);
    await Promise.all([a.close(), b.close()]);
  });

  test("a counter ahead of the clock waits, and fails beyond the limit", async () => {
    await rows("CREATE TABLE ahead (id bigint PRIMARY KEY, note text)");
    const fields = { datacenterId: 1, workerId: 1 };
    const target = { table: "ahead", column: "id", fields, maxAheadMs: 1000 };
    await run(sql(twitter, "postgres").defaults(target));
    await rows(`SELECT setval('ahead_id_last', ${placeIn(400)})`);
    const [[id]] = (await rows("INSERT INTO ahead (note) VALUES ('x') RETURNING id")) as [[string]];
    assert.ok(twitter.timestamp(id) <= Date.now());
    const far = placeIn(60_000);
    await rows(`SELECT setval('ahead_id_last', ${far})`);
    await assert.rejects(rows("INSERT INTO ahead (note) VALUES ('x')"), /ms behind the last ID/);
    // A rejected insert does not advance the counter and leaves no lock.
    assert.deepEqual(await rows("SELECT last_value FROM ahead_id_last"), [[`${far}`]]);
    assert.deepEqual(await rows("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), [["0"]]);
  });

  test("sessions that are cancelled at any moment leave no lock", async () => {
    await Promise.all(
      Array.from({ length: 8 }, async (_, session) => {
        const own = await connect();
        // Set the timeout once, before any applies: on a busy machine, a second SET would exceed
        // the previous timeout.
        await own.rows(`SET statement_timeout = ${1 + (session % 5)}`);
        for (let i = 0; i < 60; i++) {
          await own
            .rows("INSERT INTO defaults0 (note) SELECT g FROM generate_series(1, 5000) AS g")
            .catch(({ code }) => assert.equal(code, "57014"));
        }
        await own.close();
      }),
    );
    assert.deepEqual(await rows("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), [["0"]]);
  });

  test("a role needs only USAGE and UPDATE of the sequence", async () => {
    await run(["CREATE ROLE app", "GRANT INSERT, SELECT ON defaults0 TO app"]);
    const own = await connect();
    await own.rows("SET ROLE app");
    const insert = () => own.rows("INSERT INTO defaults0 (note) VALUES ('x')");
    await assert.rejects(insert, /permission denied for sequence/);
    await rows("GRANT USAGE, UPDATE ON defaults0_id_last TO app");
    await insert();
    await own.close();
  });
});
