// What `npm run duel -- --markdown` writes into www/docs/duel.md: a short table for most readers, and the whole one.

import { markdownTable, writeSection } from "../../xtask/lib/section.mjs";
import { sums } from "./counts.mjs";
import { columns, numbering, stories } from "./stories.mjs";

const PAGE = "www/docs/duel.md";

const number = (n) => n.toLocaleString("en");

const factsOf = (use) => stories.find((story) => story.use === use);
const { threads: THREADS, forks: FORKS, rounds: ROUNDS } = factsOf("started together");
const { lives: LIVES } = factsOf("lives");

/** The rows of the short table: the packages that most people compare. */
const KNOWN = [
  "graupel twitter",
  "graupel sno",
  "nodejs-snowflake",
  "@sapphire/snowflake",
  "flake-idgen",
  "snowflake-id",
  "ulid",
  "uuidv7",
];

/** The columns of the short table, each of which adds up some columns of the whole one. */
const PLAIN = {
  "clock set back": columns.filter((column) => column.startsWith("back ")),
  "generator per call": ["generator per call"],
  "started together": ["started together"],
  "killed and restarted": ["killed and restarted"],
  "full speed": ["tight loop"],
};

/** Duplicates, with marks for calls that threw or hung. */
function cell(contestant, results) {
  if (results.length === 0) return "-";
  const { duplicates, errors, hung } = sums(results);
  const byChance = results.some(({ story }) =>
    [contestant.chance, contestant.seldom].some((names) => names?.includes(story.name)),
  );
  const marks = [hung > 0 && "hung", errors > 0 && "err", byChance && "*"].filter(Boolean);
  return [duplicates > 0 ? `**${number(duplicates)}**` : "0", ...marks].join(" ");
}

const ownOf = (contestant, results) => results.filter((result) => result.contestant === contestant);

const nameOf = (contestant, versionOf) =>
  contestant.ours ? contestant.name : `${contestant.name} ${versionOf(contestant)}`;

/** The dashes below a head whose first column holds names, and the others numbers. */
const numbers = (head) => head.map((_, i) => (i === 0 ? "---" : "---:"));

function shortTable(contestants, results) {
  const known = KNOWN.map((name) => contestants.find((contestant) => contestant.name === name));
  const rows = known.map((contestant) => {
    const own = ownOf(contestant, results);
    const cells = Object.values(PLAIN).map((added) =>
      cell(
        contestant,
        own.filter(({ story }) => added.includes(story.column)),
      ),
    );
    return [contestant.name, ...cells];
  });
  const head = ["duplicates", ...Object.keys(PLAIN)];
  return markdownTable(head, rows, numbers(head));
}

/** IDs below the one before. No package promises an order between two generators. */
function order(own) {
  const alone = own.filter(({ story }) => story.use === "one");
  if (alone.length === 0) return "-";
  const { inversions, explained } = sums(alone);
  return number(inversions) + (explained > 0 ? ` (and ${number(explained)} tick-tock)` : "");
}

function wholeTable(contestants, results, versionOf) {
  // Leave out rows whose stories were all skipped, and those of one story, which are a sentence.
  const told = contestants.filter((one) => one.only === undefined && ownOf(one, results).length > 0);
  const rows = told.map((contestant) => {
    const own = ownOf(contestant, results);
    const cells = columns.map((column) =>
      cell(
        contestant,
        own.filter(({ story }) => story.column === column),
      ),
    );
    return [nameOf(contestant, versionOf), ...cells, order(own)];
  });
  const head = ["duplicates", ...columns, "out of order"];
  return markdownTable(head, rows, numbers(head));
}

/** The contestants that take part in one story only, with their counts, as a sentence. */
function ahead(contestants, results) {
  const counts = contestants
    .filter(({ only }) => only?.includes("killed and restarted"))
    .map((contestant) => `${contestant.name.split(",")[0]} ${cell(contestant, ownOf(contestant, results))}`);
  return counts.join(", ");
}

/** The ways of numbering, and how each does it. */
function numberingTable(contestants, results, versionOf) {
  const ways = contestants.filter(({ only }) => numbering.stories.some(({ name }) => only?.includes(name)));
  const rows = ways.map((way) => {
    const own = ownOf(way, results).map((result) => ({ ...result, errors: 0 }));
    const cells = numbering.stories.map(({ name }) =>
      cell(
        way,
        own.filter(({ story }) => story.name === name),
      ),
    );
    return [way.ours ? `**${way.name}**` : way.name, way.how, ...cells];
  });
  const head = ["duplicates", "", ...numbering.stories.map(({ column }) => column)];
  const dashes = head.map((_, i) => (i < 2 ? "---" : "---:"));
  const [{ rounds }] = numbering.stories;
  const peer = ways.find(({ ours }) => !ours);
  const { issued } = sums(results.filter(({ contestant }) => ways.includes(contestant)));
  return `\
${markdownTable(head, rows, dashes)}

${numbering.numbers} numbers, ${numbering.numbers} processes, a time-out of ${numbering.timeoutMs / 1000} s, ${rounds} rounds of each story, and one real Redis; all but graupel make their
IDs with ${peer.package} ${versionOf(peer)}. ${number(issued)} IDs in this run. **\\***: by chance.`;
}

/** Writes the section of the numbering. */
export const writeNumbering = (contestants, results, versionOf) =>
  writeSection(PAGE, "duel-numbering", numberingTable(contestants, results, versionOf));

/** Replaces the text between the markers of the page. */
export function writeMarkdown(contestants, results, versionOf) {
  writeNumbering(contestants, results, versionOf);
  writeSection(PAGE, "duel-short", shortTable(contestants, results));
  writeSection(
    PAGE,
    "duel",
    `\
${wholeTable(contestants, results, versionOf)}

- **back**: the clock is set back once, twice to the same time, and 20 times.
- **out of order**: IDs lower than the one before, in the stories of one generator. A tick-tock of sno begins a new order.
- **two copies**: the package is loaded twice in one process, and the copies are called in turn.
- **four threads**: each has a worker ID of its own. *-*: ulidFlake has no worker IDs, and 20 random bits a millisecond. So four
  threads at full speed make some duplicates. ulidFlakeScalable has worker IDs.
- **started together**: ${THREADS} worker threads and ${FORKS} processes start at the same moment, ${ROUNDS} times. Each has a generator with
  no configuration but what the package demands. *-*: the package demands a worker ID.
- **killed and restarted**: a process issues IDs as fast as it can, gets \`SIGKILL\`, and starts again at once with the same
  worker ID: ${LIVES} lives in all. An ID that comes twice within one life counts, too.
- **killed and restarted, with borrow and notBefore**: the generator runs ahead of the clock, and each life starts after everything that
  the life before can have issued. Without \`notBefore\` (*twitter, borrow*: -) the next life would start in ticks that are used.
  Duplicates: ${ahead(contestants, results)}.`,
  );
}
