/**
 * Random clocks: plays every format through random stories. Clocks step, stand still, jump and end; one identity may have several
 * clocks; processes continue from a snapshot, a time or both; calls of every kind are nested. Looks for IDs that are duplicate, out of
 * order, before a `notBefore` or outside their format.
 *
 *     npm run storm -- --ids 20000000 [--format sno] [--seed 1] [--once]
 *
 * `--ids` is the number of IDs for each format. `--format` may be repeated; the default is all formats. The first story has the
 * given seed, each later one the next number. A story that shows a defect is reduced to its smallest form and printed; its `--seed`
 * with `--ids 0` plays it alone. With `--once`, the first defect of a format ends its stories. Exits with 1 if there was a defect.
 *
 * It uses the package that `npm test` unpacks, like the other tests.
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
