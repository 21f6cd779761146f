/**
 * Random clocks: plays every format through random stories. Clocks step, stand still, jump and end; one identity may have several
 * clocks; processes continue from a snapshot, a time or both; calls of every kind are nested. Looks for IDs that are duplicate, out of
 * order, before a `notBefore` or outside their format.
 *
 *     npm run storm -- --ids 20000000 [--format sno] [--seed 1]
 *
 * `--ids` is the number of IDs for each format. `--format` may be repeated; the default is all formats. The first defect of a format
 * ends its stories: the story is shortened and printed, with the `--seed` and `--path` that play it again. Exits with 1 if there was a
 * defect.
 *
 * It uses the package that `npm test` unpacks, like the other tests.
 */
import { parseArgs } from "node:util";
import { FAMILIES } from "./formats.ts";
import { tellStories } from "./run.ts";
import type { Tally } from "./tally.ts";

const { values } = parseArgs({
  options: {
    ids: { type: "string", default: "1000000" },
    format: { type: "string", multiple: true, default: Object.keys(FAMILIES) },
    seed: { type: "string", default: "1" },
    path: { type: "string" },
  },
});
const ids = Number(values.ids);
const seed = Number(values.seed);
const whole = Number.isSafeInteger(ids) && Number.isSafeInteger(seed) && Math.min(ids, seed) >= 0;
if (!whole || values.format.some((name) => !(name in FAMILIES))) {
  console.error(`--ids and --seed take whole numbers, --format one of ${Object.keys(FAMILIES).join(", ")}`);
  process.exit(2);
}

/** Milliseconds between two lines of progress. */
const EVERY = 5000;
const started = Date.now();
let spoken = started;
const seconds = () => `${((Date.now() - started) / 1000).toFixed(0)} s`;
const tallies: Record<string, Tally> = {};
let found = 0;
for (const format of values.format) {
  const say = (tally: Tally) => {
    spoken = Date.now();
    const millions = (tally.of("ids") / 1e6).toFixed(1);
    console.log(`${format}: ${millions} million IDs, ${tally.of("stories")} stories, ${seconds()}`);
  };
  const progress = (tally: Tally) => Date.now() - spoken > EVERY && say(tally);
  const { tally, report } = await tellStories({ format, seed, path: values.path, ids, progress });
  if (report !== undefined) {
    found++;
    console.log(`\n${report}\n`);
  }
  say(tally);
  tallies[format] = tally;
}

// A column for each format.
const rows = new Set(Object.values(tallies).flatMap(({ all }) => Object.keys(all)));
const row = (name: string) =>
  Object.fromEntries(Object.entries(tallies).map(([format, { all }]) => [format, all[name] ?? 0]));
console.table(Object.fromEntries([...rows].sort().map((name) => [name, row(name)])));
console.log(
  `seed ${seed}, ${seconds()}: ${found === 0 ? "nothing found" : `${found} formats show a defect`}`,
);
process.exitCode = found === 0 ? 0 : 1;
