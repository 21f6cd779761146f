// `nextAsync` under load: more calls at once than many ticks hold. Measures the time until each call has its ID, and how
// long the queue blocks the event loop.

import { answer, apart, collect } from "./apart.mjs";
import { formats } from "./formats.mjs";

/** The format with the fewest IDs per tick: its queue grows fastest. */
const SUBJECT = "snowflakeSI";

/** Longest time of a queue, in milliseconds: a promise that never settles is a fault, not an endless run. */
const BOUND = 60_000;

/** A timer that is due each millisecond. `longest`: the longest time between two turns. */
class Beat {
  longest = 0;
  #last = 0;
  #timer;

  start() {
    this.#timer = setTimeout(() => {
      this.look();
      this.start();
    }, 1);
  }

  /** Starts counting. */
  begin() {
    this.#last = performance.now();
    this.longest = 0;
  }

  look() {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.#last);
    this.#last = now;
  }

  stop() {
    clearTimeout(this.#timer);
  }
}

/** One queue. Resolves to milliseconds: of the loop that makes the calls, until all calls settled, of the longest block. */
function run(generator, calls) {
  return new Promise((resolve, reject) => {
    const beat = new Beat();
    const ids = new Float64Array(calls);
    let settled = 0;
    let loop = 0;
    const late = setTimeout(() => {
      beat.stop();
      reject(new Error(`${calls - settled} of ${calls} calls had not settled after ${BOUND} ms`));
    }, BOUND);
    const failed = (error) => {
      clearTimeout(late);
      beat.stop();
      reject(error);
    };
    const done = (id) => {
      ids[settled++] = id;
      if (settled < calls) return;
      const all = performance.now() - since;
      // The time since the timer's last turn is a block, too.
      beat.look();
      clearTimeout(late);
      beat.stop();
      const wrong = ids.findIndex((one, i) => i > 0 && !(one > ids[i - 1]));
      if (wrong !== -1) reject(new Error(`ID ${wrong} of ${calls} is not above the one before`));
      else resolve({ loop, all, longest: beat.longest });
    };
    // The timer is due before the first call can settle: work that the loop leaves behind counts as a block.
    beat.start();
    const since = performance.now();
    for (let i = 0; i < calls; i++) generator.nextAsync().then(done, failed);
    loop = performance.now() - since;
    beat.begin();
  });
}

async function measure(calls, queues) {
  const { name, format, options } = formats.find((one) => one.name === SUBJECT);
  const generator = format.generator(options);
  const own = (calls / format.capacity) * format.layout.tickMs;
  const runs = [];
  try {
    // Once with few calls, to instantiate the module.
    await run(generator, format.capacity);
    for (let queue = 0; queue < queues; queue++) {
      process.stderr.write(`  ${calls} calls of nextAsync at once, ${queue} of ${queues}\n`);
      collect();
      runs.push(await run(generator, calls));
    }
  } catch (error) {
    return { results: [], faults: [`${name} nextAsync, under load: ${error.message}`] };
  }
  return { results: [{ subject: name, calls, own, runs }], faults: [] };
}

/** Measures in its own process, if the format is among the `subjects`. */
export function queue(subjects, { calls, queues }) {
  if (!subjects.includes(SUBJECT)) return { results: [], faults: [] };
  return apart(import.meta.url, [calls, queues], "nextAsync under load");
}

await answer(import.meta.url, measure);
