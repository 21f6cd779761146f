// Prints the steps of a program and their durations.

/** The time since a reading of the monotonic clock, as text. */
export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Prints a line. */
export function say(line) {
  console.log(line);
}

/**
 * Prints the title, and runs `work`. If `work` resolves to a text, the text is printed at the end.
 */
export async function step(title, work) {
  const since = performance.now();
  say(`  ${title} ...`);
  const remark = await work();
  say(`    done in ${seconds(since)}${remark ? `: ${remark}` : ""}`);
}
