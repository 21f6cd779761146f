// What the clock does, as data. A story is a list of stretches: the wall clock shows `from` at the beginning of a
// stretch, in milliseconds since the story's start, and runs for `ms` (or stands, if `frozen`). Where a stretch
// begins later than the one before has ended, the clock jumped forward, or nobody asked for IDs; where earlier, it
// was set back.

/** Each story is this many readings of the clock long; a short one therefore has many readings in a millisecond. */
const READINGS = 200_000;

/** How long the clock runs before it is first set back: what is spent by then. */
const SPENT = 40;
/** From one step back to the next, this much of new time goes by. */
const PROGRESS = 2;

/**
 * The clock is set back by `by` milliseconds, `times` times. It lands in time that has been used: each time at the
 * same place (`again`), or a little further on.
 */
function back(by, times, again = false) {
  const onwards = again ? 0 : PROGRESS;
  const stretches = [{ from: 0, ms: SPENT }];
  for (let i = 0; i < times; i++) {
    if (by < SPENT) {
      // Runs up to where it was before, and beyond by the progress.
      stretches.push({ from: SPENT - by + i * onwards, ms: by + onwards });
    } else {
      // IDs, a long time without any, some more; then back to soon after the first ones.
      const high = by + SPENT / 2 + i * PROGRESS;
      const low = SPENT / 2 + PROGRESS + i * onwards;
      stretches.push({ from: high, ms: PROGRESS }, { from: low, ms: 5 });
    }
  }
  // Time to recover, for those that wait, and for those that throw until the clock has caught up.
  stretches.at(-1).ms += SPENT / 2;
  return stretches;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

const steps = [
  { name: "1 ms", by: 1 },
  { name: "30 ms", by: 30 },
  { name: "1 s", by: SECOND },
  { name: "1 h", by: HOUR },
].flatMap(({ name, by }) => {
  const column = `back ${name}`;
  return [
    { name: `${column}, once`, column, stretches: back(by, 1), readings: READINGS },
    { name: `${column}, twice to the same time`, column, stretches: back(by, 2, true), readings: READINGS },
    { name: `${column}, 20 times`, column, stretches: back(by, 20), readings: READINGS },
  ];
});

/** A plain clock, and the way in which generators are used: see child.mjs. */
const plain = (name, use, ms, readings) => ({
  name,
  column: name,
  use,
  stretches: [{ from: 0, ms }],
  readings,
});

/**
 * What no scripted clock can tell: real threads and processes, by the real clock. `real` says that their counts differ
 * from run to run. A life may hand out `most` bytes: 360 ms of a Snowflake's IDs, where it runs ahead of the clock.
 */
const real = [
  {
    name: "threads and forks, unconfigured",
    column: "started together",
    use: "started together",
    ...{ threads: 8, forks: 8, rounds: 3, batches: 25, batch: 200 },
  },
  {
    name: "killed and restarted",
    column: "killed and restarted",
    use: "lives",
    ...{ lives: 4, ms: 150, most: 12e6, batch: 2000 },
  },
].map((story) => ({ ...story, real: true }));

/** Every story; those of one column are added up in the short table. */
export const stories = [
  plain("tight loop", "one", READINGS / 20_000, READINGS),
  ...steps,
  {
    name: "frozen clock",
    column: "frozen clock",
    stretches: [
      { from: 0, ms: 20 },
      { from: 20, ms: 20, frozen: true },
    ],
    readings: READINGS,
  },
  {
    name: "forward jumps",
    column: "forward jumps",
    stretches: [0, SECOND, HOUR, DAY, 365 * DAY].map((from) => ({ from, ms: 20 })),
    readings: READINGS,
  },
  plain("generator per call", "generator per call", 20, 20_000),
  plain("two copies", "copies", 40, 100_000),
  plain("four threads", "threads", 40, 50_000),
  ...real,
].map((story) => ({ use: "one", ...story }));

/** Whether a contestant has a part in a story. */
export function applies({ only, without, unconfigured }, { name, use }) {
  if (only !== undefined) return only.includes(name);
  return !without?.includes(name) && (use !== "started together" || unconfigured !== undefined);
}

export const columns = [...new Set(stories.map((story) => story.column))];
