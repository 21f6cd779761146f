// Waits for events. A wait has no time limit. A story has one (suite.mjs), which ends a hang.

import { AsyncLocalStorage } from "node:async_hooks";

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** The events that the running story waits for. They are printed if the story hangs. */
export const awaited = new AsyncLocalStorage();

/** Waits until `holds` returns true. `what` describes the event that is still missing. */
export async function until(holds, what) {
  const all = awaited.getStore();
  all?.add(what);
  while (!(await holds())) await wait(20);
  all?.delete(what);
}
