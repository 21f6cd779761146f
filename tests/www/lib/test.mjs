// Tests name themselves here; suite.mjs runs them.

/** In the order of their files. */
export const tests = [];

/**
 * A test. `work` gets a person (lib/person.mjs) at a browser and a server that have seen nothing yet; the test fails if it
 * throws, or if the console, the policy or a request had an error; what it gives is printed beside its name. `only`: the browsers it is for; by default all three.
 */
export function test(name, ...rest) {
  const [{ only }, work] = rest.length > 1 ? rest : [{}, rest[0]];
  tests.push({ name, only, work });
}
