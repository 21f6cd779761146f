// What only MariaDB has: transactions of the user on the connection.

import { mustBeHeld, request, taken } from "../lib/calls.mjs";
import { begin, connectTo } from "../lib/disasters.mjs";
import { importBuilt } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";

const server = "mysql";

story(server, "a transaction of the user, rolled back around a call", async (afterwards) => {
  const running = await begin(server, afterwards, { durable: true });
  const connect = (client) => connectTo(running, afterwards, client);
  const { store, raw: connection } = await connect("mysql2, one connection");
  await connection.query("CREATE TABLE mine (it INT) ENGINE=InnoDB");
  await connection.query("START TRANSACTION");
  await connection.query("INSERT INTO mine VALUES (1)");
  const grant = await taken(store, "first").catch(({ code }) => code);
  if (grant !== "CONFLICT") throw new Error(`granted ${JSON.stringify(grant)}, which can be undone`);
  await connection.query("ROLLBACK");
  const [rows] = await connection.query("SELECT * FROM mine");
  if (rows.length > 0) throw new Error("the store has committed the user's transaction");
  if ((await store.list(request.namespace)).length > 0) throw new Error("something was granted");
  // A pool has another connection for the store.
  const { store: pooled, raw: pool } = await connect("mysql2, a pool");
  const other = await pool.getConnection();
  await other.query("START TRANSACTION");
  const { number } = await taken(pooled, "pool");
  await other.query("ROLLBACK");
  other.release();
  await mustBeHeld(pooled, number, "a rollback has undone a grant");
});

story(server, "what changes between reading and writing is read again", async (afterwards) => {
  const running = await begin(server, afterwards, { durable: true });
  const { store, raw, close } = await running.connect();
  afterwards(close);
  // The grant begins well before the end of its time to live, so that some of it can be used.
  const { namespace, ttlMs } = request;
  const only = { ...request, last: 0, quarantineMs: ttlMs - 1000 };
  const first = await taken(store, "first", only);
  await store.release({ namespace, number: 0, tokens: ["first"], nextFree: 0 });
  /** Takes the number, uses some of its time, and gives it back. */
  const meanwhile = async () => {
    const { from } = await taken(store, "other", only);
    await store.release({ namespace, number: 0, tokens: ["other"], nextFree: from + 700 });
  };
  let isFirst = true;
  const execute = async (sql, values) => {
    if (isFirst && sql.startsWith("UPDATE")) {
      isFirst = false;
      await meanwhile();
    }
    return raw.execute(sql, values);
  };
  const { mysql } = await importBuilt("lease/mysql");
  const { from } = await taken(mysql({ execute }, { durable: true }), "second", only);
  if (from !== first.from + 700) throw new Error(`from ${from}, not ${first.from + 700}`);
});
