// `npm test`: sets up, builds, and runs every suite. A failed suite does not stop the others.
//
//     npm test -- <suite> [pattern]    one suite, or its tests with the pattern in their names or file names
//     npm test -- --list               lists the suites

import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { Failed, Refusal, runAsProgram } from "./lib/process.mjs";
import { say, seconds, watched } from "./lib/progress.mjs";
import { setup } from "./setup.mjs";
import { lanes, named, rooms, Skipped } from "./suites.mjs";

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

/** Prints a line for each suite. */
function list(print) {
  const line = ({ name, title }) => print(`  ${name.padEnd(13)}${title}`);
  print("npm test -- <suite> [part of a test's or a file's name]\n\nsuites:");
  lanes.flat().forEach(line);
  print("\nparts of node:");
  rooms.forEach(line);
}

/**
 * Runs the suites and counts their results. Only the last suite gets the `pattern`. Resolves to the
 * exit code.
 */
async function runLanes(chosen, pattern) {
  const suites = chosen.flat();
  const results = [];
  const pack = named("pack");
  let isPacked;
  // Resolves when another lane has packed the package.
  const packed = new Promise((resolve) => (isPacked = resolve));
  const runLane = async (lane) => {
    for (const suite of lane) {
      if (suite.packed && !(await packed))
        results.push(told(suite, `"${pack.title}" failed, which it needs`));
      else
        results.push(
          await resultOf(suite, suite === suites.at(-1) ? pattern : undefined, chosen.length === 1),
        );
      if (suite === pack) isPacked(results.at(-1).verdict === "passed");
    }
  };
  await Promise.all(chosen.map(runLane));
  say(`\n=== ${suites.length} suites ===`);
  for (const verdict of ["passed", "skipped", "failed"]) {
    const titles = results.filter((one) => one.verdict === verdict).map(({ title }) => `\n  ${title}`);
    say(`${verdict}: ${titles.length}${verdict === "passed" ? "" : titles.join("")}`);
  }
  // With a pattern, Node's runner counts the tests that do not match as skipped.
  const counts = results.flatMap(({ output }) => [...output.matchAll(/ℹ skipped (\d+)|; (\d+) ignored;/g)]);
  const skipped = counts.reduce((sum, [, byNode = 0, byCargo = byNode]) => sum + Number(byCargo), 0);
  if (pattern === undefined) say(`skipped tests in these: ${skipped}`);
  return results.some(({ verdict }) => verdict === "failed") ? 1 : 0;
}

const heading = ({ title }) => `\n=== ${title} ===\n`;

/**
 * Runs a suite. With `isAlone`, its output appears immediately. Otherwise it appears at the end,
 * because another suite prints at the same time.
 */
async function resultOf(suite, pattern, isAlone) {
  const since = performance.now();
  let output = "";
  const onText = (text) => {
    output += text;
    if (isAlone) process.stdout.write(text);
  };
  // The output goes through a pipe, so programs would print it without colours.
  const env = isAlone && process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  let verdict = "passed";
  if (isAlone) say(heading(suite));
  try {
    if (isAlone) await suite.work({ onText, env }, pattern);
    else await watched(`${suite.name}, `, (onLine) => suite.work({ onText, onLine, env }, pattern));
  } catch (error) {
    verdict = error instanceof Skipped ? "skipped" : "failed";
    const isKnown = error instanceof Failed || error instanceof Refusal;
    onText(`${verdict}: ${isKnown ? error.message : error.stack}\n`);
  }
  if (!isAlone) say(`${heading(suite)}${output}`.trimEnd());
  say(`--- ${verdict === "failed" ? "FAILED" : verdict} in ${seconds(since)}`);
  return { title: suite.title, verdict, output };
}

/** The result of a suite that could not run. */
function told(suite, why) {
  say(`${heading(suite)}FAILED: ${why}`);
  return { title: suite.title, verdict: "failed", output: "" };
}

await runAsProgram(import.meta.url, test);
