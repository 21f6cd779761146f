// Stories for both PostgreSQL and MariaDB: transactions that never end, and common setup
// mistakes. Also the stories for PostgreSQL only.

import assert from "node:assert/strict";
import { importBuilt, importTool } from "../lib/places.mjs";
import { request, story, taken } from "../lib/story.mjs";
import { until } from "../lib/time.mjs";

/** A start may wait for longer than a story takes, so no error is caused by a timeout. */
const TIMES = { ttlMs: 1500, quarantineMs: 1500, maxWaitMs: 3_600_000 };

const NO_TABLE = [{}, { table: "nobody_made_it" }, /nobody_made_it.*call createTable\(\)/];
/**
 * For each server: a function that makes a pool, a statement, the query for the number of
 * statements that wait for a lock, and the setup mistakes.
 */
const SERVERS = {
  postgres: {
    async pool(port, { max = 4, ...options } = {}) {
      const { default: pg } = await importTool("pg");
      const own = { host: "127.0.0.1", user: "postgres", database: "postgres" };
      return new pg.Pool({ ...own, port, max, ...options }).on("error", () => {});
    },
    take: (pool) => pool.connect(),
    waiting: "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
    rowsOf: ({ rows }) => rows,
    statements: [
      "CREATE ROLE reader LOGIN",
      "CREATE ROLE nobody LOGIN",
      "GRANT SELECT ON graupel_lease TO reader",
      "CREATE ROLE careful LOGIN",
      "GRANT ALL ON graupel_lease TO careful",
      "ALTER ROLE careful SET default_transaction_read_only = on",
    ],
    mistakes: {
      "a table that is not there": NO_TABLE,
      "a schema that is not there": [{}, { table: "nowhere.leases" }, /nowhere.*call createTable\(\)/],
      "a database that is not there": [{ database: "nowhere" }, {}, /"nowhere" does not exist/],
      "an unknown user": [{ user: "unknown" }, {}, /"unknown" does not exist/],
      "no permission": [{ user: "nobody" }, {}, /permission denied/],
      "no permission to write": [{ user: "reader" }, {}, /permission denied/],
      "a server that only reads": [{ user: "careful" }, {}, /read-only/],
    },
  },
  mysql: {
    async pool(port, { max: connectionLimit = 4, ...options } = {}) {
      const { createPool } = await importTool("mysql2/promise");
      return createPool({
        host: "127.0.0.1",
        port,
        connectionLimit,
        user: "root",
        database: "mysql",
        ...options,
      });
    },
    take: (pool) => pool.getConnection(),
    waiting: "SELECT count(*) AS n FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'",
    rowsOf: ([rows]) => rows,
    statements: [
      "CREATE USER reader@'127.0.0.1'",
      "GRANT SELECT ON mysql.graupel_lease TO reader@'127.0.0.1'",
      "CREATE USER careful@'127.0.0.1' IDENTIFIED BY 'secret'",
      "CREATE DATABASE app",
      "GRANT ALL ON app.* TO careful@'127.0.0.1'",
      "CREATE TABLE app.graupel_lease LIKE mysql.graupel_lease",
      "SET GLOBAL read_only = 1",
    ],
    mistakes: {
      "a table that is not there": NO_TABLE,
      "a database that is not there": [{ database: "nowhere" }, {}, /Unknown database/],
      "a wrong password": [{ user: "careful", database: "app", password: "secreet" }, {}, /Access denied/],
      "an unknown user": [{ user: "unknown" }, {}, /Access denied/],
      "no permission to write": [{ user: "reader" }, {}, /command denied/],
      "a server that only reads": [{ user: "careful", database: "app", password: "secret" }, {}, /read-only/],
    },
  },
};

/** Releases leases. A busy server may answer too late, but the stories do not need its answer. */
const ended = (...workers) => Promise.all(workers.map((worker) => worker.release().catch(() => {})));

/** Releases a connection to a pool while its transaction is still open. */
async function leak(pool, take, max, writes) {
  const others = [];
  for (let i = 1; i < max; i++) others.push(await take(pool));
  const connection = await take(pool);
  await connection.query("BEGIN");
  await connection.query(writes ? "INSERT INTO mine VALUES (1)" : "SELECT 1");
  for (const other of others) other.release();
  connection.release();
  return pool;
}

for (const [server, { take, waiting, rowsOf, statements, mistakes, ...its }] of Object.entries(SERVERS)) {
  /** Starts a server. Returns functions that open pools and start leases. */
  async function begin(it) {
    const { port } = await it.begin();
    const built = await Promise.all(["lease", "index", `lease/${server}`].map(importBuilt));
    const [{ lease }, { twitter }, { [server]: storeOf }] = built;
    const pool = async (options) => {
      const made = await its.pool(port, options);
      it.afterwards(() => made.end());
      return made;
    };
    const admin = await pool();
    const start = (client, namespace, options, more) =>
      lease(storeOf(client, options), { format: twitter, namespace, ...TIMES, ...more });
    const isIdle = async () => Number(rowsOf(await admin.query(waiting))[0].n) === 0;
    return { pool, admin, start, idle: (what) => until(isIdle, `${what}: no statement waits`) };
  }

  story(server, "a transaction that never ends is refused, and holds up no other start", async (it) => {
    const { pool, admin, start, idle } = await begin(it);
    await admin.query("CREATE TABLE mine (it int)");
    let starts = 0;
    for (const known of [true, false])
      for (const writes of [true, false])
        for (const max of [1, 3])
          for (const durable of [true, false]) {
            const name = `${known ? "known" : "new"}:${writes}:${max}:${durable}`;
            if (known) await ended(await start(admin, name, { durable }));
            const leaky = await leak(await pool({ max }), take, max, writes);
            await assert.rejects(start(leaky, name, { durable }), { code: "CONFLICT" }, name);
            const other = await pool();
            const all = [other, other, admin].map((client) => start(client, name, { durable }));
            const workers = await Promise.all(all);
            await idle(name);
            assert.equal(new Set(workers.map(({ status }) => status.number)).size, 3);
            await ended(...workers);
            starts += 3 + known;
            if (max > 1) continue;
            await leaky.query("ROLLBACK");
            const mine = rowsOf(await admin.query("SELECT * FROM mine"));
            assert.equal(mine.length, 0, `${name}: the user's transaction was committed`);
          }
    return `${starts} starts beside transactions that never end`;
  });

  story(
    server,
    "a lock that never goes away: another number, and no statement stays on the server",
    async (it) => {
      const { admin, start, idle } = await begin(it);
      await ended(await start(admin, "orders"));
      // A transaction updates existing numbers and inserts others.
      const blocker = await take(admin);
      await blocker.query("BEGIN");
      await blocker.query(
        "UPDATE graupel_lease SET label = 'mine' WHERE namespace = 'orders' AND number = 0",
      );
      await blocker.query(
        "INSERT INTO graupel_lease VALUES ('orders', 1, '', 0, 0, ''), ('orders', 2, '', 0, 0, '')",
      );
      const workers = await Promise.all([1, 2].map(() => start(admin, "orders")));
      for (const { status } of workers) assert.ok(status.number > 2, `number ${status.number}`);
      const fixed = { datacenterId: 0, workerId: 1 };
      await assert.rejects(start(admin, "orders", {}, { fixed, maxWaitMs: 2000 }));
      await idle("after a refusal");
      await blocker.query("ROLLBACK");
      const last = await start(admin, "orders", {}, { fixed });
      assert.equal(last.status.number, 1);
      await ended(...workers, last);
      blocker.release();
    },
  );

  story(server, "what no waiting mends is refused at once", async (it) => {
    const { pool, admin, start } = await begin(it);
    for (const statement of statements) await admin.query(statement);
    for (const [what, [connection, options, message]] of Object.entries(mistakes)) {
      const like = { name: "GraupelError", code: "LEASE_STORE", permanent: true, message };
      await assert.rejects(start(await pool(connection), "orders", options), like, what);
    }
    return Object.keys(mistakes).join(", ");
  });
}

story("postgres", "a grant is on the disk, also where commits do not wait for it", async (it) => {
  const settings = { synchronous_commit: "off", wal_writer_delay: "10s" };
  const running = await it.begin({ durable: true, settings });
  const { store, raw } = await it.open(running);
  await raw.query("CREATE TABLE mine (it int)");
  const { number } = await taken(store, "first");
  const { until } = await store.renew({ ...request, number, token: "first", nextToken: "next" });
  await raw.query("INSERT INTO mine VALUES (1)");
  await running.kill();
  await running.again();
  const [record] = await store.list(request.namespace);
  assert.equal(record?.mark, until);
  const { rows } = await raw.query("SELECT count(*) FROM mine");
  return `the user's own last row ${rows[0].count === "0" ? "was lost" : "was kept"}`;
});

story(
  "postgres",
  "a transaction of postgres.js is refused: it may be rolled back around a grant",
  async (it) => {
    const { raw: sql } = await it.open(await it.begin(), { client: "postgres" });
    const { postgres } = await importBuilt("lease/postgres");
    await sql.begin((transaction) =>
      assert.rejects(taken(postgres(transaction, { durable: true }), "first"), { code: "CONFLICT" }),
    );
  },
);
