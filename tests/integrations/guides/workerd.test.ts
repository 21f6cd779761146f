/** SQLite in workerd: the guide's programs, and Drizzle in Cloudflare D1 and in a Durable Object. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
// @ts-expect-error: no types
import { blocksOf, pageOf } from "../../support/pages.mjs";
import { withModules } from "../support/guide.ts";

/** A worker that runs the operation in the request's path. */
const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { drizzle as drizzleD1 } from "drizzle-orm/d1";
import { drizzle } from "drizzle-orm/durable-sqlite";
import { eq } from "drizzle-orm";
import { sqliteTable } from "drizzle-orm/sqlite-core";
import { sno, snowflakeSI } from "graupel";
import { sqliteId } from "graupel/drizzle";
import guide from "./d1.mjs";
import * as texts from "./d1-texts.mjs";
import { Tickets } from "./d1.mjs";
export { Tickets };

const si = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
const TABLE = "CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, log TEXT) STRICT";

/** Rows with a number and a text as IDs that are written, read, found and compared. */
async function rows(db) {
  const ids = si.generator({ machineId: 3 });
  const table = sqliteTable("t", { id: sqliteId(si, ids)().primaryKey(), log: sqliteId(sno)() });
  const log = sno.next();
  const [made] = await db.insert(table).values({ log }).returning();
  const found = await db.select().from(table).where(eq(table.log, log));
  return Response.json([si.isValid(made.id), made.log === log, found.length, found[0].id === made.id]);
}

export class Rows extends DurableObject {
  fetch() {
    this.ctx.storage.sql.exec(TABLE);
    return rows(drizzle(this.ctx.storage));
  }
}

/** The guide's object: in one request, more IDs than a tick holds, and a start behind the newest ID. */
export class Starts extends Tickets {
  twice() {
    const ids = Array.from({ length: 300 }, () => this.add("one of many"));
    const newest = si.range(Date.now() + 5000).min;
    this.sql.exec("INSERT INTO tickets VALUES (?, ?)", newest, "issued ahead of the clock");
    return [new Set(ids).size, new Tickets(this.ctx, this.env).add("the next") > newest];
  }
}

const PATHS = {
  async "/guide"(env) {
    const { order, note } = await (await guide.fetch(undefined, env)).json();
    return Response.json([sno.isValid(order.id), sno.isValid(note.id), note.orderId === order.id]);
  },
  async "/guide-object"({ TICKETS, STARTS }) {
    const first = await TICKETS.getByName("one").add("the first");
    return Response.json([si.isValid(first), ...(await STARTS.getByName("one").twice())]);
  },
  async "/d1"({ DB }) {
    await DB.exec(TABLE);
    return rows(drizzleD1(DB));
  },
  async "/texts"({ DB }) {
    for (const table of ["notes", "orders"]) await DB.exec("DROP TABLE " + table);
    await DB.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID");
    return Response.json(String(await texts.save(DB, 1585841080431321657n)));
  },
  "/durable-object": ({ ROWS }, request) => ROWS.get(ROWS.idFromName("one")).fetch(request),
};

export default { fetch: (request, env) => PATHS[new URL(request.url).pathname](env, request) };
`;

/** The code of the guide's block in this language. */
const blockOf = (wanted: string): string =>
  blocksOf(pageOf("sqlite.md")).find(
    ({ language, words }: Record<string, string>) => language === wanted && words === "d1",
  ).code;

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
  const {
    compatibility_date: compatibilityDate,
    d1_databases,
    durable_objects,
  } = JSON.parse(blockOf("jsonc"));
  const [{ binding }] = d1_databases;
  const [{ name, class_name: className }] = durable_objects.bindings;
  host = new Miniflare({
    modules: true,
    script,
    compatibilityDate,
    host: "127.0.0.1",
    d1Databases: [binding],
    durableObjects: {
      [name]: { className, useSQLite: true },
      ROWS: { className: "Rows", useSQLite: true },
      STARTS: { className: "Starts", useSQLite: true },
    },
  });
  await host.ready;
  await (await host.getD1Database(binding)).exec(blockOf("sql"));
});
after(() => host?.dispose());

for (const [path, wanted] of [
  ["guide", [true, true, true]],
  ["guide-object", [true, 300, true]],
  ["d1", [true, true, 1, true]],
  ["texts", "1585841080431321657"],
  ["durable-object", [true, true, 1, true]],
] as const) {
  test(path, async () =>
    assert.deepEqual(await (await host.dispatchFetch(`http://worker/${path}`)).json(), wanted),
  );
}
