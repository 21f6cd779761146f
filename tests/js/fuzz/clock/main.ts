/**
 * Random clocks: every format through stories of clocks that step, stand, jump and end, of several clocks for one identity,
 * of processes that go on from a snapshot, a time or both, and of calls of every kind inside each other; looking for an ID
 * given out twice, out of order, before a `notBefore` or outside its format.
 *
 *     npm run storm -- --ids 20000000 [--format sno] [--seed 1] [--once]
 *
 * `--ids` is for each format; `--format` may be given several times, and all are taken if it is left out. The first
 * story has the given seed, each one after it the next number. A story that shows a defect is told again and again,
 * with less in it each time, and printed when no more can be left out; `--seed` of that story with `--ids 0` tells it
 * alone. `--once` goes on to the next format at the first defect. Exits 1 if anything is found.
 *
 * As the other tests do, it drives the package that `npm test` unpacks.
 */
import { parseArgs } from "node:util";
import { tellStories } from "./run.ts";
import { SUBJECTS } from "./subjects.ts";
import { report, type Tally } from "./tally.ts";

const { values } = parseArgs({
  options: {
    ids: { type: "string", default: "1000000" },
    format: { type: "string", multiple: true, default: Object.keys(SUBJECTS) },
    seed: { type: "string", default: "1" },
    once: { type: "boolean", default: false },
  },
});
const ids = Number(values.ids);
const seed = Number(values.seed);
const unknown = values.format.filter((name) => !(name in SUBJECTS));
if (!Number.isSafeInteger(ids) || ids < 0 || !Number.isSafeInteger(seed) || seed < 0 || unknown.length > 0) {
  console.error(`--ids and --seed take whole numbers, --format one of ${Object.keys(SUBJECTS).join(", ")}`);
  process.exit(2);
}

/** Milliseconds between two lines of progress. */
const EVERY = 5000;
const started = Date.now();
let spoken = started;

const seconds = () => `${((Date.now() - started) / 1000).toFixed(0)} s`;
const tallies = new Map<string, Tally>();
for (const format of values.format) {
  const line = (tally: Tally) =>
    `${format}: ${(tally.ids / 1e6).toFixed(1)} million IDs, ${tally.stories} stories, ${seconds()}`;
  const tally = await tellStories({
    format,
    seed,
    ids,
    once: values.once,
    say: (text) => console.log(text),
    progress(tally) {
      if (Date.now() - spoken > EVERY) {
        spoken = Date.now();
        console.log(line(tally));
      }
    },
  });
  console.log(`${line(tally)}, done`);
  tallies.set(format, tally);
}
const found = [...tallies.values()].reduce((sum, tally) => sum + tally.found, 0);
console.log(
  `\n${report(tallies)}\n\nseed ${seed}, ${ids} IDs a format, ${seconds()}: ${found === 0 ? "nothing found" : `${found} stories show a defect`}`,
);
process.exitCode = found === 0 ? 0 : 1;
