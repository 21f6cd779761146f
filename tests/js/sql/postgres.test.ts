/**
 * PostgreSQL's SQL, and the guide to time ranges, on PGlite, which is PostgreSQL as WebAssembly.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";
import { snowflake } from "graupel/snowflake";
import { sql } from "graupel/sql";
import { codeOf, pageOf } from "../../support/pages.mjs";
import { agreeOnBounds, agreeOnTimes, type Database } from "./agreement.ts";

let database: PGlite;
before(async () => {
  setFlagsFromString("--liftoff-only");
  database = await PGlite.create();
});
after(() => database.close());

const it: Database = {
  dialect: "postgres",
  async rows(text) {
    const { rows } = await database.query<unknown[]>(text, [], { rowMode: "array" });
    return rows.map((row) => row.map((value) => (value === null ? null : `${value}`)));
  },
};

test("the time of an ID equals that of `inspect`", () => agreeOnTimes(it, 20));
test("bounds equal those of `range`", () => agreeOnBounds(it, 6));

test("every statement of the guide runs, one block after the other", async () => {
  const blocks = codeOf(pageOf("time-ranges.md"), "postgres");
  assert.equal(blocks.length, 4);
  const code = blocks.join("").replace(/^import .*$/gm, "");
  let statements = 0;
  const query = (text: string, values?: unknown[]) => {
    statements++;
    return database.query(text, values);
  };
  await query("CREATE TABLE orders (id bigint PRIMARY KEY, note text)");
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>;
  await new AsyncFunction("query", "snowflake", "sql", code)(query, snowflake, sql);
  assert.equal(statements, 1 + 4 + 5 + 1 + 12 + 3 + 1);
  const { rows } = await database.query<{ id: bigint; recent: boolean }>(
    "SELECT id, orders_time(id) > now() - interval '1 minute' AS recent FROM orders",
  );
  assert.deepEqual([rows.length, rows[0]?.recent], [1, true]);
  const orders = snowflake({ epoch: Date.UTC(2024, 0, 1), fields: { time: 41, worker: 10, sequence: 12 } });
  assert.equal(orders.inspect(`${rows[0]?.id}`).worker, 1023);
});
