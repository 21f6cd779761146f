// `npm run duel`: graupel and other packages go through the same stories of a clock; what each issued is counted.
// Ends with 1 if graupel repeated an ID, broke its order without a reason, hung or threw what it should not, or if
// the harness could not run somebody. About the others nothing is asserted.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "../../xtask/build.mjs";
import { fromRoot, Refusal, runAsProgram } from "../../xtask/lib/process.mjs";
import { setup } from "../../xtask/setup.mjs";
import { contestants as everybody } from "./contestants.mjs";
import { makeCopies } from "./copies.mjs";
import { LONGEST, REFUSALS } from "./graupel.mjs";
import { load } from "./load.mjs";
import { writeMarkdown } from "./markdown.mjs";
import { runAll } from "./run.mjs";
import { applies, stories as everyStory } from "./stories.mjs";
import { printer, printSums } from "./terminal.mjs";

const HELP = `npm run duel -- [options]
  --package <text>   only packages whose name contains the text
  --story <text>     only stories whose name contains the text
  --json             prints the counts as JSON
  --markdown         writes the table of README.md (of a whole run)`;

function readOptions() {
  const options = {
    package: { type: "string", default: "" },
    story: { type: "string", default: "" },
    json: { type: "boolean", default: false },
    markdown: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Refusal(`${error.message}\n${HELP}`);
  }
}

/** The installed version. */
function versionOf({ package: name }) {
  const manifest =
    name === "graupel" ? fromRoot("package.json") : fromRoot("node_modules", name, "package.json");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

/** What nothing but chance keeps apart may meet; with many bits to choose from, in one round and no more. */
function isChance({ contestant: { chance, seldom }, story: { name }, spoilt }) {
  return chance?.includes(name) || (seldom?.includes(name) && spoilt === 1);
}

/** What must not happen, as sentences. */
function faults(results) {
  return results.flatMap((result) => {
    const { contestant, story, issued, duplicates, inversions, hung, kinds, longest, broken } = result;
    const said = [];
    if (broken !== undefined) said.push(`could not be run: ${broken}`);
    else if (issued === 0 && !hung) said.push("made no ID at all");
    if (contestant.ours && broken === undefined) {
      if (duplicates > 0 && !isChance(result)) said.push(`${duplicates} duplicates`);
      if (inversions > 0) said.push(`${inversions} inversions that nothing explains`);
      if (hung) said.push("a call did not come back");
      else if (longest > LONGEST)
        said.push(`a call took ${Math.round(longest)} ms, which should end after 100`);
      const strange = Object.keys(kinds).filter((kind) => !REFUSALS.includes(kind));
      if (strange.length > 0) said.push(`errors that do not belong here: ${strange.join(", ")}`);
    }
    return said.map((sentence) => `${contestant.name}, ${story.name}: ${sentence}`);
  });
}

async function duel() {
  const options = readOptions();
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  const contestants = everybody.filter(({ name }) => name.includes(options.package));
  const stories = everyStory.filter(({ name }) => name.includes(options.story));
  if (contestants.length === 0 || stories.length === 0)
    throw new Refusal("No package or no story has that in its name.");
  if (options.markdown && (contestants.length < everybody.length || stories.length < everyStory.length)) {
    throw new Refusal("The README's table needs a whole run: leave out --package and --story.");
  }
  // With --json, standard output holds nothing else; what is said on the way is said beside it.
  const log = console.log;
  if (options.json) console.log = console.error;
  await setup();
  await build();
  await makeCopies(contestants);

  const since = performance.now();
  const nameOf = (contestant) =>
    `${contestant.name} ${versionOf(contestant)}, worker number: ${contestant.how}`;
  const all = contestants.flatMap((contestant) =>
    stories.filter((story) => applies(contestant, story)).map((story) => ({ contestant, story })),
  );
  const module = await load("graupel");
  const asked = all.map((pair) => ({ ...pair, missing: pair.contestant.missing?.(module) }));
  const pairs = asked.filter(({ missing }) => missing === undefined);
  const skipped = asked.filter(({ missing }) => missing !== undefined);
  const results = await runAll(pairs, printer(console.log, nameOf));
  printSums(console.log, contestants, results);

  if (options.json) {
    const plain = results.map(({ contestant, story, ...counts }) => {
      return {
        name: contestant.name,
        package: contestant.package,
        version: versionOf(contestant),
        workerNumber: contestant.how,
        story: story.name,
        ...counts,
      };
    });
    const left = skipped.map(({ contestant, story, missing }) => {
      return { name: contestant.name, story: story.name, reason: missing };
    });
    log(JSON.stringify({ node: process.version, results: plain, skipped: left }, null, 1));
  }
  const wrong = faults(results);
  console.log(
    `\n${results.length} stories in ${((performance.now() - since) / 1000).toFixed(0)} s, ${skipped.length} skipped`,
  );
  for (const { contestant, story, missing } of skipped)
    console.log(`SKIPPED: ${contestant.name}, ${story.name}: ${missing}`);
  for (const sentence of wrong) console.log(`FAULT: ${sentence}`);
  if (wrong.length === 0 && contestants.some(({ ours }) => ours)) {
    const met = results.some(({ contestant, duplicates }) => contestant.ours && duplicates > 0);
    console.log(`graupel: no duplicate${met ? " but by chance" : ""}, no unexplained inversion, no hang`);
  }
  if (options.markdown) {
    if (results.some(({ broken }) => broken !== undefined))
      throw new Refusal("README.md stays as it is: not all were run.");
    writeMarkdown(contestants, results, versionOf);
  }
  return wrong.length === 0 ? 0 : 1;
}

await runAsProgram(import.meta.url, duel);
