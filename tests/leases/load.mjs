// Measures the load of many holders on one server: `node tests/leases/load.mjs <server> [holders]
// [seconds]`, after a build. Prints the calls per second and the server's CPU usage.

import { readdirSync, readFileSync } from "node:fs";
import { importBuilt } from "./lib/places.mjs";
import { wait } from "./lib/time.mjs";

const [server = "redis", holders = 1000, seconds = 30] = process.argv.slice(2);
const running = await (await import(`./servers/${server}.mjs`)).start();
const { store, close } = await running.connect();
const [{ lease }, { twitter }] = await Promise.all(["lease", "index"].map(importBuilt));

const took = [];
const timed = (call) => (request) => {
  const since = performance.now();
  return call(request).finally(() => took.push(performance.now() - since));
};
const timing = { ...store, acquire: timed(store.acquire), renew: timed(store.renew) };

/**
 * The CPU time of the server and its child processes, in clock ticks of a hundredth of a second.
 */
function busy() {
  let sum = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
      if ([pid, fields[1]].includes(String(running.pid()))) sum += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process has exited.
    }
  }
  return sum;
}

const options = { format: twitter, namespace: "load", quarantineMs: 10_000, ttlMs: 10_000 };
const workers = await Promise.all(Array.from({ length: +holders }, () => lease(timing, options)));
console.log(`${workers.length} numbers after ${took.length} calls`);
took.length = 0;
const before = busy();
await wait(seconds * 1000);
const share = ((busy() - before) / seconds).toFixed(1);
took.sort((a, b) => a - b);
const held = workers.filter(({ status }) => status.state === "held").length;
const at = (part) => took[Math.floor(took.length * part)].toFixed(1);
console.log(
  `${held} of ${workers.length} hold; ${(took.length / seconds).toFixed(0)} calls/s; ${share} % of a processor`,
);
console.log(`median ${at(0.5)} ms, 99 %: ${at(0.99)} ms`);
await Promise.all(workers.map(({ release }) => release()));
await close();
await running.stop();
