// The table in the README: duplicates by package and kind of story.

import { writeSection } from "../../xtask/lib/section.mjs";
import { columns, stories } from "./stories.mjs";
import { sums } from "./terminal.mjs";

const number = (n) => n.toLocaleString("en");

const factsOf = (use) => stories.find((story) => story.use === use);
const { threads: THREADS, forks: FORKS, rounds: ROUNDS } = factsOf("started together");
const { lives: LIVES } = factsOf("lives");

/** Duplicates, with marks for calls that threw or hung. */
function cell(results, byChance) {
  const { duplicates, errors, hung } = sums(results);
  const marks = [hung > 0 && "hung", errors > 0 && "err", byChance && "*"].filter(Boolean);
  return [duplicates > 0 ? `**${number(duplicates)}**` : "0", ...marks].join(" ");
}

function table(contestants, results, versionOf) {
  const ownOf = (contestant) => results.filter((result) => result.contestant === contestant);
  // Leave out rows whose stories were all skipped.
  const told = contestants.filter((contestant) => ownOf(contestant).length > 0);
  const rows = told.map((contestant) => {
    const own = ownOf(contestant);
    const cells = columns.map((column) => {
      const stories = own.filter(({ story }) => story.column === column);
      if (stories.length === 0) return "-";
      return cell(
        stories,
        stories.some(({ story }) =>
          [contestant.chance, contestant.seldom].some((names) => names?.includes(story.name)),
        ),
      );
    });
    // No package promises an order between two generators.
    const alone = own.filter(({ story }) => story.use === "one");
    const { inversions, explained } = sums(alone);
    const order =
      alone.length === 0
        ? "-"
        : number(inversions) + (explained > 0 ? ` (and ${number(explained)} tick-tock)` : "");
    const name = contestant.ours ? contestant.name : `${contestant.name} ${versionOf(contestant)}`;
    return [name, ...cells, order];
  });
  const head = ["duplicates", ...columns, "out of order"];
  return [head, head.map((_, i) => (i === 0 ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** Replaces the text between the markers in the README. */
export function writeMarkdown(contestants, results, versionOf) {
  const text = `\
Every package is used as its documentation shows, and runs through the same clock stories. The clock is scripted: a package
reads it through \`Date.now\` and every other clock that it uses. So the counts are the same on every machine, except where a
package draws random bits. [bench/README.md](bench/README.md) describes the stories.

\`\`\`sh
npm run duel                                      # prints every count; with -- --markdown it writes this table
\`\`\`

${table(contestants, results, versionOf)}

The numbers count duplicates: IDs that had been issued before.

- *back*: the clock is set back once, twice to the same time, and 20 times.
- *err*: some calls threw an error instead. An error is no duplicate.
- *hung*: a call had not returned after 20 million clock readings.
- *out of order*: IDs lower than the one before, in the stories of one generator.
- \\*: by chance, and different in every run. Only random bits tell these generators apart. ulid and uuidv7 have 128 bits.
- *-*: ulidFlake has no worker IDs and 20 random bits a millisecond, so four threads at full speed do make some duplicates
  (see Limits). ulidFlakeScalable has worker IDs.

The last two stories use the real clock, so **their counts differ from run to run**.

- *started together*: ${THREADS} worker threads and ${FORKS} processes start at the same moment, ${ROUNDS} times. Each has a generator with
  no configuration except what the package demands. *-*: the package demands a worker ID.
- *killed and restarted*: a process issues IDs as fast as it can, gets \`SIGKILL\`, and starts again at once with the same
  worker ID, ${LIVES} lives in all. IDs that come twice within one life count, too.
- *borrow + notBefore*: the generator runs ahead of the clock. Each life starts after everything that the life before can have
  issued. Without \`notBefore\` (*twitter, borrow*: -) the next life would start in ticks that are used.`;
  writeSection("duel", text);
}
