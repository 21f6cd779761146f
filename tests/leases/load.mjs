// The load of many holders on one server: `node tests/leases/load.mjs <server> [holders] [seconds]`, after a build. Prints calls per second
// and the server's share of a processor.

import { readdirSync, readFileSync } from "node:fs";
import { importBuilt } from "./lib/places.mjs";
import { wait } from "./lib/time.mjs";

const [server = "redis", holders = "1000", seconds = "30"] = process.argv.slice(2);
const { start, open } = await import(`./servers/${server}.mjs`);
const running = await start();
const { store, close } = await open(running.connection());
const [{ lease }, { twitter }] = await Promise.all([importBuilt("lease"), importBuilt("index")]);

let calls = 0;
const took = [];
const counted = (call) => async (request) => {
  calls++;
  const since = performance.now();
  try {
    return await call(request);
  } finally {
    took.push(performance.now() - since);
  }
};
const counting = { ...store, acquire: counted(store.acquire), renew: counted(store.renew) };

/** Clock ticks of the server's processor time, with those of its processes: a hundredth of a second each. */
function busy() {
  let sum = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
      if ([pid, fields[1]].includes(String(running.pid))) sum += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has ended.
    }
  }
  return sum;
}

const options = { format: twitter, namespace: "load", quarantineMs: 10_000, ttlMs: 10_000 };
const workers = await Promise.all(Array.from({ length: Number(holders) }, () => lease(counting, options)));
console.log(`${workers.length} numbers after ${calls} calls`);
calls = took.length = 0;
const before = busy();
await wait(Number(seconds) * 1000);
const share = (busy() - before) / Number(seconds);
took.sort((a, b) => a - b);
const held = workers.filter(({ status }) => status.state === "held").length;
const at = (part) => took[Math.floor(took.length * part)].toFixed(1);
console.log(
  `${held} of ${workers.length} hold; ${(calls / Number(seconds)).toFixed(0)} calls/s; ${share.toFixed(1)} % of a processor; ` +
    `median ${at(0.5)} ms, 99 %: ${at(0.99)} ms`,
);
await Promise.all(workers.map(({ release }) => release()));
await close();
await running.stop();
