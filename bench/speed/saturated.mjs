// Generators at full speed: how much of the format's own capacity comes out, with every ID looked at afterwards.

import { answer, apart, collect } from "./apart.mjs";
import { formats } from "./formats.mjs";

/** Length of one window in milliseconds: short, so that what another process takes away spoils one, not the median. */
const WINDOW = 8;

/** How often a window is tried in which the process loses its processor. */
const TRIES = 3;

/** IDs of a window where a tick holds no certain number of them, or more than anybody can make. */
const PLENTY = 8192;

/** The formats whose capacity is in reach, and by which call it is promised to be reached. */
const PROMISED = {
  nanoflake: "next",
  twitter: "next",
  snowflake: "next",
  snowflakeSI: "next",
  sno: "nextMany",
};

/** The most IDs a millisecond that are within reach: above it the figure is a rate, and no part of the capacity. */
const REACH = 16_384;

function task({ name, format, options, unsure }, operation) {
  const { capacity, layout } = format;
  const perMs = capacity / layout.tickMs;
  const certain = !unsure && perMs <= REACH;
  return {
    subject: name,
    operation,
    format,
    generator: format.generator({ ...options, ...(unsure && { sequenceFull: "wait", maxWaitMs: 1000 }) }),
    ids: certain ? capacity * Math.ceil(WINDOW / layout.tickMs) : PLENTY,
    batch: certain ? capacity : PLENTY,
    capacity: certain ? perMs * 1000 : undefined,
    promised: PROMISED[name] === operation,
    calm: [],
    disturbed: [],
  };
}

/** All IDs of a window and one more: that one is of a later tick, so that the window's last tick is over. */
function make({ operation, generator, ids, batch }, kept) {
  if (operation === "next") for (let i = 0; i <= ids; i++) kept[i] = generator.next();
  else {
    for (let i = 0; i < ids / batch; i++) kept[i] = generator.nextMany(batch);
    kept[ids / batch] = [generator.next()];
  }
}

/** How often the system has taken the processor away from this process. */
const interruptions = () => process.resourceUsage().involuntaryContextSwitches;

/**
 * One window: adds its rate, in IDs per second, to those of its kind; throws where IDs do not ascend. Returns whether
 * the process had its processor throughout.
 */
function run(one) {
  const { format, operation, ids } = one;
  const kept = new Array(operation === "next" ? ids + 1 : ids / one.batch + 1);
  const { tickMs } = format.layout;
  const tick = () => Math.floor((Date.now() - format.epoch) / tickMs);
  // Everybody's garbage is gone before the next one's window.
  collect();
  // From the last moment before the first tick: what comes out at the end is never more than the capacity.
  const before = tick();
  let since = performance.now();
  for (let now = since; tick() === before; now = performance.now()) since = now;
  const interrupted = interruptions();
  make(one, kept);
  const rate = (ids / (performance.now() - since)) * 1000;
  const calm = interruptions() === interrupted;
  (calm ? one.calm : one.disturbed).push(rate);
  let wrong = 0;
  for (const id of operation === "next" ? kept : kept.flatMap((batch) => [...batch])) {
    if (one.last !== undefined && !(id > one.last)) wrong++;
    one.last = id;
  }
  // IDs of one identity ascend; one that does not was there before, or the clock was set back, which spoils the run.
  if (wrong > 0) throw new Error(`${wrong} IDs not above the one before`);
  return calm;
}

/** Measures all of it, window by window. */
function measure(subjects, windows) {
  const tasks = formats
    .filter(({ name }) => subjects.includes(name))
    .flatMap((format) => ["next", "nextMany"].map((operation) => task(format, operation)));
  const faults = [];
  for (let window = 0; window < windows; window++) {
    if (window % 10 === 0) process.stderr.write(`  at full speed, window ${window} of ${windows}\n`);
    for (const one of tasks.filter(({ broken }) => !broken)) {
      try {
        for (let tries = 0; tries < TRIES && !run(one); tries++);
      } catch (error) {
        one.broken = true;
        faults.push(`${one.subject} ${one.operation}, at full speed: ${error.message}`);
      }
    }
  }
  const results = tasks
    .filter(({ broken }) => !broken)
    .map(({ subject, operation, capacity, promised, calm, disturbed }) => {
      const counts = { calm: calm.length, disturbed: disturbed.length };
      return { subject, operation, capacity, promised, counts, rates: calm.length > 0 ? calm : disturbed };
    });
  return { results, faults };
}

/**
 * Does so in a process of its own. `subjects` are formats; the answer has results and sentences about faults. What
 * counts are the windows in which the process had its processor throughout, unless there was none: a generator cannot
 * fill ticks in which it does not run.
 */
export const saturate = (subjects, windows) => apart(import.meta.url, [subjects, windows], "full speed");

await answer(import.meta.url, measure);
