// A reporter of Node's test runner: writes something only for a run in which no test has run.

/** Tests that have run: not the suites around them, nor a file, nor what the pattern leaves out. */
const hasRun = ({ type, data }) =>
  (type === "test:pass" || type === "test:fail") &&
  data.skip === undefined &&
  data.details?.type !== "suite" &&
  !data.name.endsWith(".test.ts");

export default async function* noTest(events) {
  let ran = false;
  for await (const event of events) ran ||= hasRun(event);
  if (!ran) yield "none\n";
}
