// A SQLite file: with each client, deleted while processes use it, and kept by one that stands still.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { output } from "../../support/run.mjs";
import { finish, issueOn } from "../lib/crowd.mjs";
import { gather, holders } from "../lib/disasters.mjs";
import { judge, NUMBERS, planted, seconds, TIMES } from "../lib/judge.mjs";
import { here } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";
import { until } from "../lib/time.mjs";
import { clients, program, start } from "../servers/sqlite.mjs";

const server = "sqlite";

story(server, "the conformance suite, with each client", async () => {
  const node = await program();
  let count = 0;
  for (const mode of ["DELETE", "WAL"]) {
    for (const client of clients) {
      const { connection } = await start({ mode });
      const what = { server, connection: connection({ client }), ttlMs: 2000 };
      count += Number(await output(node, [join(here, "lib", "checked.mjs"), JSON.stringify(what)]));
    }
  }
  return `${count} checks with ${clients.length} clients`;
});

/** Prints what a lease on a closed database is refused with. */
const CLOSED = `
const [servers, leases, index, connection] = process.argv.slice(1);
const [{ open }, { lease }, { twitter }] = await Promise.all([servers, leases, index].map((it) => import(it)));
const { store, close } = await open(JSON.parse(connection));
await close();
// Longer than a story may take.
const asked = { format: twitter, namespace: "orders", maxWaitMs: 3_600_000 };
await lease(store, asked).catch(({ message }) => console.log(message));`;

story(server, "a closed database is refused at once", async () => {
  const { connection } = await start();
  const urls = ["tests/leases/servers/sqlite.mjs", "dist/lease.js", "dist/index.js"].map((path) =>
    String(pathToFileURL(fromRoot(...path.split("/")))),
  );
  for (const client of clients) {
    const what = JSON.stringify(connection({ client }));
    const told = await output(await program(), ["--input-type=module", "-e", CLOSED, ...urls, what]);
    assert.match(told, /^store: .*not open; open another one \[LEASE_STORE\]\n$/, client);
  }
});

/** Begins to write, as soon as nobody else does, says so, and stands still. */
const STANDS = `
const file = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
file.exec("PRAGMA busy_timeout = 1000000; BEGIN IMMEDIATE");
require("node:fs").writeSync(1, "writes");
process.kill(process.pid, "SIGSTOP");`;

story(server, "a process stands still in the middle of a write, and is killed", async (afterwards) => {
  const { connection } = await start();
  const lease = { namespace: "orders", ...TIMES[server] };
  const what = { server, connection: connection(), processes: 2, leases: NUMBERS / 2, lease };
  const all = await holders(what, afterwards);
  const child = spawn(await program(), ["-e", STANDS, connection().file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  afterwards(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  await until(() => all.held() === 0, "numbers are held although nobody can write");
  child.kill("SIGKILL");
  const took = await all.holding(NUMBERS, "after SIGKILL");
  return `${judge(await finish(all))}; all numbers are held ${seconds(took)} after SIGKILL`;
});

/** The file is deleted under those who hold all numbers. Others come, and find no file. */
async function deleted(mode, afterwards, mistake) {
  const { connection, remove } = await start({ mode });
  const all = { server, connection: connection(), processes: 2, leases: NUMBERS / 2, mistake };
  const lease = { namespace: "orders", ...TIMES[server] };
  const first = await holders({ ...all, lease }, afterwards);
  remove();
  const others = await gather({ ...all, lease }, afterwards);
  await others.holding(NUMBERS, "in the new file");
  if (mistake === undefined) await until(() => first.held() === 0, "numbers are held in the deleted file");
  await issueOn(500, mistake, first, others);
  return finish(first, others);
}

for (const mode of ["DELETE", "WAL"]) {
  story(server, `the file is deleted, with journal_mode ${mode}`, async (afterwards) => {
    const { codes, ...rest } = await deleted(mode, afterwards);
    // Which is what the others are to do: they open it again.
    if (!codes.delete("CONFLICT")) throw new Error("nobody has noticed that the file was deleted");
    return judge({ codes, ...rest });
  });
}

story(server, "a planted mistake is seen: the interval is not checked", async (afterwards) =>
  planted(await deleted("WAL", afterwards, "endless")),
);
