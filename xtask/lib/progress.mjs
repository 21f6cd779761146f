// Prints the steps of a program and their durations.

/** The time since a reading of the monotonic clock, as text. */
export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** How often a long step reports that it is still running, in milliseconds. */
const HEARTBEAT = 10_000;

/** Prints a line. */
export function say(line) {
  console.log(line);
}

/**
 * Calls `work` with a function that takes each line of a program's output. If the work takes long,
 * the last line is printed after `name` and the elapsed time.
 */
export async function watched(name, work) {
  const since = performance.now();
  let last = "";
  const heartbeat = setInterval(() => say(`    ${name}${seconds(since)}  ${last}`), HEARTBEAT);
  try {
    return await work((line) => {
      last = line.length > 90 ? `${line.slice(0, 89)}…` : line;
    });
  } finally {
    clearInterval(heartbeat);
  }
}

/**
 * Prints the title, and runs `work` with progress. If `work` resolves to a text, the text is
 * printed at the end.
 */
export async function step(title, work) {
  const since = performance.now();
  say(`  ${title} ...`);
  try {
    const remark = await watched("", work);
    say(`    done in ${seconds(since)}${remark ? `: ${remark}` : ""}`);
  } catch (error) {
    say(`    failed after ${seconds(since)}`);
    throw error;
  }
}
