/** The store in MySQL, as far as no server is needed: `npm run test:leases` has one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError } from "graupel";
import { mysql, tableSql } from "../../../js/lease/mysql.ts";

const none = async (): Promise<never> => assert.fail("nothing is sent");
const pool = { execute: none };

test("what is no client, and no name of a table, is refused", () => {
  const isType = (error: unknown) => GraupelError.is(error) && error.code === "TYPE";
  for (const client of [undefined, null, {}, "mysql://localhost", { query: none }, { promise: () => ({}) }]) {
    assert.throws(() => mysql(client as never), isType, JSON.stringify(client));
  }
  for (const table of ["", "a b", "a.b.c", "1a", "a`b", "a;b", "a'"]) {
    assert.throws(() => mysql(pool, { table }), isType, table);
    assert.throws(() => tableSql(table), isType, table);
  }
  assert.throws(() => mysql(pool, { durable: 1 as never }), isType);
  assert.throws(
    () => mysql(pool, { tables: "a" } as never),
    (error) => GraupelError.is(error) && error.code === "UNKNOWN_OPTION",
  );
});

test("making a store does nothing", () => {
  const store = mysql(pool, { durable: true });
  assert.equal(store.durable, true);
  assert.equal(mysql(pool).durable, false);
});

test("a write in a transaction counts for nothing, and neither does what was granted in one", async () => {
  const IN_TRANSACTION = 3;
  const row = { number: 0, token: "first", began: 1, mark: 2, label: "a layout", now: 5 };
  const execute = async (sql: string) => [
    sql.startsWith("SELECT") ? [{ ...row, number: -1 }, row] : { serverStatus: IN_TRANSACTION, insertId: 5 },
  ];
  const store = mysql({ execute });
  const request = {
    namespace: "orders",
    layout: "a layout",
    last: 3,
    mask: 0,
    bits: 0,
    ttlMs: 1,
    quarantineMs: 1,
  };
  const renewal = { namespace: "orders", number: 0, ttlMs: 1, token: "first", nextToken: "next" };
  for (const call of [
    () => store.acquire({ ...request, token: "first", label: "" }),
    () => store.acquire({ ...request, token: "second", label: "" }),
    () => store.renew(renewal),
  ]) {
    await assert.rejects(call, (error) => GraupelError.is(error) && error.code === "CONFLICT");
  }
});
