// `npm run bench`: measures graupel's formats and other packages in the same rounds, on each Node
// version. Exits with 1 if something could not be measured, or if IDs did not ascend. A missed
// target is a line of the output, not an error.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../../xtask/build.mjs";
import { fromRoot, Refusal, run, runAsProgram, targetDir } from "../../xtask/lib/process.mjs";
import { say } from "../../xtask/lib/progress.mjs";
import { setup } from "../../xtask/setup.mjs";
import { against } from "./against.mjs";
import { writePages } from "./pages.mjs";
import { runtimes } from "./runtimes.mjs";
import { isTarget, printRun } from "./words.mjs";

/** Measures on one Node version after another, because parallel runs would slow each other down. */
async function measureAll({ quick, only, node }) {
  await setup("bench");
  await build();
  const found = await runtimes(node);
  const directory = join(targetDir, "bench");
  mkdirSync(directory, { recursive: true });
  const runs = [];
  for (const { version, program } of found.filter((one) => one.program !== undefined)) {
    say(`measure on Node ${version}`);
    const file = join(directory, `${version}.json`);
    await run(program, [fromRoot("bench", "speed", "measure.mjs"), file, JSON.stringify({ quick, only })], {
      show: true,
    });
    runs.push(JSON.parse(readFileSync(file, "utf8")));
  }
  return { runs, missing: found.filter((one) => one.missing !== undefined) };
}

async function bench() {
  const flag = { type: "boolean" };
  const text = { type: "string" };
  const word = { ...text, default: "" };
  const { values: options } = parseArgs({
    options: { quick: flag, only: word, node: word, against: text, chart: flag, from: text },
  });
  if (options.against !== undefined) {
    await setup();
    await build();
    await against(options.against, await runtimes(options.node), options);
    return 0;
  }
  if (options.chart && (options.quick || options.only !== "" || options.node !== ""))
    throw new Refusal("The pages need a whole run: leave out --quick, --only and --node.");
  const figures = options.from ? JSON.parse(readFileSync(options.from, "utf8")) : await measureAll(options);
  const { runs, missing } = figures;
  if (runs.length === 0 && missing.length === 0)
    throw new Refusal(
      `The bench has no Node ${options.node}: it runs on the versions that tests/everywhere pins.`,
    );

  for (const one of runs) printRun(one);
  console.log("");
  for (const one of missing) console.log(`Node ${one.version} is missing: ${one.missing}`);
  const faults = runs.flatMap(({ node, faults }) => faults.map((fault) => `Node ${node}: ${fault}`));
  for (const fault of faults) console.log(`FAULT: ${fault}`);
  for (const { node, targets } of runs) {
    const bounded = targets.filter(isTarget);
    const reached = bounded.filter((line) => line.reached).length;
    console.log(`Node ${node}: ${reached} of ${bounded.length} targets reached`);
  }
  if (options.chart) {
    if (faults.length > 0 || missing.length > 0)
      throw new Refusal("The pages are unchanged: something could not be measured.");
    writePages(figures);
  }
  return faults.length === 0 ? 0 : 1;
}

await runAsProgram(import.meta.url, bench);
