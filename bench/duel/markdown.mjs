// Writes the tables of `npm run duel -- --markdown` into www/docs/duel.md: a short one for most
// readers and a full one.

import { markdownTable, writeSection } from "../../tests/support/section.mjs";
import { sums } from "./counts.mjs";
import { columns, numbering, TOLD } from "./stories.mjs";

const PAGE = "www/docs/duel.md";

const number = (n) => n.toLocaleString("en");

/** The rows of the short table: the best-known packages. */
const KNOWN = [
  ...["graupel twitter", "graupel sno", "nodejs-snowflake", "@sapphire/snowflake"],
  ...["flake-idgen", "snowflake-id", "ulid", "uuidv7"],
];

/** The columns of the short table. Each adds up several columns of the full table. */
const PLAIN = {
  "clock set back": columns.filter((column) => column.startsWith("back ")),
  "generator per call": ["generator per call"],
  "started together": ["started together"],
  "killed and restarted": ["killed and restarted"],
  "full speed": ["tight loop"],
};

/** The duplicates in some columns, with marks if calls threw or hung. */
function cell({ chance, seldom }, own, columns) {
  const results = own.filter(({ story }) => columns.includes(story.column));
  if (results.length === 0) return "-";
  const { duplicates, errors, hung } = sums(results);
  const byChance = results.some(({ story }) => [chance, seldom].some((names) => names?.includes(story.name)));
  const count = duplicates > 0 ? `**${number(duplicates)}**` : "0";
  return [count, hung > 0 && ", hangs", errors > 0 && ", throws", byChance && " *"].filter(Boolean).join("");
}

/** The number of IDs below their predecessor. No package promises an order across generators. */
function order(own) {
  const alone = own.filter(({ story }) => story.use === "one");
  if (alone.length === 0) return "-";
  const { inversions, explained } = sums(alone);
  return number(inversions) + (explained > 0 ? ` (and ${number(explained)} tick-tock)` : "");
}

/** Writes the section about the methods that assign numbers. */
function writeNumbering(contestants, results, versionOf) {
  const { stories, numbers, timeoutMs } = numbering;
  const ways = contestants.filter(({ only }) => stories.some(({ name }) => only?.includes(name)));
  const all = results.filter(({ contestant }) => ways.includes(contestant));
  const rows = ways.map((way) => {
    // It is not an error of the method if a process has no number.
    const own = all.filter(({ contestant }) => contestant === way).map((one) => ({ ...one, errors: 0 }));
    const cells = stories.map(({ column }) => cell(way, own, [column]));
    return [way.ours ? `**${way.name}**` : way.name, way.how, ...cells];
  });
  const peer = ways.find(({ ours }) => !ours);
  writeSection(
    PAGE,
    "duel-numbering",
    `\
${markdownTable(["duplicates", "", ...stories.map(({ column }) => column)], rows, 2)}

Each scenario ran ${stories[0].rounds} times with ${numbers} numbers, ${numbers} processes, a time-out of ${timeoutMs / 1000} s and one real Redis. All
except graupel generate their IDs with ${peer.package} ${versionOf(peer)}. The run generated ${number(sums(all).issued)} IDs in
all. **\\***: the count depends on chance.`,
  );
}

/** Writes how many IDs the best-known packages repeat in the story that the README tells. */
function writeTold(results) {
  const rows = KNOWN.map((name) => {
    const one = results.find(({ contestant, story }) => contestant.name === name && story.name === TOLD);
    return [name, number(one.issued), cell(one.contestant, [one], [one.story.column])];
  });
  writeSection(PAGE, "duel-told", markdownTable(["", "IDs", "repeated"], rows, 1));
}

/** Replaces the text between the page's markers. */
export function writeMarkdown(contestants, results, versionOf) {
  const rows = contestants.map((one) => [one, results.filter(({ contestant }) => contestant === one)]);
  const known = KNOWN.map((name) => {
    const [one, own] = rows.find(([{ name: other }]) => other === name);
    return [name, ...Object.values(PLAIN).map((added) => cell(one, own, added))];
  });
  // A sentence below the table describes the rows with a single story.
  const whole = rows
    .filter(([{ only }, own]) => only === undefined && own.length > 0)
    .map(([one, own]) => [
      one.ours ? one.name : `${one.name} ${versionOf(one)}`,
      ...columns.map((column) => cell(one, own, [column])),
      order(own),
    ]);
  const ahead = rows
    .filter(([{ only }]) => only?.includes("killed and restarted"))
    .map(([one, own]) => `${one.name.split(",")[0]} ${cell(one, own, one.only)}`);
  writeNumbering(contestants, results, versionOf);
  writeTold(results);
  writeSection(PAGE, "duel-short", markdownTable(["duplicates", ...Object.keys(PLAIN)], known, 1));
  writeSection(PAGE, "duel", markdownTable(["duplicates", ...columns, "out of order"], whole, 1));
  writeSection(PAGE, "duel-ahead", `Duplicates with borrow and notBefore: ${ahead.join(", ")}.`);
}
