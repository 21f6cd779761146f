// Runs generators at full speed, and measures the share of the format's capacity that they reach.
// Every ID is checked afterwards.

import { formats, made } from "./formats.mjs";

/**
 * The length of one window in milliseconds. It is short, so that another process disturbs one
 * window and not the median.
 */
const WINDOW = 8;
/**
 * The number of IDs in a window if the capacity of a tick is random or out of reach: enough for many
 * ticks, because a window is likely to end in a large one.
 */
const PLENTY = 131_072;
/** The formats whose capacity can be reached, and the call that has this target. */
const PROMISED = {
  ...{ nanoflake: "next", twitter: "next", snowflake: "next", snowflakeSI: "next" },
  sno: "nextMany",
};
/**
 * The largest capacity per millisecond that a generator can reach. For larger ones, only the rate
 * is shown.
 */
const REACH = 16_384;

function task({ unsure, options, ...one }, module, operation) {
  const format = made(one, module);
  const { capacity, layout } = format;
  const certain = !unsure && capacity / layout.tickMs <= REACH;
  return {
    ...{ subject: one.name, operation, format, rates: [], last: undefined },
    generator: format.generator({ ...options, ...(unsure && { sequenceFull: "wait", maxWaitMs: 1000 }) }),
    ids: certain ? capacity * Math.ceil(WINDOW / layout.tickMs) : PLENTY,
    batch: operation === "next" ? 1 : certain ? capacity : PLENTY,
    capacity: certain ? (capacity / layout.tickMs) * 1000 : undefined,
    promised: PROMISED[one.name] === operation,
  };
}

/**
 * Runs one window: all IDs of some ticks, and the first ID of a later tick. Adds the rate in IDs
 * per second. Throws if the IDs do not ascend.
 */
function run(one) {
  const { generator, format, ids, batch } = one;
  const kept = new Array(ids / batch + 1);
  const tick = () => Math.floor((Date.now() - format.epoch) / format.layout.tickMs);
  // Collect the garbage of the previous window first.
  gc();
  // Start at the last moment before the first tick, so that the rate is never above the capacity.
  const before = tick();
  let since = performance.now();
  for (let now = since; tick() === before; now = performance.now()) since = now;
  if (batch === 1) for (let i = 0; i < ids; i++) kept[i] = generator.next();
  else for (let i = 0; i < ids / batch; i++) kept[i] = generator.nextMany(batch);
  kept[ids / batch] = generator.next();
  one.rates.push((ids / (performance.now() - since)) * 1000);
  for (const id of kept.flatMap((made) => (typeof made === "object" ? Array.from(made) : made))) {
    // The ID is a duplicate, or the clock was set back, which makes the run useless.
    if (one.last !== undefined && !(id > one.last)) throw new Error("an ID is not above the one before");
    one.last = id;
  }
}

/** Measures the formats `subjects`, window by window. */
export async function measure(subjects, windows) {
  const faults = [];
  let tasks = [];
  for (const one of formats.filter(({ name }) => subjects.includes(name))) {
    const module = await import(one.entry);
    tasks.push(...["next", "nextMany"].map((operation) => task(one, module, operation)));
  }
  for (let window = 0; window < windows; window++) {
    tasks = tasks.filter((one) => {
      try {
        run(one);
        return true;
      } catch (error) {
        faults.push(`${one.subject} ${one.operation}, at full speed: ${error.message}`);
        return false;
      }
    });
  }
  const results = tasks.map(({ subject, operation, capacity, promised, rates }) => {
    return { subject, operation, capacity, promised, rates };
  });
  return { results, faults };
}
