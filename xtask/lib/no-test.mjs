// A reporter for Node's test runner that writes something only if no test has run.

/** Whether a test has run. Suites, files and tests that the pattern excludes do not count. */
const hasRun = ({ type, data }) =>
  (type === "test:pass" || type === "test:fail") &&
  data.skip === undefined &&
  data.details?.type !== "suite" &&
  !/\.test\.(ts|mjs)$/.test(data.name);

export default async function* noTest(events) {
  let ran = false;
  for await (const event of events) ran ||= hasRun(event);
  if (!ran) yield "none\n";
}
