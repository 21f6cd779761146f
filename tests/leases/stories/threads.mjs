// Threads and processes that ask the one that has started them: they are terminated and stand still, and so does that one.

import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { fetched } from "../../everywhere/lib/tools.mjs";
import { pageOf, programsOf } from "../../support/pages.mjs";
import { temporary } from "../../support/places.mjs";
import { output } from "../../support/run.mjs";
import { finish, issueOn } from "../lib/crowd.mjs";
import { begin, gather, holders } from "../lib/disasters.mjs";
import { judge, NUMBERS, planted, seconds, TIMES } from "../lib/judge.mjs";
import { story } from "../lib/story.mjs";
import { wait } from "../lib/time.mjs";

const server = "threads";
const { ttlMs, quarantineMs } = TIMES[server];
const lease = { namespace: "orders", ...TIMES[server] };

/** Threads are terminated, others stand still for longer than the ttl, and then the main thread does. */
async function threads(afterwards, mistake) {
  const main = await begin(server, afterwards, { kind: "threads" });
  const connection = main.connection();
  const all = await holders({ server, connection, processes: 8, leases: 8, lease, mistake }, afterwards);
  for (const member of all.richest().slice(0, 2)) all.kill(member);
  const terminated = await all.holding(NUMBERS, "after terminate");
  const asleep = all.richest().slice(0, 2);
  for (const member of asleep) all.sleep(member);
  await all.holding(NUMBERS, "while threads stand still");
  for (const member of asleep) all.wake(member);
  await wait(1000);
  const blocked = await main.block();
  await wait(2 * ttlMs);
  const silent = mistake === undefined && (await all.silence()) <= blocked + quarantineMs;
  main.unblock();
  await all.holding(NUMBERS, "after the main thread stood still");
  await issueOn(500, mistake, all);
  return { ...(await finish(all)), silent, terminated };
}

story(
  server,
  "8 threads with 8 leases each: some are terminated, some blocked, and the main thread",
  async (afterwards) => {
    const { silent, terminated, ...result } = await threads(afterwards);
    if (!silent) throw new Error("IDs were issued after the end of all intervals");
    return `${judge(result)}; all numbers are held ${seconds(terminated)} after terminate`;
  },
);

story(server, "a planted mistake is seen: threads use on what they have lost", async (afterwards) =>
  planted(await threads(afterwards, "deaf")),
);

/** A primary dies while some of its processes stand still, and starts again with new ones. The others outlive it. */
async function orphans(kind, afterwards, mistake) {
  const primary = await begin(server, afterwards, { kind });
  const all = { server, connection: primary.connection(), processes: 4, leases: NUMBERS / 4, lease, mistake };
  const first = await holders(all, afterwards);
  const asleep = first.richest().slice(0, 2);
  for (const member of asleep) first.sleep(member);
  await primary.kill();
  await primary.again();
  const others = await gather(all, afterwards);
  const again = await others.holding(NUMBERS, "after the primary has started again");
  for (const member of asleep) first.wake(member);
  await issueOn(1500, mistake, first, others);
  for (const member of first.members) first.kill(member);
  return { ...(await finish(first, others)), again };
}

for (const kind of ["cluster", "forked"]) {
  story(
    server,
    `a primary that dies and starts again, with processes that stand still (${kind})`,
    async (afterwards) => {
      const { again, ...result } = await orphans(kind, afterwards);
      return `${judge(result)}; all numbers are held ${seconds(again)} after the new start`;
    },
  );
}

story(server, "a planted mistake is seen: orphans do not check the interval", async (afterwards) =>
  planted(await orphans("forked", afterwards, "endless")),
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
