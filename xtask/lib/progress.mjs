// Prints what is being done, and how long it took.

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** How often a long step prints that it still runs, in milliseconds. */
const HEARTBEAT = 10_000;

/** Prints a line. */
export function say(line) {
  console.log(line);
}

/**
 * Runs `work` below a line with its title. `work` gets a function for each line that a program prints; a long step shows
 * the last of them. If `work` resolves to a text, it is shown at the end.
 */
export async function step(title, work) {
  const since = performance.now();
  let last = "";
  const heartbeat = setInterval(() => console.log(`    ${seconds(since)}  ${last}`), HEARTBEAT);
  console.log(`  ${title} ...`);
  try {
    const remark = await work((line) => {
      last = line.length > 90 ? `${line.slice(0, 89)}…` : line;
    });
    console.log(`    done in ${seconds(since)}${remark ? `: ${remark}` : ""}`);
  } catch (error) {
    console.log(`    failed after ${seconds(since)}`);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}
