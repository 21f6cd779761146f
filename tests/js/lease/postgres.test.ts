/** The store in PostgreSQL, on PGlite, which is PostgreSQL in this process with one connection. `npm run test:leases` has real servers. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { PGlite } from "@electric-sql/pglite";
import { GraupelError } from "graupel";
import { checks } from "../../../js/lease/conformance.ts";
import { type PostgresQuery, postgres, tableSql } from "../../../js/lease/stores/postgres.ts";
import type { AcquireRequest } from "../../../js/lease/types.ts";

const database = new PGlite();
after(() => database.close());

const asFunction: PostgresQuery = async (sql, values) => (await database.query(sql, values)).rows;
/** As the package `postgres` has it: each statement is surely a transaction of its own. */
const unsafe = { unsafe: asFunction };
/** As a pool of `pg`, with one connection. */
const pool = {
  query: async (sql: string, values: (string | number)[]) => database.query(sql, values),
  totalCount: 1,
};

// In `npm run test:leases`: with each client, the whole of it for both kinds, and calls at the same time, which one connection makes one by one.
test("the conformance suite", { concurrency: true }, async (t) => {
  await postgres(database).createTable();
  const stores = {
    "durable, as a pool of pg": postgres(pool, { durable: true }),
    "forgetful, as one client of pg": postgres(database),
  };
  const both = Object.entries(stores).flatMap(([what, store]) =>
    checks(store, { ttlMs: 4000 }).map((check) => ({ what, ...check })),
  );
  const isChosen = ({ what, name }: (typeof both)[0]) =>
    name.includes("forgetful") || (what.startsWith("durable") && !name.includes("at the same time"));
  const chosen = both.filter(isChosen);
  assert.ok(chosen.some(({ what }) => what.startsWith("forgetful")));
  await Promise.all(chosen.map(({ what, name, run }) => t.test(`${what}: ${name}`, run)));
});

const request: AcquireRequest = {
  namespace: "orders",
  layout: "a layout",
  last: 2 ** 31 - 1,
  mask: 0b101,
  bits: 0b100,
  ttlMs: 1000,
  quarantineMs: 1000,
  token: "first",
  label: "a test",
};

test("the lowest numbers come first, and the largest is not passed", async () => {
  await database.exec(tableSql("lowest"));
  const store = postgres(database, { table: "lowest" });
  const take = async (more: Partial<AcquireRequest>) => {
    const answer = await store.acquire({ ...request, token: `${Math.random()}`, ...more });
    return "number" in answer ? answer.number : undefined;
  };
  const taken = [await take({}), await take({}), await take({}), await take({})];
  assert.deepEqual(taken, [0b100, 0b110, 0b1100, 0b1110]);
  const top = { namespace: "top", mask: 2 ** 31 - 2, bits: 2 ** 31 - 2 };
  assert.deepEqual(
    [await take(top), await take(top), await take(top)],
    [2 ** 31 - 2, 2 ** 31 - 1, undefined],
  );
});

test("a grant cannot be part of a transaction of the user, who may undo it", async () => {
  const isConflict = (error: unknown) => GraupelError.is(error) && error.code === "CONFLICT";
  const store = postgres(database, { durable: true });
  await database.exec("BEGIN");
  await assert.rejects(store.acquire(request), isConflict);
  await assert.rejects(store.acquire(request), isConflict, "the second time, too");
  await database.exec("ROLLBACK");
  assert.deepEqual(await store.list?.("orders"), []);
  const grant = await store.acquire(request);
  assert.ok("number" in grant);
  const { number } = grant;
  const renewal = { namespace: "orders", number, ttlMs: 1000, token: "first", nextToken: "next" };
  await database.exec("BEGIN");
  await assert.rejects(store.renew(renewal), isConflict);
  await database.exec("ROLLBACK");
  assert.ok(await store.renew(renewal));
  // A pool to which a connection was given back before its transaction had ended.
  for (const client of [pool, unsafe]) {
    await database.exec("BEGIN");
    await assert.rejects(postgres(client, { durable: true }).renew(renewal), isConflict);
    await database.exec("ROLLBACK");
  }
  // What `postgres` gives to a transaction, or for one connection.
  for (const name of ["savepoint", "release"]) {
    await database.exec("BEGIN");
    await assert.rejects(postgres({ ...unsafe, [name]() {} }).renew(renewal), isConflict, name);
    await database.exec("ROLLBACK");
  }
});

test("a statement syncs its write, whatever the session says", async () => {
  await database.exec("SET synchronous_commit = off");
  const set: unknown[] = [];
  const watched: PostgresQuery = async (sql, values) => {
    await database.exec("BEGIN");
    const { rows } = await database.query(sql, values);
    if (sql.includes("graupel_lease")) set.push(...(await database.query("SHOW synchronous_commit")).rows);
    await database.exec("COMMIT");
    return rows;
  };
  // Without `durable`, as that asks for more than its write.
  const store = postgres({ unsafe: watched });
  const grant = await store.acquire({ ...request, token: "synced" });
  assert.ok("number" in grant);
  const { number } = grant;
  assert.ok(await store.renew({ namespace: "orders", number, ttlMs: 1, token: "synced", nextToken: "next" }));
  assert.deepEqual(
    set,
    Array.from({ length: 2 }, () => ({ synchronous_commit: "on" })),
  );
  await database.exec("RESET synchronous_commit");
});

test("integers of 64 bits are read as text, as bigint and as numbers, and are not rounded", async () => {
  const row = {
    layout: "a layout",
    number: "3",
    began: 2n ** 40n,
    mark: "1800000000000",
    now: 1.7e12,
    xid: "1",
  };
  const answer = (more: object) => postgres({ unsafe: async () => [{ ...row, ...more }] }).acquire(request);
  const grant = { number: 3, from: 2 ** 40, until: 1.8e12, now: 1.7e12 };
  assert.deepEqual(await answer({}), grant);
  for (const mark of ["9007199254740993", 2n ** 53n, "1.5", "soon", undefined, Number.NaN]) {
    await assert.rejects(
      answer({ mark }),
      (error) => GraupelError.is(error) && error.code === "LEASE_STORE",
      String(mark),
    );
  }
});
