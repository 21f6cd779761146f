// The results for people at a terminal: a line for each story as it ends, then the sums.

const number = (n) => n.toLocaleString("en");

/** Title, width and content of each column; text to the left, numbers to the right. */
const COLUMNS = [
  ["", -38, (row) => row.label],
  ["issued", 10, (row) => number(row.issued)],
  ["duplicates", 11, (row) => number(row.duplicates)],
  ["inversions", 11, (row) => number(row.inversions)],
  ["explained", 10, (row) => number(row.explained)],
  ["errors", 10, (row) => number(row.errors)],
  ["longest ms", 10, (row) => (row.longest < 1 ? "<1" : number(Math.round(row.longest)))],
  ["hung", 5, (row) => (row.hung ? String(Number(row.hung)) : "-")],
  ["", -40, (row) => row.remark ?? ""],
];

const line = (cells) =>
  COLUMNS.map(([, width], i) => (width < 0 ? ` ${cells[i].padEnd(-width)}` : cells[i].padStart(width)))
    .join(" ")
    .trimEnd();

/** The titles, under which the rows stand. */
const header = () => line(COLUMNS.map(([title]) => title));
const row = (facts) => line(COLUMNS.map(([, , cell]) => cell(facts)));

/** What an error was, shortly: the commonest kind. */
function remark({ kinds, broken }) {
  if (broken !== undefined) return "NOT RUN, see below";
  const [first, ...others] = Object.entries(kinds).sort(([, a], [, b]) => b - a);
  return first && `${first[0]}${others.length > 0 ? ", ..." : ""}`;
}

/** A function that prints a result, and a title before the first one of each contestant. */
export function printer(print, nameOf) {
  let last;
  return (result) => {
    if (result.contestant !== last) {
      print(`\n${nameOf(result.contestant)}\n${header()}`);
      last = result.contestant;
    }
    print(row({ ...result, label: result.story.name, remark: remark(result) }));
  };
}

/** Counts of one contestant's stories added up; `hung` is the number of stories in which a call hung. */
export function sums(results) {
  const sum = (key) => results.reduce((total, result) => total + Number(result[key]), 0);
  const keys = ["issued", "duplicates", "inversions", "explained", "errors", "hung"];
  const longest = Math.max(0, ...results.map((result) => result.longest));
  return { ...Object.fromEntries(keys.map((key) => [key, sum(key)])), longest };
}

export function printSums(print, contestants, results) {
  print(`\nall stories\n${header()}`);
  for (const contestant of contestants) {
    const own = results.filter((result) => result.contestant === contestant);
    print(row({ ...sums(own), label: contestant.name }));
  }
}
