// Tests register themselves here. suite.mjs runs them.

/** All tests, in the order of their files. */
export const tests = [];

/**
 * Registers a test. `work` gets a user (lib/person.mjs) with a new browser profile and server. The
 * test fails if `work` throws or if there was a console error, a policy violation or a failed
 * request. Its result is printed next to the name. `only`: the browsers that run the test; by
 * default all three.
 */
export function test(name, ...rest) {
  const [{ only }, work] = rest.length > 1 ? rest : [{}, rest[0]];
  tests.push({ name, only, work });
}
