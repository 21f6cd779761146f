// Leases as a user writes them: every entry, its options, and what the compiler must reject.

import { discord, sno, twitter } from "graupel";
import {
  collisionRisk,
  type Held,
  type Lease,
  type LeaseStatus,
  type LeaseStore,
  lease,
  memory,
  ordinal,
} from "graupel/lease";
import { type Check, checks } from "graupel/lease/conformance";
import { type EtcdAnswer, etcd } from "graupel/lease/etcd";
import { mysql, tableSql as mysqlTable } from "graupel/lease/mysql";
import { postgres, tableSql as postgresTable } from "graupel/lease/postgres";
import { redis } from "graupel/lease/redis";
import { type SqliteDatabase, sqlite } from "graupel/lease/sqlite";

declare const answerTo: (url: string, body: string) => EtcdAnswer;
export const stores = (database: SqliteDatabase): readonly LeaseStore[] => [
  memory(),
  memory({ durable: false, clock: () => 5 }),
  redis(async (_script: string, _keys: string[], _args: string[]) => "null", { durable: true }),
  postgres(async (_sql: string, _values: (string | number)[]) => [], { table: "public.leases" }),
  etcd({ url: "http://127.0.0.1:2379", headers: { authorization: "token" } }),
  etcd({ url: "http://127.0.0.1:2379", fetch: async (url, { body }) => answerTo(url, body) }),
  sqlite(database, { reach: "alone" }),
];
export const tables: readonly string[] = [mysqlTable(), postgresTable("leases")];
export const mysqlStore = (pool: Parameters<typeof mysql>[0]): LeaseStore => mysql(pool);
export const suite: readonly Check[] = checks(memory(), { ttlMs: 400 });

export async function work(store: LeaseStore): Promise<bigint> {
  const worker: Lease = await lease(store, {
    format: twitter,
    namespace: "orders",
    fixed: { datacenterId: 1 },
    ttlMs: 10_000,
    onChange: (status: LeaseStatus) => status.error,
  });
  const ids = twitter.generator({ lease: worker });
  const { number, fields, until }: LeaseStatus = worker.status;
  const known: readonly (number | undefined)[] = [number, fields?.workerId, until];
  const { invalidate, release } = worker;
  invalidate();
  await release();
  return known.length > 0 ? ids.next() : await ids.nextAsync();
}

export const records = async (store: LeaseStore): Promise<readonly Held[]> =>
  (await store.list?.("orders")) ?? [];
export const odds: number = collisionRisk({ bits: 10, processes: 20 });
export const given: number = ordinal({ from: "NODE_APP_INSTANCE", of: 32 });

export const refused = (database: SqliteDatabase) => [
  // @ts-expect-error: a name is not a lease
  () => sno.generator({ lease: "orders" }),
  // @ts-expect-error: the namespace is missing
  () => lease(memory(), { format: discord }),
  // @ts-expect-error: the reach is missing
  () => sqlite(database),
  // @ts-expect-error: the address is missing
  () => etcd({}),
];
