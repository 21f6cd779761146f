// A SQLite file: with each client, and locked by a process that is paused.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { output } from "../../support/run.mjs";
import { finish, NUMBERS } from "../lib/crowd.mjs";
import { story, tale } from "../lib/story.mjs";
import { until } from "../lib/time.mjs";
import { clients, program, start } from "../servers/sqlite.mjs";

const server = "sqlite";

/**
 * Runs a program with an open store in the Node that SQLite needs. Returns its output. `more`: the
 * value of `asked` in the program.
 */
async function printedBy(code, connection, more = {}) {
  const [servers, leases, checks, index] = [
    "tests/leases/servers/sqlite.mjs",
    ...["dist/lease.js", "dist/lease/conformance.js", "dist/index.js"],
  ].map((path) => JSON.stringify(pathToFileURL(fromRoot(...path.split("/")))));
  const module = `
    import { open } from ${servers};
    import { lease } from ${leases};
    import { checks } from ${checks};
    import { twitter } from ${index};
    const { store, close } = await open(${JSON.stringify(connection)});
    const asked = ${JSON.stringify(more)};
    ${code}`;
  return output(await program(), ["--input-type=module", "-e", module]);
}

story(server, "the conformance suite, with each client", async () => {
  const code = `
    const all = checks(store, asked);
    const named = ({ name, run }) => run().catch((error) => { throw new Error(name, { cause: error }); });
    await Promise.all(all.map(named));
    await close();
    console.log(all.length);`;
  let count = 0;
  for (const mode of ["DELETE", "WAL"])
    for (const client of clients) {
      const { connection } = await start({ mode });
      count += Number(await printedBy(code, connection({ client }), { ttlMs: 2000 }));
    }
  return `${count} checks with ${clients.length} clients`;
});

story(server, "a closed database is refused at once", async () => {
  const code = `
    await close();
    await lease(store, { format: twitter, ...asked }).catch(({ message }) => console.log(message));`;
  const { connection } = await start();
  for (const client of clients) {
    // Longer than a story may take.
    const asked = { namespace: "orders", maxWaitMs: 3_600_000 };
    const told = await printedBy(code, connection({ client }), asked);
    assert.match(told, /^store: .*not open; open another one \[LEASE_STORE\]\n$/, client);
  }
});

/** Starts a write transaction as soon as no other is open, reports it, and blocks. */
const STANDS = `
const file = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
file.exec("PRAGMA busy_timeout = 1000000; BEGIN IMMEDIATE");
require("node:fs").writeSync(1, "writes");
process.kill(process.pid, "SIGSTOP");`;

tale(server, "a process stands still in the middle of a write, and is killed", async (it) => {
  const { connection } = await it.begin();
  const all = await it.holders({ connection: connection() });
  const stdio = ["ignore", "pipe", "inherit"];
  const child = spawn(await program(), ["-e", STANDS, connection().file], { stdio });
  it.afterwards(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  await until(() => all.held() === 0, "numbers are held although nobody can write");
  child.kill("SIGKILL");
  await all.holding(NUMBERS, "after SIGKILL");
  return finish(0, undefined, all);
});
