// `nextAsync` under load: more calls at once than fit in many ticks. How long it takes until each has its ID, and for how
// long everything else in the process has to wait meanwhile.

import { answer, apart, collect } from "./apart.mjs";
import { formats } from "./formats.mjs";

/** The format with the smallest ticks in IDs: here a queue is soon a long one. */
const SUBJECT = "snowflakeSI";

/** How long a queue may take, in milliseconds; a promise that never settles is a fault, and no endless run. */
const BOUND = 60_000;

/** A timer that is due each millisecond: `longest` is the longest time that it had to wait for its turn. */
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

  /** From now on it counts. */
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

/** One queue: milliseconds of the loop that makes the calls, until all have settled, and of the longest block. */
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
      // What came since the timer's last turn is a block, too.
      beat.look();
      clearTimeout(late);
      beat.stop();
      const wrong = ids.findIndex((one, i) => i > 0 && !(one > ids[i - 1]));
      if (wrong !== -1) reject(new Error(`ID ${wrong} of ${calls} is not above the one before`));
      else resolve({ loop, all, longest: beat.longest });
    };
    // Due before the first ID can settle: what the loop leaves to be done at once counts as a block.
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
    // Once with few, so that the module is there.
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

/** Does so in a process of its own, if the format is among the `subjects`. */
export function queue(subjects, { calls, queues }) {
  if (!subjects.includes(SUBJECT)) return { results: [], faults: [] };
  return apart(import.meta.url, [calls, queues], "nextAsync under load");
}

await answer(import.meta.url, measure);
