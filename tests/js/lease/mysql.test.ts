/** The store in MySQL, as far as no server is needed: `npm run test:leases` has one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError } from "graupel";
import { mysql, tableSql } from "../../../js/lease/mysql.ts";

const none = async (): Promise<never> => assert.fail("nothing is sent");
const pool = { getConnection: none };

test("what is no client, and no name of a table, is refused", () => {
  const isType = (error: unknown) => GraupelError.is(error) && error.code === "TYPE";
  for (const client of [
    undefined,
    null,
    {},
    "mysql://localhost",
    { query: none },
    { execute: none, query: none },
  ]) {
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

test("a connection is given back when a call fails", async () => {
  let released = 0;
  const fails = async () => {
    throw Object.assign(new Error("gone"), { errno: -104 });
  };
  const connection = { query: fails, execute: fails, release: () => released++ };
  const store = mysql({ getConnection: async () => connection });
  await assert.rejects(
    store.release({ namespace: "orders", number: 0, tokens: ["first"], nextFree: 0 }),
    /gone/,
  );
  assert.equal(released, 1);
});
