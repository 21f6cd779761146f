/** SQLite in workerd: the guide's programs in Cloudflare D1, and Drizzle in a Durable Object. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { withModules } from "../support/guide.ts";

/** A worker that runs the operation in the request's path. */
const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/durable-sqlite";
import { eq } from "drizzle-orm";
import { sqliteTable } from "drizzle-orm/sqlite-core";
import { sno, snowflakeSI } from "graupel";
import { sqliteId } from "graupel/drizzle";
import guide from "./d1.mjs";
import * as texts from "./d1-texts.mjs";

const si = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });

/** Rows with a number and a text as IDs that are written, read, found and compared. */
export class Rows extends DurableObject {
  async fetch() {
    const { storage } = this.ctx;
    storage.sql.exec("CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, log TEXT) STRICT");
    const ids = si.generator({ machineId: 3 });
    const table = sqliteTable("t", { id: sqliteId(si, ids)().primaryKey(), log: sqliteId(sno)() });
    const db = drizzle(storage);
    const log = sno.next();
    const [made] = await db.insert(table).values({ log }).returning();
    const found = await db.select().from(table).where(eq(table.log, log));
    return Response.json([si.isValid(made.id), made.log === log, found.length, found[0].id === made.id]);
  }
}

const PATHS = {
  async "/guide"({ DB }) {
    await DB.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT)");
    await DB.exec("CREATE TABLE notes (id TEXT PRIMARY KEY NOT NULL, order_id INTEGER)");
    const { order, note } = await (await guide.fetch(undefined, { DB })).json();
    return Response.json([si.isValid(order.id), sno.isValid(note.id), note.orderId === order.id]);
  },
  async "/texts"({ DB }) {
    await DB.exec("DROP TABLE IF EXISTS orders");
    await DB.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID");
    return Response.json(String(await texts.save(DB, 1585841080431321657n)));
  },
  "/durable-object": ({ ROWS }, request) => ROWS.get(ROWS.idFromName("one")).fetch(request),
};

export default { fetch: (request, env) => PATHS[new URL(request.url).pathname](env, request) };
`;

let host: Miniflare;
before(async () => {
  const script = await withModules("sqlite.md", "mjs", async (resolveDir) => {
    const { outputFiles } = await build({
      stdin: { contents: WORKER, resolveDir },
      bundle: true,
      write: false,
      format: "esm",
      conditions: ["workerd"],
      external: ["node:*", "cloudflare:*"],
    });
    return outputFiles[0]?.text ?? "";
  });
  host = new Miniflare({
    modules: true,
    script,
    compatibilityDate: "2026-07-01",
    host: "127.0.0.1",
    d1Databases: ["DB"],
    durableObjects: { ROWS: { className: "Rows", useSQLite: true } },
  });
  await host.ready;
});
after(() => host?.dispose());

for (const [path, wanted] of [
  ["guide", [true, true, true]],
  ["texts", "1585841080431321657"],
  ["durable-object", [true, true, 1, true]],
] as const) {
  test(path, async () =>
    assert.deepEqual(await (await host.dispatchFetch(`http://worker/${path}`)).json(), wanted),
  );
}
