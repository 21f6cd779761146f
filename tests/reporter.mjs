// Prints each test when it ends, and lists the failures at the end.

/** The notes that tests add to their results, by test title. */
export const notes = new Map();

/** The maximum number of lines of a failure message, and of characters in a line. */
const LINES = 25;
const WIDTH = 240;

const indented = (text) =>
  String(text)
    .split("\n", LINES)
    .map((line) => `            ${line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line}\n`)
    .join("");

function textOf({ name, skip, details: { passed, error, duration_ms: took } }) {
  const [mark, more] = !passed
    ? ["FAILED", error.cause?.stack ?? error.cause ?? error.message]
    : skip !== undefined
      ? ["skipped", skip]
      : ["passed", notes.get(name)];
  const line = `  ${mark.padEnd(8)}${name}, ${(took / 1000).toFixed(1)} s\n`;
  return line + (more === undefined ? "" : indented(more));
}

const countOf = (tests, isOne) => tests.filter(isOne).length;

export default async function* report(events) {
  // Node reports some tests twice.
  const tests = new Map();
  for await (const { type, data } of events) {
    if (type !== "test:complete" || tests.has(data.name)) continue;
    const { name, nesting, details } = data;
    if (details.type !== "suite") {
      tests.set(name, data);
      yield textOf(data);
    } else if (nesting === 0) {
      const all = [...tests.values()];
      const failed = all.filter((test) => !test.details.passed);
      const skipped = countOf(all, (test) => test.details.passed && test.skip !== undefined);
      const seconds = Math.round(details.duration_ms / 1000);
      yield `\n${all.length - failed.length - skipped} passed, ${failed.length} failed, ${skipped} skipped, in ${seconds} s\n`;
      for (const test of failed) yield `  FAILED  ${test.name}\n`;
      // A hook failed, such as `after`.
      if (failed.length === 0 && !details.passed)
        yield `  FAILED  ${name}: ${indented(details.error.cause?.stack)}`;
    }
  }
}
