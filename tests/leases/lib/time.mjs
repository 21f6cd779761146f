// Waiting for events. No wait has a limit of its own: a story has one (main.mjs), which ends a hang.

import { AsyncLocalStorage } from "node:async_hooks";

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** What the running story waits for: it is told if the story hangs. */
export const awaited = new AsyncLocalStorage();

/** Waits until something holds, and gives the milliseconds that it took. `what`: what has not happened until then, or is. */
export async function until(holds, what) {
  const since = performance.now();
  const all = awaited.getStore();
  all?.add(what);
  while (!(await holds())) await wait(20);
  all?.delete(what);
  return performance.now() - since;
}
