/** IDs that the database generates: defaults in both databases, and triggers in MariaDB. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
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
import { sql } from "graupel/sql";
import { database } from "../support/servers.ts";
import { connect, dialect, rows, run, words } from "./dialects.ts";

const epoch = Date.UTC(2024, 0, 1);

/**
 * Formats whose IDs a database generates, with the fixed fields of its worker. The ticks hold few
 * or many IDs.
 */
type Made = readonly [name: string, format: AnyFormat, fields: Record<string, number>];
const ofTicks = (tickMs: number, fields: Record<string, number> & { time: number; sequence: number }) =>
  snowflake({ epoch, tickMs, fields }) as AnyFormat;
const MADE: readonly Made[] = [
  ["twitter", twitter, { datacenterId: 31, workerId: 30 }],
  ["discord", discord, { internalWorkerId: 3, internalProcessId: 5 }],
  ["instagram", instagram, { shardId: 8191 }],
  ["mastodon", mastodon, {}],
  ["ticks of 10 ms", ofTicks(10, { time: 39, sequence: 8, machineId: 16 }), { machineId: 65535 }],
  ["nanoflake", nanoflake({ epoch }), { generatorId: 1023 }],
  ["nanoflake, reference-24", nanoflake({ epoch, layout: "reference-24" }), { generatorId: 9 }],
  ["snowflake-si", snowflakeSI({ epoch }), { machineId: 17 }],
  ["its text", twitter.text, { datacenterId: 1, workerId: 2 }],
  ["ticks of 7 ms", ofTicks(7, { time: 38, region: 4, sequence: 12, zone: 3 }), { region: 9, zone: 5 }],
];

/**
 * Many sessions insert rows concurrently, one or several at a time. All IDs must be distinct, have
 * these fields and the current time.
 */
async function insertsOfSessions(
  format: AnyFormat,
  fields: Record<string, number>,
  { table, each, aheadMs = 2 }: { readonly table: string; readonly each: number; readonly aheadMs?: number },
): Promise<void> {
  const sessions = 16;
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
    for (const [name, value] of Object.entries(fields))
      assert.equal(inspection[name], value, `${name} of ${id}`);
    const { timestamp } = inspection;
    assert.ok(timestamp > began - format.layout.tickMs - 2, `${timestamp} of ${id}`);
    assert.ok(timestamp <= Date.now() + aheadMs, `${timestamp} of ${id}`);
  }
}

/**
 * Tests sessions that insert into a table for each format. `make`: returns the statements for its
 * column.
 */
function madeBySessions(
  make: "defaults" | "trigger",
  { formats = MADE, each, aheadMs = 2 }: { formats?: typeof MADE; each: number; aheadMs?: number },
): void {
  for (const [i, [name, format, fields]] of formats.entries()) {
    test(`16 sessions: ${name}`, async () => {
      const table = `${make}${i}`;
      const type = format === discord ? words.unsigned : "bigint";
      await rows(`CREATE TABLE ${table} (id ${type} PRIMARY KEY, note text)`);
      const { [make]: statements } = sql(format, dialect) as ReturnType<typeof sql<"mysql">>;
      const named = make === "defaults" ? ([words.schema, table] as const) : table;
      for (const statement of statements({ table: named, column: "id", fields })) await rows(statement);
      await insertsOfSessions(format, fields, { table, each, aheadMs });
    });
  }
}

/** The position of a counter at this many milliseconds from now. */
const placeIn = (ms: number) => (twitter.toBigInt(twitter.range(Date.now() + ms).min) >> 22n) << 12n;

if (database === "postgres")
  describe("defaults of PostgreSQL", () => {
    madeBySessions("defaults", { each: 1000 });

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
      const [[first]] = (await a.rows("INSERT INTO defaults0 (note) VALUES ('a') RETURNING id")) as [
        [string],
      ];
      await b.rows("SET statement_timeout = 60000");
      const [[second]] = (await b.rows("INSERT INTO defaults0 (note) VALUES ('b') RETURNING id")) as [
        [string],
      ];
      await a.rows("ROLLBACK");
      const [[third]] = (await a.rows("INSERT INTO defaults0 (note) VALUES ('c') RETURNING id")) as [
        [string],
      ];
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

if (database === "mysql")
  describe("defaults of MariaDB", () => {
    // In the other formats, a tick holds fewer IDs than MariaDB generates in it, and MariaDB does not
    // wait.
    const wide = MADE.filter(([, { capacity, layout }]) => capacity / layout.tickMs > 500);
    madeBySessions("defaults", { formats: wide, each: 1000 });

    test("a statement may insert more rows than a tick holds", async () => {
      await rows("INSERT INTO defaults0 (note) SELECT 'x' FROM seq_1_to_20000");
    });

    test("the primary key rejects a repeated ID", async () => {
      const [name, format, fields] = MADE.find(([name]) => name === "ticks of 10 ms") as (typeof MADE)[0];
      await rows("CREATE TABLE few (id BIGINT PRIMARY KEY, note text)");
      await run(sql(format, "mysql").defaults({ table: "few", column: "id", fields }));
      const many = rows("INSERT INTO few (note) SELECT 'x' FROM seq_1_to_50000");
      await assert.rejects(many, /Duplicate entry/, name);
    });
  });

if (database === "mysql")
  describe("triggers", () => {
    madeBySessions("trigger", { each: 150, aheadMs: 10_000 });

    test("a given ID is kept", async () => {
      await rows("INSERT INTO trigger0 VALUES (7, 'given')");
      assert.deepEqual(await rows("SELECT note FROM trigger0 WHERE id = 7"), [["given"]]);
    });

    test("a counter ahead of the clock counts on, and fails beyond the limit", async () => {
      await rows("DELETE FROM trigger0");
      const near = placeIn(5000);
      await rows(`UPDATE trigger0_id_last SET place = ${near}`);
      await rows("INSERT INTO trigger0 (note) VALUES ('x'), ('y')");
      assert.deepEqual(await rows("SELECT place FROM trigger0_id_last"), [[`${near + 2n}`]]);
      const far = placeIn(60_000);
      await rows(`UPDATE trigger0_id_last SET place = ${far}`);
      await assert.rejects(rows("INSERT INTO trigger0 (note) VALUES ('x')"), /far behind the last ID/);
      assert.deepEqual(await rows("SELECT place FROM trigger0_id_last"), [[`${far}`]]);
    });

    test("an ID that a transaction rolls back may be reused, and no other session gets it before", async () => {
      const [a, b] = await Promise.all([connect(), connect()]);
      await a.rows("BEGIN");
      await a.rows("INSERT INTO trigger1 (note) VALUES ('a')");
      await b.rows("SET innodb_lock_wait_timeout = 1");
      await assert.rejects(b.rows("INSERT INTO trigger1 (note) VALUES ('b')"), /Lock wait timeout/);
      await a.rows("ROLLBACK");
      await b.rows("INSERT INTO trigger1 (note) VALUES ('b')");
      await Promise.all([a.close(), b.close()]);
    });
  });
