/** The clients under test: the plain Prisma client, and the one with the extension. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before } from "node:test";
import * as adapters from "@prisma/adapter-better-sqlite3";
import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { PrismaPg } from "@prisma/adapter-pg";
import { sno, snowflakeSI, twitter } from "graupel";
import { idExtension } from "graupel/prisma";
import { ids, orders, pluck } from "../support/rows.ts";
import { database, useDatabase } from "../support/servers.ts";
import { generateFor, isBefore7, type More, tablesFor } from "./generate.ts";

// biome-ignore lint/suspicious/noExplicitAny: clients are generated when the tests run; generators.test.ts checks their types
export type Client = any;

const START = Date.UTC(2025, 5, 1);
let calls = 0;
/** Generates eight IDs per millisecond. Rounding changes them. */
export const people = twitter.generator({
  datacenterId: 3,
  workerId: 7,
  clock: () => START + Math.floor(calls++ / 8),
});
export const invoices = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
export const many = ids();
/** The error that the posts' generator throws, if set. */
export const failing: { error?: Error } = {};
const posts = {
  next() {
    if (failing.error !== undefined) throw failing.error;
    return people.next();
  },
};
const person = { format: twitter, generator: people };

/** The schema defines the references, and the keys of members and messages. */
export const extension = idExtension({
  Many: { id: { format: orders, generator: many } },
  User: { id: person },
  Profile: { id: person },
  Post: { id: { format: twitter, generator: posts } },
  Tag: { id: { format: sno, generator: sno } },
  Invoice: { id: { format: invoices, generator: invoices.generator({ machineId: 3 }) } },
});

export const server = useDatabase(() => plain?.$disconnect());

/** Prisma 6 spells the name differently. */
const { PrismaBetterSqlite3 = (adapters as Client).PrismaBetterSQLite3 } = adapters;
/** Creates Prisma's driver adapter for the database. */
export const adapter = () =>
  ({
    postgres: () => new PrismaPg(server.options),
    mysql: () => new PrismaMariaDb(server.options),
    sqlite: () => new PrismaBetterSqlite3({ url: `file:${join(server.directory, "test.db")}` }),
  })[database]();

/** Additions to the schema in PostgreSQL. */
export const LISTS = "model Watch {\n id BigInt @id @default(dbgenerated())\n users BigInt[]\n}";
const MORE: More = { features: isBefore7 ? [] : ["relationJoins"], models: LISTS };

export let plain: Client;
/** The client with the extension. */
export let prisma: Client;
before(async () => {
  await server.started;
  const directory = await generateFor(database, database === "postgres" ? MORE : {});
  const { PrismaClient } = await import(join(directory, "client.ts"));
  plain = new PrismaClient({ adapter: adapter() });
  prisma = plain.$extends(extension);
  for (const text of tablesFor(database)) await plain.$executeRawUnsafe(text);
});

/** Creates a user. */
export const user = (data: object = {}): Client => prisma.user.create({ data: { name: "Ada", ...data } });

/** The IDs of all rows in tables whose IDs the extension generates. */
export async function idsOfAll(): Promise<ReadonlySet<unknown>> {
  const { user, profile, post, tag } = plain;
  const tables = await Promise.all([user, profile, post, tag].map((model) => model.findMany()));
  return new Set(tables.flatMap((rows) => pluck(rows)));
}

/** Checks that a call generates this many IDs, each whole and different from all others. */
export async function generates(count: number, call: () => Promise<Client>): Promise<Client> {
  const before = await idsOfAll();
  const result = await call();
  const made = [...(await idsOfAll())].filter((id) => !before.has(id));
  assert.equal(made.length, count);
  for (const id of made) {
    assert.ok(typeof id === "string" ? sno.isValid(id) : twitter.inspect(id as bigint).workerId === 7);
  }
  return result;
}
