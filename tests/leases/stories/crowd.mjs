// Many processes, few numbers, and what happens to processes: they are killed, they stand still for longer than the ttl.

import { finish, issueOn } from "../lib/crowd.mjs";
import { begin, holders } from "../lib/disasters.mjs";
import { judge, NUMBERS, seconds, TIMES } from "../lib/judge.mjs";
import { story } from "../lib/story.mjs";
import { wait } from "../lib/time.mjs";

/**
 * Two hundred leases for 32 numbers, ten in each process: two hundred processes would need 8 GB of memory, and a minute alone. For etcd and SQLite they are fewer: there all that ask read all the numbers, and in SQLite only one at a time.
 */
const CROWD = {
  redis: { processes: 20, leases: 10 },
  etcd: { processes: 16, leases: 5 },
  postgres: { processes: 20, leases: 10 },
  mysql: { processes: 20, leases: 10 },
  sqlite: { processes: 16, leases: 5 },
  threads: { processes: 16, leases: 5 },
};

/** Holders are killed, others stand still for longer than the ttl, and come back to life. */
async function live(server, afterwards, size) {
  const running = await begin(server, afterwards);
  const lease = { namespace: "crowd", ...TIMES[server] };
  const all = await holders({ server, connection: running.connection(), ...size, lease }, afterwards);
  for (const member of all.richest().slice(0, 4)) all.kill(member);
  const killed = await all.holding(NUMBERS, "after SIGKILL");
  const asleep = all.richest().slice(0, 4);
  for (const member of asleep) all.sleep(member);
  const stopped = await all.holding(NUMBERS, "after SIGSTOP");
  await wait(lease.ttlMs);
  for (const member of asleep) all.wake(member);
  await issueOn(1500, undefined, all);
  const remark = judge(await finish(all));
  return `${remark}; all numbers are held ${seconds(killed)} after SIGKILL, ${seconds(stopped)} after SIGSTOP`;
}

const named = ({ processes, leases }) =>
  `${processes} processes with ${leases} lease${leases > 1 ? "s" : ""} each fight for 32 numbers; some are killed, some stand still`;

for (const server of Object.keys(TIMES)) {
  const size = CROWD[server];
  story(server, named(size), (afterwards) => live(server, afterwards, size));
}
