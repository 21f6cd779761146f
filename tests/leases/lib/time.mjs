// Waiting.

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Waits until something holds, and gives the milliseconds that it took. `what`: what did not happen, or was, if it takes longer. */
export async function until(holds, ms, what) {
  const since = performance.now();
  for (;;) {
    if (await holds()) return performance.now() - since;
    if (performance.now() - since > ms) {
      throw new Error(`${typeof what === "function" ? what() : what}, after ${ms} ms`);
    }
    await wait(20);
  }
}
