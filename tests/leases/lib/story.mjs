// Stories name themselves here; suite.mjs runs them.

/** In the order of their files. */
export const stories = [];

/**
 * A story with a server of servers/. `work` gets a function that takes what is to be done afterwards, whatever happens; the story fails if
 * it throws; what it gives is printed beside its name.
 */
export function story(server, name, work) {
  stories.push({ server, name, work });
}
