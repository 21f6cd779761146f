// The short table for the README: duplicates, by package and kind of story.

import { writeSection } from "../section.mjs";
import { columns, stories } from "./stories.mjs";
import { sums } from "./terminal.mjs";

const number = (n) => n.toLocaleString("en");

const factsOf = (use) => stories.find((story) => story.use === use);
const { threads: THREADS, forks: FORKS, rounds: ROUNDS } = factsOf("started together");
const { lives: LIVES } = factsOf("lives");

/** Duplicates, and whether calls threw or hung. */
function cell(results, byChance) {
  const { duplicates, errors, hung } = sums(results);
  const marks = [hung > 0 && "hung", errors > 0 && "err", byChance && "*"].filter(Boolean);
  return [duplicates > 0 ? `**${number(duplicates)}**` : "0", ...marks].join(" ");
}

function table(contestants, results, versionOf) {
  const ownOf = (contestant) => results.filter((result) => result.contestant === contestant);
  // A row whose stories were all skipped has nothing to tell.
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
    // Nobody promises an order between two generators.
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

/** Writes everything between the markers anew. */
export function writeMarkdown(contestants, results, versionOf) {
  const text = `\
Each package goes through the same stories of a clock, as its users do: through \`Date.now\` and whatever else it reads. The
clock is scripted, so the counts are the same on every machine, but for what packages draw at random.
[bench/README.md](bench/README.md) tells the stories.

\`\`\`sh
npm run duel                                      # prints every count; with -- --markdown it writes this table
\`\`\`

${table(contestants, results, versionOf)}

The numbers count IDs that had been issued before. *back*: the clock is set back once, twice to the same time, and 20 times.
*err*: some calls threw instead, which repeats nothing. *hung*: a call had not come back after 20 million readings of the
clock. *out of order*: IDs below the one just before, in the stories of one generator. \\*: by chance, other in every run,
as nothing but chance tells the generators apart. ulid and uuidv7 are of 128 bits. *-*: ulidFlake has no worker numbers and
20 random bits a millisecond; four threads of it at full speed do repeat some (see Limits). ulidFlakeScalable is for that.

The last two stories run by the real clock, so **their counts differ from run to run**. *started together*: ${THREADS} worker threads
and ${FORKS} processes start at the same moment, ${ROUNDS} times, each with a generator for which nothing is configured that the package
does not demand; *-*: it demands a worker number. *killed and restarted*: a process hands out IDs as fast as it can, gets
\`SIGKILL\`, and starts again at once with the same worker number, ${LIVES} lives in all; IDs that come twice within a life count, too. *borrow + notBefore*: it runs ahead of the
clock, and each life begins after whatever the one before can have issued.`;
  writeSection("duel", text);
}
