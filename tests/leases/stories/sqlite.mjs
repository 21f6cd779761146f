// A SQLite file: with each client, deleted while processes use it, and kept by one that stands still.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { output } from "../../everywhere/lib/run.mjs";
import { crowd, finish } from "../lib/crowd.mjs";
import { comesBackMs, judge, NUMBERS, planted, SLACK_MS, seconds, TIMES } from "../lib/judge.mjs";
import { here } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";
import { until, wait } from "../lib/time.mjs";
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

story(server, "the tests of the package that need node:sqlite", async () => {
  const tsx = pathToFileURL(fromRoot("node_modules", "tsx", "dist", "loader.mjs")).href;
  const files = ["lease/sqlite", "docs/guide-programs"].map((name) =>
    fromRoot("tests", "js", `${name}.test.ts`),
  );
  const report = await output(await program(), ["--import", tsx, "--test", "--test-reporter=tap", ...files], {
    cwd: fromRoot(),
  });
  const [passed, skipped] = ["pass", "skipped"].map((word) =>
    Number(new RegExp(`^# ${word} (\\d+)`, "m").exec(report)[1]),
  );
  if (passed < 15 || skipped > 0) throw new Error(`${passed} passed, ${skipped} skipped`);
  return `${passed} tests`;
});

/** Prints what a lease on a closed database is refused with. */
const CLOSED = `
const [servers, leases, index, connection] = process.argv.slice(1);
const [{ open }, { lease }, { twitter }] = await Promise.all([servers, leases, index].map((it) => import(it)));
const { store, close } = await open(JSON.parse(connection));
await close();
const began = performance.now();
await lease(store, { format: twitter, namespace: "orders" }).catch(({ message }) => console.log(message));
console.log(performance.now() - began < 3000);`;

story(server, "a closed database is refused at once", async () => {
  const { connection } = await start();
  const urls = ["tests/leases/servers/sqlite.mjs", "dist/lease.js", "dist/index.js"].map((path) =>
    String(pathToFileURL(fromRoot(...path.split("/")))),
  );
  for (const client of clients) {
    const what = JSON.stringify(connection({ client }));
    const told = await output(await program(), ["--input-type=module", "-e", CLOSED, ...urls, what]);
    assert.match(told, /^store: .*not open; open another one \[LEASE_STORE\]\ntrue\n$/, client);
  }
});

/** Begins to write, and stands still. */
const STANDS = `
new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("BEGIN IMMEDIATE");
process.kill(process.pid, "SIGSTOP");`;

story(server, "a process stands still in the middle of a write, and is killed", async (afterwards) => {
  const { connection } = await start();
  const lease = { namespace: "orders", ...TIMES[server] };
  const all = await crowd({ server, connection: connection(), processes: 2, leases: NUMBERS / 2, lease });
  afterwards(all.end);
  await all.holding(NUMBERS, lease.quarantineMs + comesBackMs(server), "after the start");
  const child = spawn(await program(), ["-e", STANDS, connection().file], { stdio: "ignore" });
  afterwards(() => child.kill("SIGKILL"));
  await until(() => all.held() === 0, lease.ttlMs + SLACK_MS, "numbers are held although nobody can write");
  child.kill("SIGKILL");
  const took = await all.holding(NUMBERS, comesBackMs(server), "after SIGKILL");
  return `${judge(await finish(all))}; all numbers are held ${seconds(took)} after SIGKILL`;
});

/** The file is deleted under those who hold all numbers. Others come, and find no file. */
async function deleted(mode, afterwards, mistake) {
  const { connection, remove } = await start({ mode });
  const all = { server, connection: connection(), processes: 2, leases: NUMBERS / 2, mistake };
  const lease = { namespace: "orders", ...TIMES[server] };
  const first = await crowd({ ...all, lease });
  afterwards(first.end);
  await first.holding(NUMBERS, lease.quarantineMs + comesBackMs(server), "after the start");
  remove();
  const others = await crowd({ ...all, lease });
  afterwards(others.end);
  await others.holding(NUMBERS, lease.quarantineMs + comesBackMs(server), "in the new file");
  await wait(500);
  return { held: first.held(), ...(await finish(first, others)) };
}

for (const mode of ["DELETE", "WAL"]) {
  story(server, `the file is deleted, with journal_mode ${mode}`, async (afterwards) => {
    const { codes, held, ...rest } = await deleted(mode, afterwards);
    if (held > 0) throw new Error(`${held} numbers are still held in the deleted file`);
    // Which is what the others are to do: they open it again.
    if (!codes.delete("CONFLICT")) throw new Error("nobody has noticed that the file was deleted");
    return judge({ codes, ...rest });
  });
}

story(server, "a planted mistake is seen: the interval is not checked", async (afterwards) =>
  planted(await deleted("WAL", afterwards, "endless")),
);
