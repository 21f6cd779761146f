// What has to be done when this process ends, however it does.

const works = new Set();

process.once("exit", () => {
  for (const work of works) work();
});

/** Calls `work` at the end. Gives a function that takes it back. */
export function atExit(work) {
  works.add(work);
  return () => works.delete(work);
}
