// What only PostgreSQL has: commits that do not sync, and a client that ends the process.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { connect as connectSocket, createServer } from "node:net";
import { request, taken } from "../lib/calls.mjs";
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

story(
  server,
  "a transaction of postgres.js is refused: it may be rolled back around a grant",
  async (afterwards) => {
    const running = await begin(server, afterwards);
    const { raw: sql } = await connectTo(running, afterwards, "postgres");
    const { postgres } = await importBuilt("lease/postgres");
    await sql.begin((transaction) =>
      assert.rejects(taken(postgres(transaction, { durable: true }), "first"), { code: "CONFLICT" }),
    );
  },
);

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
