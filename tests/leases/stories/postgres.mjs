// Stories for PostgreSQL only: commits without a sync, and the behaviour of postgres.js.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { connect as connectSocket, createServer } from "node:net";
import { importBuilt, tools } from "../lib/places.mjs";
import { request, story, taken } from "../lib/story.mjs";

const server = "postgres";

story(server, "a grant is on the disk, also where commits do not wait for it", async (it) => {
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

story(server, "a transaction of postgres.js is refused: it may be rolled back around a grant", async (it) => {
  const { raw: sql } = await it.open(await it.begin(), { client: "postgres" });
  const { postgres } = await importBuilt("lease/postgres");
  await sql.begin((transaction) =>
    assert.rejects(taken(postgres(transaction, { durable: true }), "first"), { code: "CONFLICT" }),
  );
});

/** Sends one query through a proxy. The exit code tells the outcome. */
const ASKS = `
const [url, options] = process.argv.slice(1);
const sql = require("postgres")(url, { ...JSON.parse(options), onnotice() {} });
sql.unsafe("SELECT $1::text AS it", ["mine"]).then(() => process.exit(3), () => setTimeout(() => process.exit(4), 500));`;

story(
  server,
  "postgres.js, cut off while it connects, ends the process unless it fetches no types",
  async (it) => {
    const { port } = await it.begin();
    const door = createServer((client) => {
      const primary = connectSocket(port, "127.0.0.1");
      primary.on("error", () => {}).pipe(client.on("error", () => {}));
      client.on("data", (data) => {
        // The first query after connecting.
        if (/pg_type|AS it/.test(data.toString("latin1"))) client.resetAndDestroy();
        else primary.write(data);
      });
    });
    await new Promise((done) => door.listen(0, "127.0.0.1", done));
    it.afterwards(() => door.close());
    const url = `postgres://postgres@127.0.0.1:${door.address().port}/postgres`;
    const codes = [];
    for (const options of [{}, { fetch_types: false }]) {
      const args = ["-e", ASKS, url, JSON.stringify(options)];
      const child = spawn(process.execPath, args, { cwd: tools, stdio: "ignore" });
      it.afterwards(() => child.kill("SIGKILL"));
      codes.push(await new Promise((done) => child.on("exit", done)));
    }
    // Exit code 1 is an error that no handler could catch. If this changes, remove the note from
    // the guide.
    assert.deepEqual(codes, [1, 4]);
  },
);
