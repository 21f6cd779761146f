/**
 * Random clocks: plays every format through random stories. Clocks step, stand still, jump and end; one identity may have several
 * clocks; processes continue from a snapshot, a time or both; calls of every kind are nested. Looks for IDs that are duplicate, out of
 * order, before a `notBefore` or outside their format.
 *
 *     npm run storm -- --ids 20000000 [--only sno] [--seed 1]
 *
 * `--ids` is the number of IDs for each format. `--only` may be repeated; the default is all formats. Exits with 1 if there was a defect.
 *
 * It uses the package that `npm test` unpacks, like the other tests.
 */
import { searchAsTold } from "../search.ts";
import { FAMILIES } from "./formats.ts";
import { partOf } from "./part.ts";

const parts = new Map(Object.keys(FAMILIES).map((format) => [format, partOf(format)]));
const { defects, seconds } = await searchAsTold("storm", "ids", parts);

// A column for each format.
const played = [...parts].filter(([, { tally }]) => tally.of("stories") > 0);
const tallies = played.map(([format, { tally }]) => [format, tally.all] as const);
const row = (event: string) => Object.fromEntries(tallies.map(([format, all]) => [format, all[event] ?? 0]));
const events = new Set(tallies.flatMap(([, all]) => Object.keys(all)));
console.table(Object.fromEntries([...events].sort().map((event) => [event, row(event)])));
console.log(`${seconds()}: defects in ${defects} formats`);
process.exitCode = defects === 0 ? 0 : 1;
