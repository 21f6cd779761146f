// A process that holds leases and issues IDs while it may: `node holder.mjs <options, as JSON>`,
// started by crowd.mjs. It writes each ID to its file before it generates the next one, so the file
// also has the IDs of a killed process.

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

/** The number of IDs that a lease issues at a time, and the pause between them in milliseconds. */
const IDS = 4;
const PAUSE_MS = 3;

const out = openSync(file, "w");
const codes = new Set();
const stop = new AbortController();
const { signal } = stop;
// Every lease listens to this signal.
setMaxListeners(0, signal);
/** Reports to the parent process, which may have exited. */
const say = (message) => process.send(message, () => {});
const note = (error) => void codes.add(GraupelError.is(error) ? error.code : `${error?.stack ?? error}`);

/** Retries until a number is granted, and then uses the lease until the end. */
async function hold(store, i) {
  // Start the leases in random order; otherwise, the first processes would take all numbers.
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
