// Prints what is being done, and how long it took.

/** How long ago a reading of the monotonic clock was. */
export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** How often a long step prints that it still runs, in milliseconds. */
const HEARTBEAT = 10_000;

/** Prints a line. */
export function say(line) {
  console.log(line);
}

/**
 * Runs `work` with a function for each line that a program prints. If it takes long, the last of them is shown, after `name` and how long
 * it has run.
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

/** Runs `work`, watched, below a line with its title. If it resolves to a text, that is shown at the end. */
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
