/**
 * The store in a SQLite file, where Node has `node:sqlite`: Node 22.13 and later. `npm test` runs this in a Node that has it, and `npm run
 * test:leases` tries other clients and many processes.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { GraupelError } from "graupel";
import { checks } from "../../../js/lease/conformance.ts";
import { type SqliteDatabase, sqlite } from "../../../js/lease/stores/sqlite.ts";
import type { AcquireRequest, Grant, LeaseStore } from "../../../js/lease/types.ts";

interface Database extends SqliteDatabase {
  close(): void;
}

const module = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as
  | { readonly DatabaseSync: new (path: string, options: object) => Database }
  | undefined;
const skip = module === undefined ? "this Node has no node:sqlite" : false;

const folder = mkdtempSync(join(tmpdir(), "graupel-sqlite-"));
const opened: Database[] = [];
after(() => {
  for (const database of opened) database.close();
  rmSync(folder, { recursive: true });
});

let files = 0;
const newFile = () => join(folder, `${files++}.db`);

/** Not defensive: that would leave out what the store has to refuse. */
function open(path: string, ...pragmas: string[]): Database {
  const database = new module!.DatabaseSync(path, { defensive: false });
  opened.push(database);
  for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
  return database;
}

const request: AcquireRequest = {
  namespace: "orders",
  layout: "a layout",
  last: 3,
  mask: 0,
  bits: 0,
  ttlMs: 1000,
  quarantineMs: 1000,
  token: "first",
  label: "a test",
};

async function take(store: LeaseStore, token: string): Promise<Grant> {
  const answer = await store.acquire({ ...request, token });
  assert.ok("number" in answer, JSON.stringify(answer));
  return answer;
}

const isConflict = (words: RegExp) => (error: unknown) =>
  GraupelError.is(error) && error.code === "CONFLICT" && words.test(error.message);

for (const mode of ["DELETE", "WAL", "PERSIST"]) {
  test(`journal_mode ${mode}`, { skip, concurrency: true }, async (t) => {
    const store = sqlite(open(newFile(), `journal_mode = ${mode}`), { reach: "alone" });
    await Promise.all(checks(store, { ttlMs: 1000 }).map(({ name, run }) => t.test(name, run)));
  });
}

test("what could lose a write is refused, at each call", { skip }, async () => {
  for (const [pragma, words] of [
    ["synchronous = 0", /synchronous is 0.*set it to FULL/],
    ["synchronous = 1", /synchronous is 1.*set it to FULL/],
    ["journal_mode = MEMORY", /journal_mode is memory.*set it to WAL/],
    ["journal_mode = OFF", /journal_mode is off.*set it to WAL/],
  ] as const) {
    const database = open(newFile());
    const store = sqlite(database, { reach: "alone" });
    const { number } = await take(store, "first");
    database.exec(`PRAGMA ${pragma}`);
    const renewal = { namespace: "orders", number, ttlMs: 1000, token: "first", nextToken: "next" };
    await assert.rejects(store.renew(renewal), isConflict(words));
    await assert.rejects(take(store, "second"), isConflict(words));
  }
  for (const path of [":memory:", ""]) {
    await assert.rejects(
      take(sqlite(open(path), { reach: "alone" }), "first"),
      isConflict(/memory|was deleted/),
    );
  }
});

test("another process, and a start after a crash, see what was granted", { skip }, async () => {
  const path = newFile();
  const grant = await take(sqlite(open(path), { reach: "alone" }), "first");
  const other = sqlite(open(path), { reach: "alone" });
  assert.notEqual((await take(other, "second")).number, grant.number);
  const [record] = (await other.list?.("orders")) ?? [];
  assert.deepEqual([record?.number, record?.from, record?.mark], [grant.number, grant.from, grant.until]);
});

test("a call waits for another process that writes, and not for ever", { skip }, async () => {
  const path = newFile();
  const store = sqlite(open(path), { reach: "alone" });
  await take(store, "first");
  const other = open(path);
  other.exec("BEGIN IMMEDIATE");
  setTimeout(() => other.exec("COMMIT"), 200);
  assert.equal((await take(store, "second")).number, 1);
  other.exec("BEGIN IMMEDIATE");
  const since = performance.now();
  await assert.rejects(take(store, "third"), /database is locked/);
  assert.ok(performance.now() - since > 900);
  other.exec("ROLLBACK");
  assert.equal((await take(store, "third")).number, 2);
});

test("a call that waits does not hold up this process as long as the connection itself would", {
  skip,
}, async () => {
  const path = newFile();
  const database = open(path, "busy_timeout = 300");
  const store = sqlite(database, { reach: "alone" });
  await take(store, "first");
  const other = open(path);
  other.exec("BEGIN IMMEDIATE");
  const since = performance.now();
  const pending = assert.rejects(take(store, "second"), /database is locked/);
  const [row] = database.prepare("PRAGMA busy_timeout").all() as [{ timeout: number }];
  assert.equal(row.timeout, 300, "the user's own wait stays");
  await pending;
  // A hundred attempts, of 300 ms each, would be half a minute.
  assert.ok(performance.now() - since < 10_000, "it was held up");
  other.exec("ROLLBACK");
  assert.equal((await take(store, "second")).number, 1);
});

test("a call waits for another process that reads", { skip }, async () => {
  const path = newFile();
  const store = sqlite(open(path, "journal_mode = DELETE"), { reach: "alone" });
  await take(store, "first");
  const other = open(path);
  other.exec("BEGIN");
  other.prepare("SELECT * FROM graupel_lease").all();
  setTimeout(() => other.exec("COMMIT"), 200);
  // The commit has to wait: what it was to write is undone, and written again.
  assert.equal((await take(store, "second")).number, 1);
});

test("a grant cannot be part of a transaction of the user, who may undo it", { skip }, async () => {
  const database = open(newFile());
  const store = sqlite(database, { reach: "alone" });
  database.exec("CREATE TABLE mine (it)");
  database.exec("BEGIN; INSERT INTO mine VALUES (1)");
  await assert.rejects(take(store, "first"), isConflict(/a transaction is open/));
  database.exec("COMMIT");
  assert.equal(database.prepare("SELECT * FROM mine").all().length, 1);
  assert.equal((await take(store, "first")).number, 0);
});

for (const mode of ["DELETE", "WAL"]) {
  test(`a file that was deleted or replaced grants nothing, with journal_mode ${mode}`, {
    skip,
  }, async () => {
    const path = newFile();
    const store = sqlite(open(path, `journal_mode = ${mode}`), { reach: "alone" });
    const first = await take(store, "first");
    const moved = ["", "-wal", "-shm"].map((ending) => path + ending);
    for (const name of moved) rmSync(name, { force: true });
    const renewal = {
      namespace: "orders",
      number: first.number,
      ttlMs: 1000,
      token: "first",
      nextToken: "next",
    };
    await assert.rejects(store.renew(renewal), isConflict(/deleted or replaced/));
    const next = await take(sqlite(open(path, `journal_mode = ${mode}`), { reach: "alone" }), "second");
    assert.equal(next.number, first.number);
    assert.ok(next.from >= next.now + request.quarantineMs, "a new file waits");
    await assert.rejects(store.renew(renewal), isConflict(/deleted or replaced/));
    await assert.rejects(take(store, "third"), isConflict(/deleted or replaced/));
    renameSync(path, `${path}.moved`);
  });
}

test("a file with two paths is refused in WAL mode, where each has a WAL file of its own", {
  skip,
}, async () => {
  const twoPaths = isConflict(/two paths.*mount its folder/);
  for (const mode of ["WAL", "DELETE"]) {
    const link = (how: (from: string, to: string) => void) => {
      const [from, folder] = [newFile(), newFile()];
      mkdirSync(folder);
      const made = new module!.DatabaseSync(from, {});
      made.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE mine (it)`);
      made.close();
      const to = join(folder, "its name.db");
      how(from, to);
      return [from, to] as const;
    };
    const takeBoth = async (paths: readonly [string, string]) => {
      const taken = [];
      for (const [i, path] of paths.entries()) {
        taken.push(await take(sqlite(open(path), { reach: "alone" }), `token ${i}`));
      }
      return taken.map(({ number }) => number);
    };
    assert.deepEqual(await takeBoth(link(symlinkSync)), [0, 1], `${mode}, a symbolic link`);
    const linked = link(linkSync);
    if (mode === "WAL") {
      for (const path of linked) {
        await assert.rejects(take(sqlite(open(path), { reach: "alone" }), "first"), twoPaths, path);
      }
    } else {
      assert.deepEqual(await takeBoth(linked), [0, 1]);
    }
    if (process.platform === "linux" && process.getuid?.() === 0) {
      const mounted = link((from, to) => {
        writeFileSync(to, "");
        execFileSync("mount", ["--bind", from, to]);
      });
      try {
        const bound = sqlite(open(mounted[1]), { reach: "alone" });
        if (mode === "WAL") await assert.rejects(take(bound, "first"), twoPaths);
        else assert.equal((await take(bound, "first")).number, 0);
      } finally {
        execFileSync("umount", ["--lazy", mounted[1]]);
      }
    }
  }
  // A link that is made later.
  const path = newFile();
  const store = sqlite(open(path, "journal_mode = WAL"), { reach: "alone" });
  await take(store, "first");
  linkSync(path, newFile());
  await assert.rejects(take(store, "second"), twoPaths);
});

test("what no waiting mends says so", { skip }, async () => {
  const path = newFile();
  open(path).exec("CREATE TABLE mine (it)");
  const readOnly = new module!.DatabaseSync(path, { readOnly: true });
  opened.push(readOnly);
  const closed = new module!.DatabaseSync(path, {});
  closed.close();
  writeFileSync(`${path}.txt`, "no database".repeat(100));
  for (const database of [readOnly, closed, new module!.DatabaseSync(`${path}.txt`, {})]) {
    await assert.rejects(take(sqlite(database, { reach: "alone" }), "first"), { permanent: true });
  }
});

test("a full file refuses, and what was granted stays", { skip }, async () => {
  const database = open(newFile(), "page_size = 512");
  const store = sqlite(database, { reach: "alone" });
  const { number } = await take(store, "first");
  const [{ page_count: pages }] = database.prepare("PRAGMA page_count").all() as [{ page_count: number }];
  database.exec(`PRAGMA max_page_count = ${pages}`);
  let taken = 1;
  const fill = async () => {
    for (; taken < 1000; taken++) {
      await store.acquire({
        ...request,
        last: 1023,
        token: `token ${taken}`,
        label: "a long label ".repeat(10),
      });
    }
  };
  await assert.rejects(fill(), /full/);
  const held = async () => ((await store.list?.("orders")) ?? []).filter((record) => record.held).length;
  assert.equal(await held(), taken);
  const renewal = { namespace: "orders", number, ttlMs: 1000, token: "first", nextToken: "other" };
  assert.ok(await store.renew(renewal), "a renewal needs no more space");
  database.exec("PRAGMA max_page_count = 1000000");
  await store.acquire({ ...request, last: 1023, token: "one more" });
  assert.equal(await held(), taken + 1);
});
