/**
 * The SQLite store, with `node:sqlite` in Node 22.13 and later. `npm test` runs this file in such a
 * Node. `npm run test:leases` tests other clients and many processes.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test as testOf } from "node:test";
import { checks } from "../../../js/lease/conformance.ts";
import { type SqliteDatabase, sqlite } from "../../../js/lease/stores/sqlite.ts";
import type { Grant, LeaseStore } from "../../../js/lease/types.ts";
import { request } from "./scripted-leases.ts";

interface Database extends SqliteDatabase {
  close(): void;
}

const module = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as
  | { readonly DatabaseSync: new (path: string, options: object) => Database }
  | undefined;
const skip = module === undefined ? "this Node has no node:sqlite" : false;
const test = (name: string, work: NonNullable<Parameters<typeof testOf>[0]>) =>
  testOf(name, { skip, concurrency: true }, work);

const folder = mkdtempSync(join(tmpdir(), "graupel-sqlite-"));
const opened: Database[] = [];
after(() => {
  for (const database of opened) database.close();
  rmSync(folder, { recursive: true });
});

let files = 0;
const newFile = () => join(folder, `${files++}.db`);

/**
 * Opens a database without defensive mode, which would hide some of the cases that the store must
 * reject.
 */
function open(path: string, ...pragmas: string[]): Database {
  const database = new module!.DatabaseSync(path, { defensive: false });
  opened.push(database);
  for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
  return database;
}

const storeOf = (database: SqliteDatabase) => sqlite(database, { reach: "alone" });

const renewalOf = (number: number) => ({ ...request, number, nextToken: "next" });

async function take(store: LeaseStore, token: string): Promise<Grant> {
  const answer = await store.acquire({ ...request, token });
  assert.ok("number" in answer, JSON.stringify(answer));
  return answer;
}

const conflict = (message: RegExp) => ({ name: "GraupelError", code: "CONFLICT", message });

for (const mode of ["DELETE", "WAL", "PERSIST"]) {
  test(`journal_mode ${mode}`, async (t) => {
    const store = storeOf(open(newFile(), `journal_mode = ${mode}`));
    await Promise.all(checks(store, { ttlMs: 1000 }).map(({ name, run }) => t.test(name, run)));
  });
}

test("what could lose a write is refused, at each call", async () => {
  for (const [pragma, words] of [
    ["synchronous = 0", /synchronous is 0.*set it to FULL/],
    ["synchronous = 1", /synchronous is 1.*set it to FULL/],
    ["journal_mode = MEMORY", /journal_mode is memory.*set it to WAL/],
    ["journal_mode = OFF", /journal_mode is off.*set it to WAL/],
  ] as const) {
    const database = open(newFile());
    const store = storeOf(database);
    const { number } = await take(store, "first");
    database.exec(`PRAGMA ${pragma}`);
    await assert.rejects(store.renew(renewalOf(number)), conflict(words));
    await assert.rejects(take(store, "second"), conflict(words));
  }
  for (const path of [":memory:", ""]) {
    await assert.rejects(take(storeOf(open(path)), "first"), conflict(/memory|was deleted/));
  }
});

test("a call waits for another process that writes, and not for ever", async () => {
  const path = newFile();
  const database = open(path, "busy_timeout = 300");
  const timeout = () => (database.prepare("PRAGMA busy_timeout").all() as { timeout: number }[])[0]?.timeout;
  const waits: unknown[] = [];
  const watched: SqliteDatabase = {
    prepare: (sql) => database.prepare(sql),
    exec(sql) {
      if (sql.startsWith("BEGIN")) waits.push(timeout());
      return database.exec(sql);
    },
  };
  const store = storeOf(watched);
  await take(store, "first");
  const other = open(path);
  other.exec("BEGIN IMMEDIATE");
  const pending = take(store, "second");
  assert.equal(timeout(), 300, "the user's own wait stays");
  // The call has tried in vain and tries again.
  while (waits.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  other.exec("COMMIT");
  assert.equal((await pending).number, 1);
  other.exec("BEGIN IMMEDIATE");
  waits.length = 0;
  await assert.rejects(take(store, "third"), /database is locked/);
  // If the connection waited, each attempt would block this process.
  assert.ok(waits.length > 20 && waits.every((wait) => wait === 0), String(waits));
  other.exec("ROLLBACK");
  assert.equal((await take(store, "third")).number, 2);
});

test("a call waits for another process that reads", async () => {
  const path = newFile();
  const store = storeOf(open(path, "journal_mode = DELETE"));
  await take(store, "first");
  const other = open(path);
  other.exec("BEGIN");
  other.prepare("SELECT * FROM graupel_lease").all();
  const pending = take(store, "second");
  setTimeout(() => other.exec("COMMIT"), 200);
  // The commit must wait: its writes are rolled back and written again.
  assert.equal((await pending).number, 1);
});

test("a grant cannot be part of a transaction of the user, who may undo it", async () => {
  const database = open(newFile());
  const store = storeOf(database);
  database.exec("CREATE TABLE mine (it)");
  database.exec("BEGIN; INSERT INTO mine VALUES (1)");
  await assert.rejects(take(store, "first"), conflict(/a transaction is open/));
  database.exec("COMMIT");
  assert.equal(database.prepare("SELECT * FROM mine").all().length, 1);
  assert.equal((await take(store, "first")).number, 0);
});

for (const mode of ["DELETE", "WAL"]) {
  test(`a file that was deleted or replaced grants nothing, with journal_mode ${mode}`, async () => {
    const path = newFile();
    const store = storeOf(open(path, `journal_mode = ${mode}`));
    const first = await take(store, "first");
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    const renewal = renewalOf(first.number);
    const gone = conflict(/deleted or replaced/);
    await assert.rejects(store.renew(renewal), gone);
    const next = await take(storeOf(open(path, `journal_mode = ${mode}`)), "second");
    assert.equal(next.number, first.number);
    assert.ok(next.from >= next.now + request.quarantineMs, "a new file waits");
    await assert.rejects(store.renew(renewal), gone);
    await assert.rejects(take(store, "third"), gone);
    renameSync(path, `${path}.moved`);
  });

  test(`a file with two paths is refused in WAL mode, where each has a WAL file of its own: ${mode}`, async () => {
    const twoPaths = conflict(/two paths.*mount its folder/);
    const link = (how: (from: string, to: string) => void) => {
      const [from, folder] = [newFile(), newFile()];
      mkdirSync(folder);
      const made = new module!.DatabaseSync(from, {});
      made.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE mine (it)`);
      made.close();
      const to = join(folder, "its name.db");
      how(from, to);
      return [from, to];
    };
    /** Two processes each acquire a number through one of the paths, or every path is rejected. */
    const tryEach = async (paths: readonly string[], isRefused: boolean) => {
      for (const [i, path] of paths.entries()) {
        const taking = take(storeOf(open(path)), `token ${i}`);
        if (isRefused) await assert.rejects(taking, twoPaths, path);
        else assert.equal((await taking).number, i);
      }
    };
    await tryEach(link(symlinkSync), false);
    await tryEach(link(linkSync), mode === "WAL");
    if (process.platform === "linux" && process.getuid?.() === 0) {
      const [, mounted = ""] = link((from, to) => {
        writeFileSync(to, "");
        execFileSync("mount", ["--bind", from, to]);
      });
      try {
        await tryEach([mounted], mode === "WAL");
      } finally {
        execFileSync("umount", ["--lazy", mounted]);
      }
    }
    // A link that is created later.
    const path = newFile();
    const store = storeOf(open(path, `journal_mode = ${mode}`));
    await take(store, "first");
    linkSync(path, newFile());
    if (mode === "WAL") await assert.rejects(take(store, "second"), twoPaths);
  });
}

test("what no waiting mends says so", async () => {
  const path = newFile();
  open(path).exec("CREATE TABLE mine (it)");
  const readOnly = new module!.DatabaseSync(path, { readOnly: true });
  opened.push(readOnly);
  const closed = new module!.DatabaseSync(path, {});
  closed.close();
  writeFileSync(`${path}.txt`, "no database".repeat(100));
  for (const database of [readOnly, closed, new module!.DatabaseSync(`${path}.txt`, {})]) {
    await assert.rejects(take(storeOf(database), "first"), { permanent: true });
  }
});

test("a full file refuses, and what was granted stays", async () => {
  const database = open(newFile(), "page_size = 512");
  const store = storeOf(database);
  const { number } = await take(store, "first");
  const [{ page_count: pages }] = database.prepare("PRAGMA page_count").all() as [{ page_count: number }];
  database.exec(`PRAGMA max_page_count = ${pages}`);
  const long = { ...request, last: 1023, label: "a long label ".repeat(10) };
  let taken = 1;
  const fill = async () => {
    for (; taken < 1000; taken++) await store.acquire({ ...long, token: `token ${taken}` });
  };
  await assert.rejects(fill(), /full/);
  const held = async () => ((await store.list?.("orders")) ?? []).filter((record) => record.held).length;
  assert.equal(await held(), taken);
  assert.ok(await store.renew(renewalOf(number)), "a renewal needs no more space");
  database.exec("PRAGMA max_page_count = 1000000");
  await store.acquire({ ...long, token: "one more" });
  assert.equal(await held(), taken + 1);
});
