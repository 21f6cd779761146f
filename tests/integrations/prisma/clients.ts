/** The clients under test: the plain Prisma client, and the one with the extension. */
import { join } from "node:path";
import { sno, snowflakeSI, twitter } from "graupel";
import { idExtension } from "graupel/prisma";
import { ids, orders } from "../support/rows.ts";
import { type Database, generateFor, type More, tablesFor } from "./generate.ts";

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

/** The clients of a database. */
export class Clients {
  /** The plain client. */
  plain: Client;
  /** The client with the extension. */
  prisma: Client;

  /** `adapter`: Prisma's driver adapter for the database. */
  async open(database: Database, more: More | undefined, adapter: unknown): Promise<void> {
    const { PrismaClient } = await import(join(await generateFor(database, more), "client.ts"));
    this.plain = new PrismaClient({ adapter });
    this.prisma = this.plain.$extends(extension);
    for (const text of tablesFor(database)) await this.plain.$executeRawUnsafe(text);
  }

  /** The number of rows in each table except `many`. */
  async rows(): Promise<string> {
    const { user, profile, post, tag } = this.plain;
    return (await Promise.all([user, profile, post, tag].map((model) => model.count()))).join();
  }

  /** Creates a user. */
  user(data: object = {}): Client {
    return this.prisma.user.create({ data: { name: "Ada", ...data } });
  }
}
