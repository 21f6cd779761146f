// The short form of the duel's stories of numbering (bench/duel/numbering): one round, of which `npm run duel -- --story number` plays three.

import { crowd } from "../../../bench/duel/numbering/crowd.mjs";
import { numbering } from "../../../bench/duel/stories.mjs";
import { story } from "../lib/story.mjs";

/** A process stands still for longer than the time-out. */
const [paused] = numbering.stories;

async function play(way) {
  const { issued, duplicates } = await crowd({ name: way }, { ...paused, rounds: 1 });
  if (issued < 10_000) throw new Error(`${issued} IDs are no test`);
  return { issued, duplicates };
}

story("redis", "the duel: a lease repeats nothing where a process is paused", async () => {
  const { issued, duplicates } = await play("graupel lease");
  if (duplicates > 0) throw new Error(`${duplicates} of ${issued} IDs are repeated`);
  return `${issued} IDs, none twice`;
});

story("redis", "the duel: a lock with a time-out repeats IDs there", async () => {
  const { issued, duplicates } = await play("SETNX and EXPIRE");
  if (duplicates === 0) throw new Error(`no duplicate in ${issued} IDs`);
  return `${duplicates} of ${issued} IDs twice`;
});
