// A reporter of Node's test runner, for a file that runs by itself: ends the process at the first test that fails, and says which.

import { writeSync } from "node:fs";

export default async function* firstFailure(events) {
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.todo !== undefined) continue;
    const { error } = data.details;
    writeSync(1, `${data.name}: ${error?.cause?.message ?? error?.message}\n`);
    process.exit(1);
  }
  yield "";
}
