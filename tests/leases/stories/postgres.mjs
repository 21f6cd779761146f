// What only PostgreSQL has: commits that do not sync, and transactions of the user on the connection.

import { mustBeHeld, request, taken } from "../lib/calls.mjs";
import { begin, connectTo } from "../lib/disasters.mjs";
import { importBuilt } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";

const server = "postgres";

story(server, "a grant is on the disk, also where commits do not wait for it", async (afterwards) => {
  const settings = { synchronous_commit: "off", wal_writer_delay: "10s" };
  const running = await begin(server, afterwards, { durable: true, settings });
  const { store, raw, close } = await running.connect();
  afterwards(close);
  await raw.query("CREATE TABLE mine (it int)");
  const { number } = await taken(store, "first");
  const renewal = { namespace: request.namespace, number, ttlMs: 1000, token: "first", nextToken: "next" };
  const { until: end } = await store.renew(renewal);
  await raw.query("INSERT INTO mine VALUES (1)");
  await running.kill();
  await running.again();
  const [record] = await store.list(request.namespace);
  const [{ count }] = await running.query("SELECT count(*) FROM mine");
  if (record?.mark !== end) throw new Error(`the record is ${JSON.stringify(record)}, not until ${end}`);
  return `the user's own last row ${count === "0" ? "was lost" : "was kept"}`;
});

story(server, "a transaction of the user, rolled back around a call", async (afterwards) => {
  const running = await begin(server, afterwards, { durable: true });
  const connect = (client) => connectTo(running, afterwards, client);
  const isRefused = (error) => {
    if (error.code !== "CONFLICT") throw error;
    return true;
  };
  const refusedIn = async (store, what) => {
    const grant = await taken(store, what).catch(isRefused);
    if (grant !== true) throw new Error(`${what}: granted ${JSON.stringify(grant)}, which can be undone`);
  };
  const { store, raw: client } = await connect("pg, one client");
  await client.query("BEGIN");
  await refusedIn(store, "one client");
  await client.query("ROLLBACK");
  const { raw: sql } = await connect("postgres");
  const { postgres } = await importBuilt("lease/postgres");
  await sql
    .begin(async (transaction) => {
      await refusedIn(postgres(transaction, { durable: true }), "begin of postgres");
      throw new Error("roll back");
    })
    .catch(({ message }) => {
      if (message !== "roll back") throw new Error(message);
    });
  if ((await store.list(request.namespace)).length > 0) throw new Error("something was granted");
  // A pool has another connection for the store.
  const { store: pooled, raw: pool } = await connect("pg, a pool");
  const other = await pool.connect();
  await other.query("BEGIN");
  const { number } = await taken(pooled, "pool");
  await other.query("ROLLBACK");
  other.release();
  await mustBeHeld(pooled, number, "a rollback has undone a grant");
  // Some give a connection back before its transaction has ended.
  const left = await pool.connect();
  await left.query("BEGIN");
  left.release();
  await refusedIn(pooled, "a pool with an open transaction");
  await pool.query("ROLLBACK");
});
