// What the stores in PostgreSQL and MariaDB have in common: transactions that never end, and mistakes of the first minute.

import assert from "node:assert/strict";
import { begin } from "../lib/disasters.mjs";
import { importBuilt, importTool } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";
import { until } from "../lib/time.mjs";

/** A start waits for longer than a story may take: nothing is refused because it took long. */
const TIMES = { ttlMs: 1500, quarantineMs: 1500, maxWaitMs: 3_600_000 };

/** For each server: a pool, a statement of it, the number of statements that wait for a lock, and what mistakes of the first minute are. */
const SERVERS = {
  postgres: {
    entry: "lease/postgres",
    async pool({ port }, { max = 4, user = "postgres", password, database = "postgres" } = {}) {
      const { default: pg } = await importTool("pg");
      const made = new pg.Pool({ host: "127.0.0.1", port, max, user, password, database });
      return made.on("error", () => {});
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
      "a table that is not there": [{}, { table: "nobody_made_it" }, /nobody_made_it.*call createTable\(\)/],
      "a schema that is not there": [{}, { table: "nowhere.leases" }, /nowhere.*call createTable\(\)/],
      "a database that is not there": [{ database: "nowhere" }, {}, /"nowhere" does not exist/],
      "an unknown user": [{ user: "unknown" }, {}, /"unknown" does not exist/],
      "no permission": [{ user: "nobody" }, {}, /permission denied/],
      "no permission to write": [{ user: "reader" }, {}, /permission denied/],
      "a server that only reads": [{ user: "careful" }, {}, /read-only/],
    },
  },
  mysql: {
    entry: "lease/mysql",
    async pool({ port }, { max = 4, user = "root", password, database = "mysql" } = {}) {
      const { createPool } = await importTool("mysql2/promise");
      return createPool({ host: "127.0.0.1", port, connectionLimit: max, user, password, database });
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
      "a table that is not there": [{}, { table: "nobody_made_it" }, /nobody_made_it.*call createTable\(\)/],
      "a database that is not there": [{ database: "nowhere" }, {}, /Unknown database/],
      "a wrong password": [{ user: "careful", database: "app", password: "secreet" }, {}, /Access denied/],
      "an unknown user": [{ user: "unknown" }, {}, /Access denied/],
      "no permission to write": [{ user: "reader" }, {}, /command denied/],
      "a server that only reads": [{ user: "careful", database: "app", password: "secret" }, {}, /read-only/],
    },
  },
};

/** Whether no statement waits for a lock. */
async function isIdle(its, admin) {
  const [{ n }] = its.rowsOf(await admin.query(its.waiting));
  return Number(n) === 0;
}

/** A pool that has got a connection back before its transaction had ended. */
async function leaking(server, running, afterwards, max, writes) {
  const { pool: poolOf, take } = SERVERS[server];
  const pool = await poolOf(running, { max });
  afterwards(() => pool.end());
  const others = [];
  for (let i = 1; i < max; i++) others.push(await take(pool));
  const connection = await take(pool);
  await connection.query("BEGIN");
  await connection.query(writes ? "INSERT INTO mine VALUES (1)" : "SELECT 1");
  for (const other of others) other.release();
  connection.release();
  return pool;
}

for (const [server, its] of Object.entries(SERVERS)) {
  story(
    server,
    "a transaction that never ends is refused, and holds up no other start",
    async (afterwards) => {
      const running = await begin(server, afterwards);
      const [{ lease }, { twitter }, entry] = await Promise.all(
        ["lease", "index", its.entry].map(importBuilt),
      );
      const storeOf = entry[server];
      const admin = await its.pool(running);
      afterwards(() => admin.end());
      await admin.query("CREATE TABLE mine (it int)");
      let starts = 0;
      for (const namespace of ["known", "new"])
        for (const writes of [true, false])
          for (const max of [1, 3])
            for (const durable of [true, false]) {
              const name = `${namespace}:${writes}:${max}:${durable}`;
              const options = { format: twitter, namespace: name, ...TIMES };
              const start = async (pool) => {
                const worker = await lease(storeOf(pool, { durable }), options);
                starts++;
                return worker;
              };
              if (namespace === "known") await (await start(admin)).release();
              const leaky = await leaking(server, running, afterwards, max, writes);
              const refused = start(leaky).then(
                () => assert.fail(`${name}: granted within a transaction`),
                (error) => error.code,
              );
              assert.equal(await refused, "CONFLICT", name);
              const other = await its.pool(running);
              afterwards(() => other.end());
              const workers = await Promise.all([start(other), start(other), start(admin)]);
              await until(() => isIdle(its, admin), `${name}: no statement waits`);
              assert.equal(new Set(workers.map(({ status }) => status.number)).size, 3);
              await Promise.all(workers.map((worker) => worker.release()));
              if (max > 1) continue;
              await leaky.query("ROLLBACK");
              const mine = its.rowsOf(await admin.query("SELECT * FROM mine"));
              assert.equal(mine.length, 0, `${name}: the user's transaction was committed`);
            }
      return `${starts} starts beside transactions that never end`;
    },
  );

  story(
    server,
    "a lock that never goes away: another number, and no statement stays on the server",
    async (afterwards) => {
      const running = await begin(server, afterwards);
      const [{ lease }, { twitter }, entry] = await Promise.all(
        ["lease", "index", its.entry].map(importBuilt),
      );
      const admin = await its.pool(running);
      afterwards(() => admin.end());
      const store = entry[server](admin);
      const options = { format: twitter, ...TIMES };
      const first = await lease(store, { ...options, namespace: "orders" });
      await first.release();
      // Somebody changes the numbers that are there, and is about to insert others.
      const blocker = await its.take(admin);
      await blocker.query("BEGIN");
      await blocker.query(
        "UPDATE graupel_lease SET label = 'mine' WHERE namespace = 'orders' AND number = 0",
      );
      for (const number of [1, 2]) {
        await blocker.query(`INSERT INTO graupel_lease VALUES ('orders', ${number}, '', 0, 0, '')`);
      }
      const workers = await Promise.all([1, 2].map(() => lease(store, { ...options, namespace: "orders" })));
      for (const { status } of workers) assert.ok(status.number > 2, `number ${status.number}`);
      const fixed = { datacenterId: 0, workerId: 1 };
      await assert.rejects(lease(store, { ...options, namespace: "orders", fixed, maxWaitMs: 2000 }));
      await until(() => isIdle(its, admin), "no statement waits");
      await blocker.query("ROLLBACK");
      const last = await lease(store, { ...options, namespace: "orders", fixed });
      assert.equal(last.status.number, 1);
      for (const worker of [...workers, last]) await worker.release();
      blocker.release();
    },
  );

  story(server, "what no waiting mends is refused at once", async (afterwards) => {
    const running = await begin(server, afterwards);
    const [{ lease }, { GraupelError, twitter }, entry] = await Promise.all(
      ["lease", "index", its.entry].map(importBuilt),
    );
    const admin = await its.pool(running);
    afterwards(() => admin.end());
    for (const statement of its.statements) await admin.query(statement);
    for (const [what, [connection, options, words]] of Object.entries(its.mistakes)) {
      const pool = await its.pool(running, connection);
      afterwards(() => pool.end());
      const asked = { ...TIMES, format: twitter, namespace: "orders" };
      const error = await lease(entry[server](pool, options), asked).then(
        () => assert.fail(`${what}: granted`),
        (reason) => reason,
      );
      assert.ok(GraupelError.is(error) && error.permanent, `${what}: ${error}`);
      assert.equal(error.code, "LEASE_STORE", what);
      assert.match(error.message, words, what);
    }
    return Object.keys(its.mistakes).join(", ");
  });
}
