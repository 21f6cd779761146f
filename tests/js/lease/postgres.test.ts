/**
 * The PostgreSQL store on PGlite, which is PostgreSQL in this process with one connection. For real
 * servers, run `npm run test:leases`.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { PGlite } from "@electric-sql/pglite";
import { GraupelError } from "graupel";
import { checks } from "../../../js/lease/conformance.ts";
import { type PostgresQuery, postgres, tableSql } from "../../../js/lease/stores/postgres.ts";
import type { Grant } from "../../../js/lease/types.ts";
import { request } from "./scripted-leases.ts";

const database = new PGlite();
after(() => database.close());

const asFunction: PostgresQuery = async (sql, values) => (await database.query(sql, values)).rows;
/** Like the package `postgres`: each statement runs in its own transaction. */
const unsafe = { unsafe: asFunction };
/** Like a `pg` pool with one connection. */
const pool = {
  query: async (sql: string, values: (string | number)[]) => database.query(sql, values),
  totalCount: 1,
};

// `npm run test:leases` runs the whole suite with each client and for both kinds, including
// concurrent calls, which one connection would serialize.
test("the conformance suite", { concurrency: true }, async (t) => {
  await postgres(database).createTable();
  const durable = checks(postgres(pool, { durable: true }), { ttlMs: 4000 });
  const forgetful = checks(postgres(database), { ttlMs: 4000 });
  const chosen = [
    ...durable.filter(({ name }) => !name.includes("at the same time")),
    ...forgetful.filter(({ name }) => name.includes("forgetful")),
  ];
  assert.ok(chosen.length > durable.length - 5);
  await Promise.all(chosen.map(({ name, run }) => t.test(name, run)));
});

test("the lowest numbers come first, and the largest is not passed", async () => {
  await database.exec(tableSql("lowest"));
  const store = postgres(database, { table: "lowest" });
  const numbers = { last: 2 ** 31 - 1, mask: 0b101, bits: 0b100 };
  const take = async (count: number, more: object = {}) => {
    const taken: unknown[] = [];
    while (taken.length < count) {
      const answer = await store.acquire({ ...request, ...numbers, token: `${Math.random()}`, ...more });
      taken.push((answer as Grant).number);
    }
    return taken;
  };
  assert.deepEqual(await take(4), [0b100, 0b110, 0b1100, 0b1110]);
  const top = { namespace: "top", mask: 2 ** 31 - 2, bits: 2 ** 31 - 2 };
  assert.deepEqual(await take(3, top), [2 ** 31 - 2, 2 ** 31 - 1, undefined]);
});

test("a grant cannot be part of a transaction of the user, who may undo it", async () => {
  const store = postgres(database, { durable: true });
  const isConflict = async (call: () => Promise<unknown>) => {
    await database.exec("BEGIN");
    await assert.rejects(call, { code: "CONFLICT" });
    await assert.rejects(call, { code: "CONFLICT" }, "the second time, too");
    await database.exec("ROLLBACK");
  };
  await isConflict(() => store.acquire(request));
  assert.deepEqual(await store.list?.("orders"), []);
  const { number } = (await store.acquire(request)) as Grant;
  const renewal = { namespace: "orders", number, ttlMs: 1000, token: "first", nextToken: "next" };
  await isConflict(() => store.renew(renewal));
  assert.ok(await store.renew(renewal));
  // A pool to which a connection was returned before the end of its transaction.
  for (const client of [pool, unsafe])
    await isConflict(() => postgres(client, { durable: true }).renew(renewal));
  // The methods that `postgres` adds for a transaction or for a single connection.
  for (const name of ["savepoint", "release"]) {
    await isConflict(() => postgres({ ...unsafe, [name]() {} }).renew(renewal));
  }
});

test("integers of 64 bits are read as text, as bigint and as numbers, and are not rounded", async () => {
  const times = { began: 2n ** 40n, mark: "1800000000000", now: 1.7e12 };
  const row = { layout: "a layout", number: "3", ...times, xid: "1" };
  const answer = (more: object) => postgres({ unsafe: async () => [{ ...row, ...more }] }).acquire(request);
  assert.deepEqual(await answer({}), { number: 3, from: 2 ** 40, until: 1.8e12, now: 1.7e12 });
  for (const mark of ["9007199254740993", 2n ** 53n, "1.5", "soon", undefined, Number.NaN]) {
    const isSaid = (error: unknown) => GraupelError.is(error) && error.code === "LEASE_STORE";
    await assert.rejects(answer({ mark }), isSaid, String(mark));
  }
});
