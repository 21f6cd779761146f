// Tests register themselves here. suite.mjs runs them.

/** All tests, in the order of their files. */
export const tests = [];

/**
 * Registers a test, which runs in Chromium. `work` gets a user (lib/person.mjs) with a new browser
 * profile and server. The test fails if `work` throws or if there was a console error, a policy
 * violation or a failed request. Its result is printed next to the name.
 */
export const test = (name, work) => tests.push({ name, work, browsers: ["Chromium"] });

/** Registers a test of something that browser engines do in different ways: it runs in all three. */
export const testEverywhere = (name, work) =>
  tests.push({ name, work, browsers: ["Chromium", "Firefox", "WebKitGTK"] });
