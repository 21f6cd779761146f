// The short form of the duel's numbering stories (bench/duel/numbering): one round. `npm run duel
// -- --story number` plays three.

import { crowd } from "../../../bench/duel/numbering/crowd.mjs";
import { numbering } from "../../../bench/duel/stories.mjs";
import { story } from "../lib/story.mjs";

/** A process pauses for longer than the timeout. */
const [paused] = numbering.stories;

for (const [name, way, repeats] of [
  ["a lease repeats nothing where a process is paused", "graupel lease", false],
  ["a lock with a time-out repeats IDs there", "SETNX and EXPIRE", true],
])
  story("redis", `the duel: ${name}`, async () => {
    const { issued, duplicates } = await crowd({ name: way }, { ...paused, rounds: 1 });
    if (issued < 10_000) throw new Error(`${issued} IDs are no test`);
    if (duplicates > 0 !== repeats) throw new Error(`${duplicates} of ${issued} IDs are repeated`);
    return `${duplicates} of ${issued} IDs twice`;
  });
