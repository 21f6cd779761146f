// `npm test`: sets up, builds, and runs every suite. A failed suite does not stop the others.
//
//     npm test -- <suite> [pattern]    one suite, or its tests with the pattern in their names or file names
//     npm test -- --list               lists the suites

import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { Failed, Refusal, runAsProgram } from "./lib/process.mjs";
import { say, seconds, step } from "./lib/progress.mjs";
import { setup } from "./setup.mjs";
import { lanes, named, pack, rooms } from "./suites.mjs";

async function test() {
  const options = { list: { type: "boolean" } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [wanted, pattern, ...more] = positionals;
  if (values.list) return list();
  const suite = wanted === undefined ? undefined : named(wanted);
  if (wanted !== undefined && suite === undefined)
    throw new Refusal(`there is no suite "${wanted}"; npm test -- --list has them all`);
  if (pattern !== undefined && !suite.patterns) throw new Refusal(`${wanted} takes no pattern`);
  if (more.length > 0) throw new Refusal(`one suite and one pattern, not "${more.join(" ")}" besides`);
  await setup("bench", "tests/js");
  await build();
  if (suite === undefined || suite.packed) await step("pack, and unpack for the tests", pack);
  return suite === undefined ? runLanes() : runAlone(suite, pattern);
}

function list() {
  const line = ({ name, title }) => say(`  ${name.padEnd(13)}${title}`);
  say("suites:");
  lanes.flat().forEach(line);
  say("\nparts of node:");
  rooms.forEach(line);
}

/** Runs all suites and counts their results. Resolves to the exit code. */
async function runLanes() {
  const results = [];
  const runLane = async (lane) => {
    for (const suite of lane) {
      let output = "";
      const onText = (text) => (output += text);
      // Another suite prints at the same time, so print the output at the end.
      const verdict = await verdictOf(suite, { onText }, (time) =>
        say(`\n=== ${suite.title} ===\n\n${output.trimEnd()}\n${time}`),
      );
      results.push({ title: suite.title, verdict, output });
    }
  };
  await Promise.all(lanes.map(runLane));
  say(`\n=== ${results.length} suites ===`);
  const failed = results.filter(({ verdict }) => verdict === "failed");
  say(`passed: ${results.length - failed.length}`);
  say(`failed: ${failed.length}${failed.map(({ title }) => `\n  ${title}`).join("")}`);
  const counts = results.flatMap(({ output }) => [...output.matchAll(/ℹ skipped (\d+)|; (\d+) ignored;/g)]);
  const skipped = counts.reduce((sum, [, byNode = 0, byCargo = byNode]) => sum + Number(byCargo), 0);
  say(`skipped tests in these: ${skipped}`);
  return failed.length > 0 ? 1 : 0;
}

async function runAlone(suite, pattern) {
  say(`\n=== ${suite.title} ===\n`);
  return (await verdictOf(suite, { show: true, onText: say }, say, pattern)) === "failed" ? 1 : 0;
}

/** Runs a suite. `end`: prints the last line. */
async function verdictOf(suite, output, end, pattern) {
  const since = performance.now();
  let verdict = "passed";
  try {
    await suite.work(output, pattern);
  } catch (error) {
    verdict = "failed";
    const isKnown = error instanceof Failed || error instanceof Refusal;
    output.onText(`failed: ${isKnown ? error.message : error.stack}\n`);
  }
  end(`--- ${verdict === "failed" ? "FAILED" : verdict} in ${seconds(since)}`);
  return verdict;
}

await runAsProgram(import.meta.url, test);
