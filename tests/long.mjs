// `npm run test:long -- <name> [options]`: runs the long form of a test. The options are described
// by --help or in the test's file.

import { Refusal, run, runAsProgram } from "../xtask/lib/process.mjs";

/** By name: a description and the program. */
const LONG = {
  model: ["every row of the model of the lease protocol", "cargo run --package graupel-model --".split(" ")],
  worlds: [
    "mistakes planted in the engine, for the small worlds",
    [process.execPath, "model/worlds/mistakes.mjs"],
  ],
  mutants: [
    "mistakes planted in the code, and the tests that notice",
    [process.execPath, "bench/mutants/main.mjs"],
  ],
};

async function long() {
  const [name, ...args] = process.argv.slice(2);
  if (!Object.hasOwn(LONG, name)) {
    const lines = Object.entries(LONG).map(([name, [title]]) => `  ${name.padEnd(9)}${title}`);
    throw new Refusal(["npm run test:long -- <name> [options]\n", ...lines].join("\n"));
  }
  const [program, ...first] = LONG[name][1];
  await run(program, [...first, ...args], { show: true });
}

await runAsProgram(import.meta.url, long);
