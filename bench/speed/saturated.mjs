// Generators at full speed: how much of the format's capacity they reach. Every ID is checked afterwards.

import { answer, apart, collect } from "./apart.mjs";
import { formats } from "./formats.mjs";

/** Length of one window in milliseconds. Short, so that another process disturbs one window, and not the median. */
const WINDOW = 8;

/** IDs in a window if the capacity of a tick is random, or out of reach. */
const PLENTY = 8192;

/** Formats whose capacity is within reach, and the call that has it as its target. */
const PROMISED = {
  nanoflake: "next",
  twitter: "next",
  snowflake: "next",
  snowflakeSI: "next",
  sno: "nextMany",
};

/** IDs per millisecond that are within reach. For larger capacities only the rate is shown. */
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

/** Makes all IDs of a window and one more, of a later tick: so the window's last tick is over. */
function make({ operation, generator, ids, batch }, kept) {
  if (operation === "next") for (let i = 0; i <= ids; i++) kept[i] = generator.next();
  else {
    for (let i = 0; i < ids / batch; i++) kept[i] = generator.nextMany(batch);
    kept[ids / batch] = [generator.next()];
  }
}

/** How often the system took the processor away from this process. */
const interruptions = () => process.resourceUsage().involuntaryContextSwitches;

/**
 * Runs one window, and adds its rate in IDs per second to the calm or the disturbed ones. Throws if IDs do not ascend.
 * Returns whether the process kept its processor.
 */
function run(one) {
  const { format, operation, ids } = one;
  const kept = new Array(operation === "next" ? ids + 1 : ids / one.batch + 1);
  const { tickMs } = format.layout;
  const tick = () => Math.floor((Date.now() - format.epoch) / tickMs);
  // One window must not pay for the garbage of another.
  collect();
  // Count from the last moment before the first tick: so the rate is never above the capacity.
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
  // An ID that does not ascend is a duplicate, or the clock was set back, which spoils the run.
  if (wrong > 0) throw new Error(`${wrong} IDs not above the one before`);
  return calm;
}

/** Measures all of it, window by window, each at most `tries` times: again if the process has lost its processor. */
function measure(subjects, windows, tries) {
  const tasks = formats
    .filter(({ name }) => subjects.includes(name))
    .flatMap((format) => ["next", "nextMany"].map((operation) => task(format, operation)));
  const faults = [];
  for (let window = 0; window < windows; window++) {
    if (window % 10 === 0) process.stderr.write(`  at full speed, window ${window} of ${windows}\n`);
    for (const one of tasks.filter(({ broken }) => !broken)) {
      try {
        for (let tried = 0; tried < tries && !run(one); tried++);
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
 * Measures the formats `subjects` in their own process. Returns results, and sentences about faults. Only calm windows
 * count, unless there are none: a generator cannot fill ticks in which it does not run.
 */
export const saturate = (subjects, { windows, tries }) =>
  apart(import.meta.url, [subjects, windows, tries], "full speed");

await answer(import.meta.url, measure);
