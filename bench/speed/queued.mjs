// Measures `nextAsync` under load: more calls at once than many ticks hold. Records when each call
// gets its ID, and how long the queue blocks the event loop.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { formats, made } from "./formats.mjs";

/** The format with the fewest IDs per tick, whose queue grows fastest. */
const SUBJECT = "snowflakeSI";
/**
 * The time limit of a queue, in milliseconds. A promise that never settles is then a fault, not an
 * endless run.
 */
const BOUND = 60_000;

/**
 * Runs one queue. Resolves to three durations in milliseconds: the loop that makes the calls, the
 * time until all calls have settled, and the longest block of the event loop.
 */
async function run(generator, calls) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not all of ${calls} calls settled in ${BOUND} ms`)), BOUND);
  });
  const ids = [];
  const pending = new Array(calls);
  const since = performance.now();
  for (let i = 0; i < calls; i++) pending[i] = generator.nextAsync().then((id) => ids.push(id));
  const loop = performance.now() - since;
  delay.enable();
  try {
    await Promise.race([late, Promise.all(pending)]);
  } finally {
    clearTimeout(timer);
    delay.disable();
  }
  const all = performance.now() - since;
  const wrong = ids.findIndex((id, i) => i > 0 && !(id > ids[i - 1]));
  if (wrong !== -1) throw new Error(`ID ${wrong} of ${calls} is not above the one before`);
  // The event loop's delay: how late a timer for every millisecond was.
  return { loop, all, longest: Math.max(0, delay.max) / 1e6 };
}

/**
 * Measures, if the format is among the `subjects`. `own`: the minimum time that the format needs
 * for this many IDs, in milliseconds.
 */
export async function measure(subjects, calls, queues) {
  if (!subjects.includes(SUBJECT)) return { results: [], faults: [] };
  const one = formats.find(({ name }) => name === SUBJECT);
  const format = made(one, await import(one.entry));
  const generator = format.generator(one.options);
  const runs = [];
  try {
    // Run a few calls first, to instantiate the module.
    await run(generator, format.capacity);
    for (let queue = 0; queue < queues; queue++) {
      gc();
      runs.push(await run(generator, calls));
    }
  } catch (error) {
    return { results: [], faults: [`${SUBJECT} nextAsync, under load: ${error.message}`] };
  }
  const own = (calls / format.capacity) * format.layout.tickMs;
  return { results: [{ subject: SUBJECT, calls, own, runs }], faults: [] };
}
