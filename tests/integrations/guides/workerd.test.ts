/**
 * SQLite in workerd: Cloudflare D1 and Durable Objects, with the guide's programs, and through
 * Drizzle and Kysely.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { withModules } from "../support/guide.ts";

/**
 * A worker that runs the operation in the request's path. It answers with JSON, in which a BigInt
 * is a string that ends with n.
 */
const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { drizzle } from "drizzle-orm/d1";
import { drizzle as drizzleIn } from "drizzle-orm/durable-sqlite";
import { eq } from "drizzle-orm";
import { sqliteTable } from "drizzle-orm/sqlite-core";
import { sno, snowflakeSI, ulidFlake } from "graupel";
import { sqliteId } from "graupel/drizzle";
import { idPlugin } from "graupel/kysely";
import { Kysely } from "kysely";
import { D1Dialect } from "kysely-d1";
import * as guide from "./d1.mjs";
import * as texts from "./d1-texts.mjs";

const epoch = Date.UTC(2024, 0, 1);
const si = snowflakeSI({ epoch });
const FORMATS = {
  si: [si, si.generator({ machineId: 3 }), "INTEGER"],
  siText: [si.text, si.text.generator({ machineId: 4 }), "INTEGER"],
  sno: [sno, sno, "TEXT"],
  ulidFlake: [ulidFlake, ulidFlake, "TEXT"],
};

/** Rows that are written, read, found and compared through a library: their IDs, or the error. */
async function throughDrizzle(db, format, generator) {
  const table = sqliteTable("t", { id: sqliteId(format, generator)().primaryKey(), other: sqliteId(format)() });
  const [a] = await db.insert(table).values({}).returning();
  const [b] = await db.insert(table).values({ other: a.id }).returning();
  const [found] = await db.select().from(table).where(eq(table.other, a.id));
  return [a, b, found];
}

async function throughKysely(DB, format, generator) {
  const columns = { id: { format, generator }, other: format };
  const db = new Kysely({ dialect: new D1Dialect({ database: DB }), plugins: [idPlugin({ t: columns })] });
  const insert = (other) => db.insertInto("t").values({ other }).returningAll().executeTakeFirst();
  const a = await insert(null);
  const b = await insert(a.id);
  return [a, b, await db.selectFrom("t").selectAll().where("other", "=", a.id).executeTakeFirst()];
}

/** Calls a library with an empty table. */
async function withTable(name, exec, through) {
  const [format, generator, type] = FORMATS[name];
  await exec("DROP TABLE IF EXISTS t");
  await exec("CREATE TABLE t (id " + type + " PRIMARY KEY NOT NULL, other " + type + ") STRICT");
  try {
    const [a, b, found] = await through(format, generator);
    return [a.id, b.id, found.id, found.other, found.id === b.id && b.other === a.id];
  } catch (error) {
    return String((error.cause ?? error).message);
  }
}

const D1 = {
  drizzle: (DB, name) => withTable(name, (text) => DB.exec(text), (...of) => throughDrizzle(drizzle(DB), ...of)),
  kysely: (DB, name) => withTable(name, (text) => DB.exec(text), (...of) => throughKysely(DB, ...of)),
  async guide(DB) {
    await DB.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT)");
    await DB.exec("CREATE TABLE notes (id TEXT PRIMARY KEY NOT NULL, order_id INTEGER)");
    const { order, note } = await guide.save(DB);
    return [si.isValid(order.id), sno.isValid(note.id), note.orderId === order.id];
  },
  async texts(DB) {
    await DB.exec("DROP TABLE IF EXISTS orders");
    await DB.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY) STRICT, WITHOUT ROWID");
    return texts.save(DB, 1585841080431321657n);
  },
};

const json = (value) => Response.json(JSON.parse(JSON.stringify(value, (_, x) => (typeof x === "bigint" ? x + "n" : x))));

export class Rows extends DurableObject {
  async fetch(request) {
    const { storage } = this.ctx;
    const exec = (text) => storage.sql.exec(text).toArray();
    const name = new URL(request.url).pathname.split("/").at(-1);
    return json(await withTable(name, exec, (...of) => throughDrizzle(drizzleIn(storage), ...of)));
  }
}

export default {
  async fetch(request, { DB, ROWS }) {
    const [, host, call, name] = new URL(request.url).pathname.split("/");
    if (host === "durable-object") return ROWS.get(ROWS.idFromName("one")).fetch(request);
    return json(await D1[call](DB, name));
  },
};
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

const ask = async (path: string): Promise<unknown> =>
  (await host.dispatchFetch(`http://worker/${path}`)).json();

for (const place of ["d1/drizzle", "d1/kysely", "durable-object/drizzle"]) {
  for (const name of ["si", "siText", "sno", "ulidFlake"]) {
    test(`${place}: ${name}: IDs are written, read and found whole`, async () => {
      const told = await ask(join(place, name));
      assert.ok(Array.isArray(told), String(told));
      const [a, b, found, other, same] = told as unknown[];
      assert.deepEqual([found, other, same], [b, a, true]);
      assert.equal(typeof a, name === "si" ? "number" : "string");
    });
  }
}

test("the guide", async () => {
  assert.deepEqual(await ask("d1/guide"), [true, true, true]);
  assert.deepEqual(await ask("d1/texts"), "1585841080431321657n");
});
