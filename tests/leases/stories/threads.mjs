// Threads and processes that ask the one that has started them: they are terminated and stand still, and so does that one.

import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { fetched } from "../../everywhere/lib/tools.mjs";
import { pageOf, programsOf } from "../../support/pages.mjs";
import { temporary } from "../../support/places.mjs";
import { output } from "../../support/run.mjs";
import { finish, issueOn } from "../lib/crowd.mjs";
import { NUMBERS, seconds, timesOf } from "../lib/judge.mjs";
import { story, tale } from "../lib/story.mjs";
import { wait } from "../lib/time.mjs";

const server = "threads";
const { ttlMs, quarantineMs } = timesOf(server);

tale(
  server,
  "8 threads with 8 leases each: some are terminated, some blocked, and the main thread",
  async (it, mistake) => {
    const main = await it.begin({ kind: "threads" });
    const all = await it.holders({ connection: main.connection(), processes: 8, leases: 8, mistake });
    all.kill(...all.richest(2));
    const terminated = await all.holding(NUMBERS, "after terminate");
    const asleep = all.richest(2);
    all.sleep(...asleep);
    await all.holding(NUMBERS, "while threads stand still");
    all.wake(...asleep);
    await wait(1000);
    const blocked = await main.block();
    await wait(2 * ttlMs);
    if (mistake === undefined) await all.silentAfter(blocked + quarantineMs);
    main.unblock();
    await all.holding(NUMBERS, "after the main thread stood still");
    const note = `all numbers are held ${seconds(terminated)} after terminate`;
    return { ...(await finish(500, mistake, all)), note };
  },
  { "threads use on what they have lost": "deaf" },
);

for (const [kind, mistakes] of [["cluster"], ["forked", { "orphans do not check the interval": "endless" }]])
  tale(
    server,
    `a primary that dies and starts again, with processes that stand still (${kind})`,
    async (it, mistake) => {
      const primary = await it.begin({ kind });
      const what = { connection: primary.connection(), processes: 4, leases: NUMBERS / 4, mistake };
      const first = await it.holders(what);
      const asleep = first.richest(2);
      first.sleep(...asleep);
      await primary.kill();
      await primary.again();
      // The others outlive it, beside new ones.
      const others = await it.gather(what);
      const again = await others.holding(NUMBERS, "after the primary has started again");
      first.wake(...asleep);
      await issueOn(1500, mistake, first, others);
      first.kill(...first.members);
      const note = `all numbers are held ${seconds(again)} after the new start`;
      return { ...(await finish(0, mistake, first, others)), note };
    },
    mistakes,
  );

story(server, "the programs of the guide in Bun", async () => {
  const bun = await fetched("bun", "bin/bun");
  const folder = temporary("guide");
  for (const part of ["dist", "package.json"])
    cpSync(fromRoot(part), join(folder, "node_modules", "graupel", part), { recursive: true });
  for (const [name, code] of programsOf(pageOf("workers/threads-and-cluster.md"), "file="))
    writeFileSync(join(folder, name), code);
  for (const name of ["main.mjs", "cluster.mjs"]) {
    const printed = (await output(bun, [name], { cwd: folder })).trim().split("\n").sort();
    if (printed.join() !== "worker 0,worker 1,worker 2") throw new Error(`${name}: ${printed}`);
  }
});
