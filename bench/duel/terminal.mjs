// The output on a terminal: a line for each story as it ends, then the sums.

/** A story may not count everything: then a dash. */
const number = (n) => n?.toLocaleString("en") ?? "-";
const duration = (ms) => (ms < 1 ? "<1" : number(ms && Math.round(ms)));

/** Title, width and content of each column. A negative width aligns left. */
const COLUMNS = [
  ["", -46, (row) => row.label],
  ["issued", 10, (row) => number(row.issued)],
  ["duplicates", 11, (row) => number(row.duplicates)],
  ["inversions", 11, (row) => number(row.inversions)],
  ["explained", 10, (row) => number(row.explained)],
  ["errors", 10, (row) => number(row.errors)],
  ["longest ms", 10, (row) => duration(row.longest)],
  ["hung", 5, (row) => (row.hung ? String(Number(row.hung)) : "-")],
  ["", -40, (row) => row.remark ?? ""],
];

const line = (cells) =>
  COLUMNS.map(([, width], i) => (width < 0 ? ` ${cells[i].padEnd(-width)}` : cells[i].padStart(width)))
    .join(" ")
    .trimEnd();

const header = () => line(COLUMNS.map(([title]) => title));
const row = (facts) => line(COLUMNS.map(([, , cell]) => cell(facts)));

/** The most frequent kind of error. */
function remark({ kinds, broken }) {
  if (broken !== undefined) return "NOT RUN, see below";
  const [first, ...others] = Object.entries(kinds).sort(([, a], [, b]) => b - a);
  return first && `${first[0]}${others.length > 0 ? ", ..." : ""}`;
}

/** Returns a function that prints a result, with a title before each contestant's first one. */
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

/** The sums over a contestant's stories, without what a story does not count. `hung`: the stories in which a call hung. */
export function sums(results) {
  const counted = (key) => results.map((result) => result[key]).filter((count) => count !== undefined);
  const total = (counts) =>
    counts.length > 0 ? counts.reduce((sum, count) => sum + Number(count), 0) : undefined;
  const keys = ["issued", "duplicates", "inversions", "explained", "errors", "hung"];
  const times = counted("longest");
  return {
    ...Object.fromEntries(keys.map((key) => [key, total(counted(key))])),
    longest: times.length > 0 ? Math.max(...times) : undefined,
  };
}

export function printSums(print, contestants, results) {
  print(`\nall stories\n${header()}`);
  for (const contestant of contestants) {
    const own = results.filter((result) => result.contestant === contestant);
    if (own.length === 0) continue;
    print(row({ ...sums(own), label: contestant.name }));
  }
}
