// `npm test`: sets up, builds, and runs every suite. A failed suite does not stop the others.
//
//     npm test -- <suite> [pattern]    one suite, or its tests with the pattern in their names or file names
//     npm test -- --list               lists the suites

import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { Failed, fromRoot, run, runAsProgram } from "./lib/process.mjs";
import { say, seconds, watched } from "./lib/progress.mjs";
import { setup } from "./setup.mjs";
import { lanes, named, rooms, SKIPPED } from "./suites.mjs";

async function test() {
  const { values, positionals } = parseArgs({ allowPositionals: true, strict: false });
  const [wanted, pattern, ...more] = positionals;
  const { list: listed, ...unknown } = values;
  if (listed) {
    list(say);
    return 0;
  }
  const chosen = wanted === undefined ? undefined : named(wanted);
  const [option] = Object.keys(unknown);
  const wrong =
    option !== undefined
      ? `there is no option --${option}`
      : wanted !== undefined && chosen === undefined
        ? `there is no suite "${wanted}"`
        : pattern !== undefined && !chosen.patterns
          ? `${wanted} takes no pattern`
          : more.length > 0 && `one suite and one pattern, not "${more.join(" ")}" besides`;
  if (wrong) {
    console.error(`npm test: ${wrong}\n`);
    list(console.error);
    return 2;
  }
  await setup("bench", "tests/js");
  await build();
  if (chosen === undefined) return runLanes(lanes);
  return runLanes([chosen.packed ? [named("pack"), chosen] : [chosen]], pattern);
}

/** A line for each suite. */
function list(print) {
  const line = ({ name, title }) => print(`  ${name.padEnd(13)}${title}`);
  print("npm test -- <suite> [part of a test's or a file's name]\n\nsuites:");
  lanes.flat().forEach(line);
  print("\nparts of node:");
  rooms.forEach(line);
}

/** Runs the suites and counts them. The last one gets the `pattern`. Resolves to the exit code. */
async function runLanes(chosen, pattern) {
  const suites = chosen.flat();
  const titles = { passed: [], skipped: [], failed: [] };
  let skippedTests = 0;
  const pack = named("pack");
  let isPacked;
  const packed = new Promise((resolve) => (isPacked = resolve));
  const runSuite = async (suite) => {
    const given = suite === suites.at(-1) && pattern !== undefined ? [pattern] : [];
    // Another lane may pack.
    if (suite.packed) await packed;
    const unpacked = !(suite.packed && titles.failed.includes(pack.title));
    const { verdict, skipped } = await (unpacked
      ? verdictOf(suite, given, chosen.length === 1)
      : notRun(suite));
    titles[verdict].push(suite.title);
    skippedTests += skipped;
    if (suite === pack) isPacked();
  };
  await Promise.all(
    chosen.map(async (lane) => {
      for (const suite of lane) await runSuite(suite);
    }),
  );
  say(`\n=== ${suites.length} suites ===`);
  say(`passed: ${titles.passed.length}`);
  for (const verdict of ["skipped", "failed"]) {
    say(`${verdict}: ${titles[verdict].length}${titles[verdict].map((title) => `\n  ${title}`).join("")}`);
  }
  // With a pattern, Node's runner also counts the tests that it leaves out.
  if (pattern === undefined) say(`skipped tests in these: ${skippedTests}`);
  return titles.failed.length === 0 ? 0 : 1;
}

const heading = ({ title }) => `\n=== ${title} ===`;

/**
 * Runs a suite in its own process. `alone`: its output appears at once; otherwise it appears at the
 * end, because another suite prints at the same time. `skipped`: the skipped tests that Node's
 * runner and cargo count.
 */
async function verdictOf(suite, given, alone) {
  const since = performance.now();
  const work = (options) =>
    run(process.execPath, [fromRoot("xtask", "suites.mjs"), suite.name, ...given], options);
  let output = "";
  if (alone) say(heading(suite));
  let code = 0;
  const hear = (text) => {
    output += text;
    if (alone) process.stdout.write(text);
  };
  // The output goes through a pipe, which has no colours by default.
  const env = alone && process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  try {
    await (alone
      ? work({ onText: hear, env })
      : watched(`${suite.name}, `, (onLine) => work({ onLine, onText: hear })));
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    code = error.code;
  }
  if (!alone) say(`${heading(suite)}\n${output}`.trimEnd());
  const counts = [...output.matchAll(/ℹ skipped (\d+)|; (\d+) ignored;/g)];
  const skipped = counts.reduce((sum, [, byNode = 0, byCargo = byNode]) => sum + Number(byCargo), 0);
  if (code === SKIPPED) return { verdict: "skipped", skipped };
  say(`--- ${code === 0 ? "passed" : "FAILED"} in ${seconds(since)}`);
  return { verdict: code === 0 ? "passed" : "failed", skipped };
}

function notRun(suite) {
  say(`${heading(suite)}\nFAILED: "${named("pack").title}" failed, which it needs`);
  return { verdict: "failed", skipped: 0 };
}

await runAsProgram(import.meta.url, test);
