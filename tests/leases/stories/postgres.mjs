// Stories for PostgreSQL only: commits without a sync, and transactions of postgres.js.

import assert from "node:assert/strict";
import { importBuilt } from "../lib/places.mjs";
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
