// A process that holds leases, and issues IDs as long as it may: `node holder.mjs <what, as JSON>`, started by crowd.mjs. Each ID
// is in the process's file before the next one is made, so that those of a killed process are there, too.

import { setMaxListeners } from "node:events";
import { openSync, writeSync } from "node:fs";
import { withMistake } from "./mistakes.mjs";
import { importBuilt } from "./places.mjs";
import { wait } from "./time.mjs";

const { server, connection, leases, lease: asked, file, mistake } = JSON.parse(process.argv[2]);
const [{ open }, { lease }, { GraupelError, twitter }] = await Promise.all([
  import(`../servers/${server}.mjs`),
  importBuilt("lease"),
  importBuilt("index"),
]);

/** IDs of one lease at a time, and the pause between them in milliseconds. */
const IDS = 4;
const PAUSE_MS = 3;

const out = openSync(file, "w");
const codes = new Set();
const stop = new AbortController();
const { signal } = stop;
// All leases listen to it.
setMaxListeners(0, signal);
/** Tells the one who has started it, who may be gone. */
const say = (message) => process.send(message, () => {});
const note = (error) => void codes.add(GraupelError.is(error) ? error.code : `${error?.stack ?? error}`);

/** Asks until there is a number, and then uses the lease until the end. */
async function hold(store, i) {
  // Not process by process: then the first ones would take all.
  await wait(Math.random() * 500);
  const options = { ...asked, format: twitter, fixed: { datacenterId: 1 }, signal };
  let worker;
  while (worker === undefined && !signal.aborted)
    worker = await lease(store, options).catch((error) => (signal.aborted ? undefined : note(error)));
  if (worker === undefined) return;
  const ids = twitter.generator({ lease: worker });
  let told;
  while (!signal.aborted) {
    try {
      writeSync(out, ids.nextTyped(IDS));
    } catch (error) {
      note(error);
    }
    const { state, number } = worker.status;
    const now = state === "held" ? number : undefined;
    if (now !== told) say({ lease: i, number: now ?? null });
    told = now;
    await wait(PAUSE_MS);
  }
  await worker.release().catch(note);
}

const { store, close } = await open(connection);
say("ready");
process.on("message", async (message) => {
  if (message === "stop") stop.abort();
  if (message === "halt") process.kill(process.pid, "SIGSTOP");
  if (message !== "go") return;
  await Promise.all(Array.from({ length: leases }, (_, i) => hold(withMistake(store, mistake), i)));
  say({ codes: [...codes] });
  await close();
  process.disconnect();
});
