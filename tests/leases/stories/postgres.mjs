// What only PostgreSQL has: commits that do not sync, and transactions of the user on the connection.

import { spawn } from "node:child_process";
import { connect as connectSocket, createServer } from "node:net";
import { mustBeHeld, request, taken } from "../lib/calls.mjs";
import { begin, connectTo } from "../lib/disasters.mjs";
import { importBuilt, tools } from "../lib/places.mjs";
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

/** Asks once, through a door, and says how that ends. */
const ASKS = `
const [url, options] = process.argv.slice(1);
const sql = require("postgres")(url, { ...JSON.parse(options), onnotice() {} });
sql.unsafe("SELECT $1::text AS it", ["mine"]).then(() => process.exit(3), () => setTimeout(() => process.exit(4), 500));`;

story(
  server,
  "postgres.js, cut off while it connects, ends the process unless it fetches no types",
  async (afterwards) => {
    const { port } = await begin(server, afterwards);
    const door = createServer((client) => {
      const primary = connectSocket(port, "127.0.0.1");
      primary.on("error", () => {}).pipe(client.on("error", () => {}));
      client.on("data", (data) => {
        // The first thing that it asks once it is connected.
        if (/pg_type|AS it/.test(data.toString("latin1"))) client.resetAndDestroy();
        else primary.write(data);
      });
    });
    await new Promise((done) => door.listen(0, "127.0.0.1", done));
    afterwards(() => door.close());
    const url = `postgres://postgres@127.0.0.1:${door.address().port}/postgres`;
    const codeWith = async (options) => {
      const child = spawn(process.execPath, ["-e", ASKS, url, JSON.stringify(options)], {
        cwd: tools,
        stdio: "ignore",
      });
      afterwards(() => child.kill("SIGKILL"));
      return new Promise((done) => child.on("exit", done));
    };
    const codes = [await codeWith({}), await codeWith({ fetch_types: false })];
    // 1: an error that nobody could have handled. If this is no longer so, the guide need not say it.
    if (`${codes}` !== "1,4") throw new Error(`ended with ${codes}`);
  },
);
