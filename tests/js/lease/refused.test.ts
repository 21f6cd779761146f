/**
 * Errors of leases and of stores without a server: clients, names, options, transactions. For
 * servers, run `npm run test:leases`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel";
import { memory } from "../../../js/lease/memory.ts";
import { part } from "../../../js/lease/part.ts";
import { etcd } from "../../../js/lease/stores/etcd.ts";
import { mysql, tableSql as mysqlTable } from "../../../js/lease/stores/mysql.ts";
import { postgres, tableSql as postgresTable } from "../../../js/lease/stores/postgres.ts";
import { redis } from "../../../js/lease/stores/redis.ts";
import { sqlite } from "../../../js/lease/stores/sqlite.ts";
import { tabs } from "../../../js/lease/stores/tabs.ts";
import { serve, threads } from "../../../js/lease/stores/threads.ts";
import type { Grant, LeaseStore } from "../../../js/lease/types.ts";
import { replace } from "../support/replace.ts";
import { request, ScriptedLeases } from "./scripted-leases.ts";

const none = async (): Promise<never> => assert.fail("something is sent");
const url = "http://127.0.0.1:2379/";
const database = { prepare: () => assert.fail("something is sent"), exec: none };
const alone = { reach: "alone" };
const TABLES = ["", "a b", "a.b.c", "1a", "a`b", 'a"b', "a;b", "a'"];
const [pool, query] = [{ execute: none }, none];

/** A function, arguments that it rejects, and the code and field of the error. */
type Row = readonly [make: unknown, given: readonly unknown[], code?: string, field?: string];
const all = (make: unknown, ...given: unknown[]): Row[] => given.map((one) => [make, [one]]);

const ROWS: readonly Row[] = [
  ...([undefined, {}, { url: 3 }, { url: "127.0.0.1:2379" }, { url: "localhost:2379" }] as unknown[]).map(
    (options): Row => [etcd, [options], "TYPE", "url"],
  ),
  [etcd, [{ url, fetch: "curl" }], "TYPE", "fetch"],
  [etcd, [{ url, headers: "a: b" }], "TYPE", "headers"],
  [etcd, [{ url, prefix: 1 }], "TYPE", "prefix"],
  [etcd, [{ url, durable: true }], "UNKNOWN_OPTION", "durable"],
  ...[undefined, null, "redis://127.0.0.1", {}, { eval: none }, { eval: "no", evalSha: none }].map(
    (client): Row => [redis, [client, {}], "TYPE", "client"],
  ),
  [redis, [none, { durable: "yes" }], "TYPE", "durable"],
  [redis, [none, { prefix: 3 }], "TYPE", "prefix"],
  [redis, [none, { durabel: true }], "UNKNOWN_OPTION", "durabel"],
  [redis, [none, { toString: 1 }], "UNKNOWN_OPTION", "toString"],
  ...all(mysql, undefined, null, {}, "mysql://localhost", { query: none }, { promise: () => ({}) }),
  ...TABLES.flatMap((table): Row[] => [[mysql, [pool, { table }]], ...all(mysqlTable, table)]),
  [mysql, [pool, { durable: 1 }]],
  [mysql, [pool, { tables: "a" }], "UNKNOWN_OPTION"],
  ...all(postgres, undefined, null, {}, "postgres://localhost", { query: 1 }),
  ...TABLES.flatMap((table): Row[] => [[postgres, [query, { table }]], ...all(postgresTable, table)]),
  [postgres, [query, { durable: 1 }]],
  ...[undefined, {}, { reach: "host" }, { reach: true }].map((options): Row => [sqlite, [database, options]]),
  ...[undefined, {}, { prepare() {} }, "leases.db"].map((one): Row => [sqlite, [one, alone]]),
  [sqlite, [database, { ...alone, ttl: 1 }], "UNKNOWN_OPTION"],
  ...all(tabs, undefined, {}, { reach: "profile" }, { reach: true }),
  [tabs, [{ ...alone, ttlMs: 1 }], "UNKNOWN_OPTION"],
  ...all(memory, null, 5, { clock: 5 }, { durable: "no" }, { reach: "all" }, { reach: "" }, { reach: null }),
  [memory, [{ ttl: 1 }], "UNKNOWN_OPTION"],
  ...[undefined, { number: 8, count: 4 }, "part"].map((one): Row => [part, [memory(), one]]),
  [part, [{}, () => ({})]],
  ...all(serve, undefined, null, {}, "store", { acquire() {} }, memory(), { ...memory() }),
  ...[undefined, "", 7, {}, { on() {} }, { send() {} }, { fork() {} }, { postMessage() {} }].map(
    (to): Row => [serve, [memory({ reach: "alone" }), to]],
  ),
  // This process has no parent to ask.
  ...all(threads, process, undefined, null, "", 7, {}, { send() {} }, { ...process, send: undefined }),
];

test("clients, names and options", () => {
  for (const [make, given, code = "TYPE", field] of ROWS) {
    const what = `${(make as { name: string }).name}: ${String(JSON.stringify(given))?.slice(0, 99)}`;
    const like = {
      name: "GraupelError",
      code,
      message: new RegExp(`\\[${code}\\]$`),
      ...(field && { field }),
    };
    assert.throws(() => (make as (...given: unknown[]) => unknown)(...given), like, what);
  }
});

test("making a store of a client sends nothing, and says whether it is durable", () => {
  for (const make of [redis.bind(null, none), mysql.bind(null, pool), postgres.bind(null, query)]) {
    assert.deepEqual([make().durable, make({ durable: true }).durable], [false, true]);
  }
  assert.equal(sqlite(database as never, { reach: "alone" }).durable, true);
});

test("MySQL: a write in a transaction counts for nothing, and neither does what was granted in one", async () => {
  const IN_TRANSACTION = 3;
  const row = { number: 0, token: "first", began: 1, mark: 2, label: "a layout", now: 5 };
  const execute = async ({ sql }: { sql: string }) => [
    sql.startsWith("SELECT") ? [{ ...row, number: -1 }, row] : { serverStatus: IN_TRANSACTION, insertId: 5 },
  ];
  const store = mysql({ execute });
  for (const call of [
    () => store.acquire(request),
    () => store.acquire({ ...request, token: "second" }),
    () => store.renew({ namespace: "orders", number: 0, ttlMs: 1, token: "first", nextToken: "next" }),
  ]) {
    await assert.rejects(call, { code: "CONFLICT" });
  }
});

test("a client whose answers are not lists of rows is rejected at once, in each call", async () => {
  const clients: readonly (readonly [string, LeaseStore])[] = [
    ["rows alone, as of TypeORM and pg-promise", postgres({ query: async () => [] } as never)],
    ["a result, and not its rows", postgres((async () => ({ rows: [] })) as never)],
    ["no promise", postgres({ unsafe: () => ({}) } as never)],
    ["columns in upper case", postgres(async () => [{ OPEN: false, NOW: 5 }])],
    ["rows as arrays", postgres(async () => [[5, false]])],
    ["a result of the driver mariadb", mysql({ execute: async () => ({ affectedRows: 0, insertId: 0n }) })],
    ["no rows, of the same driver", mysql({ execute: async () => [] })],
    ["a row in place of the rows", mysql({ execute: async () => [{ number: 1 }] })],
    ["callbacks", mysql({ execute: () => undefined as never })],
    ["sql.js", sqlite({ prepare: () => ({}), exec() {} } as never, { reach: "alone" })],
    [
      "promises",
      sqlite({ prepare: () => ({ all: async () => [] }), exec() {} } as never, { reach: "alone" }),
    ],
    [
      "returnArrays",
      sqlite({ prepare: () => ({ all: () => [[5]] }), exec() {} } as never, { reach: "alone" }),
    ],
  ];
  for (const [what, store] of clients) {
    const refused = { code: "LEASE_STORE", permanent: true, message: /expected rows as objects/ };
    await assert.rejects(store.acquire(request), refused, what);
    await assert.rejects(async () => store.list?.("orders"), refused, what);
  }
});

test("PostgreSQL: a missing table is named with the errors of pg, of a library around it, and of Bun", async () => {
  const message = 'relation "graupel_lease" does not exist';
  for (const error of [
    { code: "42P01" },
    { cause: { code: "42P01" } },
    { code: "ERR_POSTGRES_SERVER_ERROR", errno: "42P01" },
  ]) {
    const unsafe = () => Promise.reject(Object.assign(new Error(message), error));
    const refused = { permanent: true, message: `${message}; call createTable()` };
    await assert.rejects(postgres({ unsafe }).acquire(request), refused);
  }
});

test("PostgreSQL: an open transaction is found with any parser of booleans, and none is imagined", async () => {
  const row = { layout: "a layout", number: 3, began: 1, mark: 2, now: 5, xid: "1" };
  for (const open of [false, "f", "false", 0]) {
    assert.equal(((await postgres(async () => [{ ...row, open }]).acquire(request)) as Grant).number, 3);
  }
  for (const open of [true, "t", "true"]) {
    await assert.rejects(postgres(async () => [{ ...row, open }]).acquire(request), { code: "CONFLICT" });
  }
});

test("tabs without Web Locks: the calls say what is missing", async () => {
  const store = tabs({ reach: "alone" });
  assert.deepEqual([store.durable, store.ttlMs], [true, 300_000]);
  const restore = replace([globalThis, "navigator", {}]);
  await assert.rejects(store.acquire(request), { code: "CONFLICT", message: /HTTPS/ }).finally(restore);
});

test("options of a lease are checked", async () => {
  const scripted = new ScriptedLeases();
  const small = snowflake({ epoch: 0, fields: { time: 41, worker: 1, sequence: 8 } });
  const store = scripted.memory();
  const slow = snowflake({ epoch: 0, tickMs: 1000, fields: { time: 31, sequence: 8 } });
  const wide = snowflake({ epoch: 0, fields: { time: 31, node: 32, sequence: 1 } });
  const WRONG: readonly (readonly [code: string, ...options: object[]])[] = [
    ["TYPE", { namespace: "" }, { namespace: "a b" }, { namespace: "x".repeat(129) }, { namespace: 5 }],
    ["TYPE", { format: {} }, { format: undefined }, { label: "\n" }, { onChange: 5 }, { signal: {} }],
    ["TYPE", { fixed: 5 }],
    ["RANGE", { ttlMs: 99 }, { ttlMs: 2 ** 31 }, { ttlMs: 5000, quarantineMs: 4999 }, { maxWaitMs: -1 }],
    ["RANGE", { fixed: { worker: 2 } }, { format: wide }],
    ["RANGE", { format: slow, ttlMs: 3999, quarantineMs: 5000 }],
    ["UNKNOWN_OPTION", { ttl: 5 }],
    ["UNKNOWN_FIELD", { fixed: { node: 5 } }],
  ];
  for (const [code, ...wrong] of WRONG) {
    for (const one of wrong) await scripted.refused(store, { format: small, ...one }, { code });
  }
  for (const none of [undefined, null, {}, { durable: true }, () => {}]) {
    await scripted.refused(none as never, { format: small }, { code: "TYPE" });
  }
});
