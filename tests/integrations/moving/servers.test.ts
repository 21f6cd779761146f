/**
 * The steps of the page about migrating from UUID v4, while applications of each version write to
 * the database.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import mysql from "mysql2/promise";
import pg from "pg";
// @ts-expect-error: no types
import { blocksOf, pageOf } from "../../support/pages.mjs";
import { importFrom, withModules } from "../support/guide.ts";
import type { orders as Orders } from "../support/rows.ts";
import { database, useDatabase } from "../support/servers.ts";

const PAGE = "moving/uuid-v4.md";

interface Shared {
  readonly orders: typeof Orders;
  keyOf(text: string): readonly [column: string, value: unknown];
}
const { orders, keyOf } = await importFrom<Shared>(PAGE, "orders");

/** A connection. `?` is a placeholder for a value. */
interface Session {
  rows(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

/** The key columns that each version of the application writes for an order and its items. */
const WRITES = [
  { order: ["id"], item: ["order_id"] },
  { order: ["id", "pk"], item: ["order_id"] },
  { order: ["id", "pk"], item: ["order_id", "order_pk"] },
  { order: ["pk"], item: ["order_pk"] },
] as const;

/** MySQL's deadlock error, after which an application retries its transaction. */
const DEADLOCK = 1213;

/** What the applications have written. */
interface Done {
  /** The notes of their orders. */
  readonly made: string[];
  /** The old orders with their notes, and the number of items added to them. */
  readonly old: readonly (readonly [note: string, id: string])[];
  added: number;
}

interface Application {
  /** Resolves after this many more orders. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * An application of one version. It inserts orders with two items each. While it knows only old
 * keys, it also adds an item to an old order.
 */
function application(session: Session, version: number, done: Done): Application {
  const { order, item } = WRITES[version] ?? assert.fail();
  const ids = orders.generator({ worker: version });
  const waiting = new Set<{ left: number; resolve(): void }>();
  let running = true;
  const insert = (table: string, columns: readonly string[], keys: Record<string, unknown>, note: string) =>
    session.rows(
      `INSERT INTO ${table} (${[...columns, "note"]}) VALUES (${[...columns, ""].map(() => "?")})`,
      [...columns.map((name) => keys[name]), note],
    );
  async function write() {
    for (let n = 0; running; n++) {
      const [id, pk] = [randomUUID(), ids.next()];
      const [oldNote, oldId] = done.old[(n * 7) % done.old.length] ?? assert.fail();
      const keys = { id, pk, order_id: id, order_pk: pk };
      try {
        await session.rows("BEGIN");
        await insert("orders", order, keys, `${pk}`);
        for (let i = 0; i < 2; i++) await insert("items", item, keys, `${pk}`);
        if (version < 2) await insert("items", item, { order_id: oldId }, oldNote);
        await session.rows("COMMIT");
      } catch (error) {
        if ((error as { errno?: number }).errno !== DEADLOCK) throw error;
        continue;
      }
      done.made.push(`${pk}`);
      if (version < 2) done.added++;
      for (const one of waiting) if (--one.left <= 0) one.resolve();
    }
  }
  const ended = write();
  return {
    more: (left) =>
      Promise.race([
        new Promise<void>((resolve) => void waiting.add({ left, resolve })),
        ended.then(() => assert.fail("the application has ended")),
      ]),
    async stop() {
      running = false;
      await ended;
      await session.close();
    },
  };
}

/**
 * The number of old orders, enough for three batches of the backfill. Seven orders share each
 * timestamp, so that a batch ends between two of them.
 */
const OLD = 7 * 357;

const server = useDatabase();

const CONNECT = {
  async postgres(): Promise<Session> {
    const client = new pg.Client(server.options);
    await client.connect();
    return {
      async rows(text, values = []) {
        let number = 0;
        const query = text.replaceAll("?", () => `$${++number}`);
        return (await client.query(query, [...values])).rows;
      },
      close: () => client.end(),
    };
  },
  async mysql(): Promise<Session> {
    const options = { ...server.options, supportBigNumbers: true, timezone: "Z" };
    const db = await mysql.createConnection(options);
    return {
      rows: async (text, values = []) => (await db.query(text, [...values]))[0] as Record<string, unknown>[],
      close: () => db.end(),
    };
  },
};
const connect = CONNECT[database as keyof typeof CONNECT];

/** Statements that create both tables with old orders, each with an item that has the same note. */
const SEEDED = {
  postgres: [
    `CREATE TABLE orders (id uuid PRIMARY KEY, note text, created_at timestamptz NOT NULL DEFAULT now())`,
    `CREATE TABLE items (order_id uuid NOT NULL REFERENCES orders, note text)`,
    `INSERT INTO orders SELECT gen_random_uuid(), 'old ' || n, timestamptz '2016-01-01' + n % ${OLD / 7} * interval '7 hours'
      FROM generate_series(0, ${OLD - 1}) AS n`,
    "INSERT INTO items SELECT id, note FROM orders",
  ],
  mysql: [
    "SET GLOBAL time_zone = '+00:00'",
    "SET time_zone = '+00:00'",
    `CREATE TABLE orders (id char(36) PRIMARY KEY, note varchar(40),
      created_at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))`,
    `CREATE TABLE items (order_id char(36) NOT NULL, note varchar(40),
      CONSTRAINT items_order_id FOREIGN KEY (order_id) REFERENCES orders (id))`,
    `INSERT INTO orders SELECT UUID(), CONCAT('old ', seq), '2016-01-01' + INTERVAL 7 * (seq % ${OLD / 7}) HOUR
      FROM seq_0_to_${OLD - 1}`,
    "INSERT INTO items SELECT id, note FROM orders",
  ],
};

/** Runs the statements of a step. Each starts with a capitalized word at the start of a line. */
async function step(session: Session, name: string) {
  const blocks = blocksOf(pageOf(PAGE)) as { words: string; code: string }[];
  const { code } = blocks.find(({ words }) => words === name) ?? assert.fail(name);
  for (const statement of code.split(/;\n(?=[A-Z]|$)/)) if (statement !== "") await session.rows(statement);
}

/** An item that is inserted while its order gets a key must get the same key. */
async function insertsMeanwhile(id: string) {
  const [filling, inserting] = [await connect(), await connect()];
  await filling.rows("BEGIN");
  await filling.rows("UPDATE orders SET pk = 1 WHERE id = ?", [id]);
  await filling.rows("UPDATE items SET order_pk = 1 WHERE order_id = ?", [id]);
  const inserted = inserting.rows("INSERT INTO items (order_id, note) VALUES (?, 'late')", [id]);
  // A few round trips, so that the insert arrives before the commit.
  for (let i = 0; i < 20; i++) await filling.rows("SELECT 1");
  await filling.rows("COMMIT");
  await inserted;
  const [late] = await filling.rows("SELECT order_pk FROM items WHERE note = 'late'");
  assert.equal(String(late?.order_pk), "1");
  await filling.rows("DELETE FROM items WHERE note = 'late'");
  await filling.rows("UPDATE orders SET pk = NULL WHERE id = ?", [id]);
  await filling.rows("UPDATE items SET order_pk = NULL WHERE order_id = ?", [id]);
  await Promise.all([filling.close(), inserting.close()]);
}

/** Runs the page's backfill until it prints a line, kills it, and runs it again. */
async function backfill(between: () => Promise<void>) {
  await withModules(PAGE, "mjs", async (folder) => {
    const run = () => {
      const program = join(folder, `${database}-backfill.mjs`);
      const child = spawn(process.execPath, [program], {
        env: { ...process.env, ...server.env },
        stdio: ["ignore", "pipe", "inherit"],
      });
      return { child, lines: createInterface(child.stdout), ended: once(child, "exit") };
    };
    const killed = run();
    await once(killed.lines, "line");
    killed.child.kill("SIGKILL");
    await killed.ended;
    await between();
    assert.deepEqual(await run().ended, [0, null]);
  });
}

/**
 * Checks that old orders keep their time and their order, and that new ones have the keys they were
 * given. `rows`: sorted by the new keys.
 */
function agrees(rows: Awaited<ReturnType<Session["rows"]>>, { made, old }: Done) {
  assert.equal(rows.length, OLD + made.length);
  const [before, written] = [new Map(old), new Set(made)];
  const times: number[] = [];
  for (const { pk, note, created_at, id } of rows) {
    const { worker, timestamp } = orders.inspect(orders.parse(String(pk)));
    const isOld = before.has(String(note));
    if (isOld) assert.equal(id, before.get(String(note)));
    else assert.ok(written.has(String(note)));
    if (worker !== 1023) assert.equal(String(pk), note);
    else assert.equal(timestamp, (created_at as Date).getTime());
    if (isOld) times.push(timestamp);
  }
  assert.equal(times.length, OLD);
  assert.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
}

test("each step, while an application writes", async () => {
  const own = await connect();
  for (const statement of SEEDED[database as keyof typeof SEEDED]) await own.rows(statement);
  const old = (await own.rows("SELECT id, note FROM orders")).map(
    ({ id, note }) => [String(note), String(id)] as const,
  );
  const done: Done = { made: [], old, added: 0 };
  const start = async (version: number) => application(await connect(), version, done);
  const change = (number: number) => step(own, `${database}-${number}`);

  const first = await start(0);
  await first.more(20);
  await change(1);
  await insertsMeanwhile(old[0]?.[1] ?? assert.fail());
  await first.more(20);
  const second = await start(1);
  await second.more(20);
  await first.stop();
  await backfill(() => second.more(20));
  await change(4);
  await second.more(20);
  const third = await start(2);
  await third.more(20);
  await second.stop();
  await change(6);
  await third.more(20);
  const fourth = await start(3);
  await fourth.more(20);
  await third.stop();
  await fourth.more(20);
  await fourth.stop();

  agrees(await own.rows("SELECT pk, id, note, created_at FROM orders ORDER BY pk"), done);
  const found = async ([column, key]: readonly [string, unknown]) =>
    (await own.rows(`SELECT note FROM orders WHERE ${column} = ?`, [key])).map(({ note }) => note);
  const [note, id] = old[0] ?? assert.fail();
  assert.deepEqual(await found(keyOf(id)), [note], "an old URL");
  await change(8);
  const all = await own.rows(
    "SELECT orders.note, items.note AS item FROM orders JOIN items ON items.order_pk = orders.pk",
  );
  assert.equal(all.length, OLD + done.added + 2 * done.made.length);
  for (const { note, item } of all) assert.equal(item, note);
  const last = done.made.at(-1) ?? assert.fail();
  assert.deepEqual(await found(keyOf(last)), [last], "a new URL");
  await own.close();
});
