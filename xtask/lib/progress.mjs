// Lines that say what is being done and how long it took.

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** How often a long step says that it is still alive, in milliseconds. */
const HEARTBEAT = 10_000;

/** A line by itself. */
export function say(line) {
  console.log(line);
}

/**
 * Does `work` under a line of its own. `work` gets a function to call with each line that a program prints;
 * the last of them is shown while a long step goes on. What `work` resolves to is a remark for the end.
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
