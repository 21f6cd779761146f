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
import { writeMarkdown } from "./markdown.mjs";
import { runAll } from "./run.mjs";
import { stories as everyStory } from "./stories.mjs";
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

/** What must not happen, as sentences. */
function faults(results) {
  return results.flatMap((result) => {
    const { contestant, story, issued, duplicates, inversions, hung, kinds, longest, broken } = result;
    const said = [];
    if (broken !== undefined) said.push(`could not be run: ${broken}`);
    else if (issued === 0 && !hung) said.push("made no ID at all");
    if (contestant.ours && broken === undefined) {
      if (duplicates > 0) said.push(`${duplicates} duplicates`);
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
  const pairs = contestants.flatMap((contestant) =>
    stories.filter(({ name }) => !contestant.without?.includes(name)).map((story) => ({ contestant, story })),
  );
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
    log(JSON.stringify({ node: process.version, results: plain }, null, 1));
  }
  const wrong = faults(results);
  console.log(`\n${results.length} stories in ${((performance.now() - since) / 1000).toFixed(0)} s`);
  for (const sentence of wrong) console.log(`FAULT: ${sentence}`);
  if (wrong.length === 0 && contestants.some(({ ours }) => ours)) {
    console.log("graupel: no duplicate, no unexplained inversion, no hang");
  }
  if (options.markdown) {
    if (results.some(({ broken }) => broken !== undefined))
      throw new Refusal("README.md stays as it is: not all were run.");
    writeMarkdown(contestants, results, versionOf);
  }
  return wrong.length === 0 ? 0 : 1;
}

await runAsProgram(import.meta.url, duel);
