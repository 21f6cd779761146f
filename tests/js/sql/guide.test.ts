/** The guide to time ranges: its blocks for PostgreSQL run one after the other, in PGlite. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";
import * as snowflakes from "graupel/snowflake";
import * as sqls from "graupel/sql";
import { codeOf, pageOf } from "../../support/pages.mjs";

setFlagsFromString("--liftoff-only");
const database = await PGlite.create();
after(() => database.close());

test("every statement of the guide runs", async () => {
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
  await new AsyncFunction("query", "snowflake", "sql", code)(query, snowflakes.snowflake, sqls.sql);
  assert.equal(statements, 1 + 4 + 5 + 1 + 12 + 3 + 1);
  const { rows } = await database.query<{ id: bigint; recent: boolean }>(
    "SELECT id, orders_time(id) > now() - interval '1 minute' AS recent FROM orders",
  );
  assert.equal(rows.length, 1);
  assert.ok(rows[0]?.recent);
  const orders = snowflakes.snowflake({
    epoch: Date.UTC(2024, 0, 1),
    fields: { time: 41, worker: 10, sequence: 12 },
  });
  assert.equal(orders.inspect(`${rows[0]?.id}`).worker, 1023);
});
