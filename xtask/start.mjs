// `npm start`: sets up, builds, and prints a new ID of every format with its fields.

import { build } from "./build.mjs";
import { fromRoot, run, runAsProgram } from "./lib/process.mjs";
import { setup } from "./setup.mjs";

async function start() {
  await setup();
  await build();
  await run(process.execPath, [fromRoot("dist", "cli", "demo.js")], { show: true });
}

await runAsProgram(import.meta.url, start);
