// Many processes, few numbers, and what happens to processes: they are killed, they stand still for longer than the ttl.

import { crowd, finish } from "../lib/crowd.mjs";
import { begin } from "../lib/disasters.mjs";
import { comesBackMs, judge, NUMBERS, seconds, TIMES } from "../lib/judge.mjs";
import { story } from "../lib/story.mjs";
import { wait } from "../lib/time.mjs";

/**
 * Two hundred processes would take minutes to start on two processors, so these hold ten leases each. For etcd and SQLite they are fewer:
 * there all that ask read all the numbers, and in SQLite only one at a time.
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
async function live(server, afterwards) {
  const running = await begin(server, afterwards);
  const lease = { namespace: "crowd", ...TIMES[server] };
  const all = await crowd({ server, connection: running.connection(), ...CROWD[server], lease });
  afterwards(all.end);
  await all.holding(NUMBERS, lease.quarantineMs + comesBackMs(server), "after the start");
  for (const member of all.richest().slice(0, 4)) all.kill(member);
  const killed = await all.holding(NUMBERS, comesBackMs(server), "after SIGKILL");
  const asleep = all.richest().slice(0, 4);
  for (const member of asleep) all.sleep(member);
  const stopped = await all.holding(NUMBERS, comesBackMs(server), "after SIGSTOP");
  await wait(lease.ttlMs);
  for (const member of asleep) all.wake(member);
  await wait(1500);
  const remark = judge(await finish(all));
  return `${remark}; all numbers are held ${seconds(killed)} after SIGKILL, ${seconds(stopped)} after SIGSTOP`;
}

for (const server of Object.keys(TIMES)) {
  const { processes, leases } = CROWD[server];
  const name = `${processes} processes with ${leases} leases each fight for 32 numbers; some are killed, some stand still`;
  story(server, name, { seconds: 90 }, (afterwards) => live(server, afterwards));
}
