// Stories name themselves here; suite.mjs runs them.

/** In the order of their files. */
export const stories = [];

/**
 * A story with a server of servers/. `work` gets a function that takes what is to be done afterwards, whatever happens; the story fails if
 * it throws; what it gives is printed beside its name. `lacks`: says what the machine lacks for it, if it lacks something. `isAlone`: it
 * runs after the others, because it would take their time.
 */
export function story(server, name, ...rest) {
  const [{ lacks = () => undefined, isAlone = false }, work] = rest.length > 1 ? rest : [{}, rest[0]];
  stories.push({ server, name, lacks, isAlone, work });
}
