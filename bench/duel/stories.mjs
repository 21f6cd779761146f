// The stories of the clock, as data. A story is a list of stretches. At the start of a stretch, the
// wall clock reads `from`, in milliseconds since the story's start; then it runs for `ms`, or
// stands still if the stretch is `frozen`. If a stretch starts later than the previous one ended,
// the clock jumps forward, or no IDs are generated in between. If it starts earlier, the clock is
// set back.

/**
 * The length of a story in clock readings. A story of few milliseconds has many readings in each.
 */
const READINGS = 200_000;

/** How long the clock runs before it is set back for the first time, in milliseconds. */
const SPENT = 40;
/** How far the clock advances between two steps back, in milliseconds. */
const PROGRESS = 2;

/**
 * Sets the clock back `times` times by `by` milliseconds, into a time in which IDs were generated:
 * always to the same time (`again`), or a little further on each time.
 */
function back(by, times, again = false) {
  const onwards = again ? 0 : PROGRESS;
  const stretches = [{ from: 0, ms: SPENT }];
  for (let i = 0; i < times; i++) {
    if (by < SPENT) {
      // Run up to the highest time so far, and then PROGRESS further.
      stretches.push({ from: SPENT - by + i * onwards, ms: by + onwards });
    } else {
      // Generate IDs, pause for long, and generate a few more. Then set the clock back to soon
      // after the first IDs.
      const high = by + SPENT / 2 + i * PROGRESS;
      const low = SPENT / 2 + PROGRESS + i * onwards;
      stretches.push({ from: high, ms: PROGRESS }, { from: low, ms: 5 });
    }
  }
  // Packages that wait or throw until the clock has caught up need time to recover.
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

/** A clock that only runs. `use`: how the generators are used, see play.mjs. */
const plain = (name, use, ms, readings) => ({
  name,
  column: name,
  use,
  stretches: [{ from: 0, ms }],
  readings,
});

/**
 * Real threads and processes with the real clock, which a scripted clock cannot replace. `real`:
 * the counts differ from run to run. `most`: the maximum number of bytes in a life, which are 360
 * ms of Snowflake IDs if the generator runs ahead of the clock.
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

/**
 * There are as many processes as numbers, and all of them get their numbers by the same method
 * (numbering/ways.mjs). In each round, one process is stopped for longer than the time-out, or
 * killed, and another one starts. `behindMs`: how far the clocks of later processes are behind.
 * `alone`: nothing else runs at the same time, because a story has many processes. `batch`: the
 * number of IDs per millisecond. With so many, two processes with the same number repeat IDs in
 * every millisecond in which both run.
 */
export const numbering = {
  numbers: 8,
  timeoutMs: 1000,
  batch: 20,
  stories: [
    { name: "number: paused", column: "paused for longer than the time-out", pauses: true, behindMs: 0 },
    { name: "number: killed", column: "killed, and another one starts", pauses: false, behindMs: 0 },
    {
      ...{ name: "number: killed, clock behind", column: "the same, with a clock 2 s behind" },
      ...{ pauses: false, behindMs: 2000 },
    },
  ].map((story) => ({ ...story, use: "numbering", real: true, alone: true, rounds: 3 })),
};

/** All stories. The table in www/docs/duel.md adds up the stories of a column. */
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
  ...numbering.stories,
].map((story) => ({ use: "one", ...story }));

/** The story that the README tells, because it happens everywhere. */
export const TOLD = "back 30 ms, once";

/** Whether a contestant takes part in a story. */
export function applies({ only, without, unconfigured }, { name, use }) {
  if (only !== undefined) return only.includes(name);
  if (use === "numbering") return false;
  return !without?.includes(name) && (use !== "started together" || unconfigured !== undefined);
}

/** The columns of the full table. The numbering methods have a table of their own. */
export const columns = [
  ...new Set(stories.filter(({ use }) => use !== "numbering").map((story) => story.column)),
];
