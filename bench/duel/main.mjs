// `npm run duel`: runs graupel and other packages through the same clock stories, and counts the
// IDs of each. Exits with 1 if graupel repeated an ID, broke its order without a reason, hung or
// threw an unexpected error, or if a package could not be run. It asserts nothing else about the
// other packages.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { installLibraries } from "../../tests/everywhere/lib/tools.mjs";
import { build } from "../../xtask/build.mjs";
import { fromRoot, Refusal, runAsProgram } from "../../xtask/lib/process.mjs";
import { setup } from "../../xtask/setup.mjs";
import { contestants as everybody } from "./contestants.mjs";
import { makeCopies } from "./copies.mjs";
import { sums } from "./counts.mjs";
import { LONGEST, REFUSALS } from "./graupel.mjs";
import { writeMarkdown } from "./markdown.mjs";
import { runAll } from "./run.mjs";
import { applies, stories as everyStory } from "./stories.mjs";

/** The installed version. */
function versionOf({ package: name }) {
  const manifest =
    name === "graupel" ? fromRoot("package.json") : fromRoot("node_modules", name, "package.json");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

/**
 * Whether duplicates are due to chance, because only a few random bits distinguish the generators.
 * If these are many bits, duplicates count as chance only in a single round.
 */
function isChance({ contestant: { chance, seldom }, story: { name }, spoilt }) {
  return chance?.includes(name) || (seldom?.includes(name) && spoilt === 1);
}

/** The faults of a run, as sentences. */
function faults(results) {
  return results.flatMap((result) => {
    const { contestant, story, issued, duplicates, inversions, hung, kinds, longest, broken } = result;
    const said = [];
    if (broken !== undefined) said.push(`could not be run: ${broken}`);
    else if (issued === 0 && !hung) said.push("made no ID at all");
    if (contestant.ours && broken === undefined) {
      if (duplicates > 0 && !isChance(result)) said.push(`${duplicates} duplicates`);
      if (inversions > 0) said.push(`${inversions} unexplained inversions`);
      if (hung) said.push("a call did not return");
      else if (longest > LONGEST) said.push(`a call took ${Math.round(longest)} ms; the limit is ${LONGEST}`);
      const { refusals = REFUSALS } = contestant;
      const strange = Object.keys(kinds).filter((kind) => !refusals.includes(kind));
      if (strange.length > 0) said.push(`unexpected errors: ${strange.join(", ")}`);
    }
    return said.map((sentence) => `${contestant.name}, ${story.name}: ${sentence}`);
  });
}

/** Prints a line for each story when it ends. */
function tell({ contestant, story, kinds, broken, ...counts }) {
  const { issued, longest, ...others } = counts;
  const words = ["duplicates", "inversions", "explained", "errors", "hung"]
    .filter((word) => others[word] > 0)
    .map((word) => `, ${Number(others[word]).toLocaleString("en")} ${word}`);
  const [error] = Object.entries(kinds).sort(([, a], [, b]) => b - a);
  const reason = error === undefined ? "" : ` (${error[0]})`;
  const time = longest >= 1 ? `, at most ${Math.round(longest)} ms` : "";
  const said = `${issued.toLocaleString("en")} IDs${words.join("")}${reason}${time}`;
  console.log(`${contestant.name}, ${story.name}: ${broken === undefined ? said : "NOT RUN, see below"}`);
}

/** Runs all stories of all contestants. `skipped`: the stories whose server is not installed. */
async function play(contestants, stories) {
  await setup("bench");
  await build();
  await makeCopies(contestants);
  if (stories.some(({ use }) => use === "numbering")) await installLibraries("stores");
  const all = contestants.flatMap((contestant) =>
    stories.filter((story) => applies(contestant, story)).map((story) => ({ contestant, story })),
  );
  const asked = all.map((pair) => ({ ...pair, missing: pair.contestant.missing?.() }));
  const pairs = asked.filter(({ missing }) => missing === undefined);
  const skipped = asked.filter(({ missing }) => missing !== undefined);
  return { results: await runAll(pairs, tell), skipped };
}

async function duel() {
  const text = { type: "string", default: "" };
  const { values: options } = parseArgs({
    options: { package: text, story: text, markdown: { type: "boolean" } },
  });
  const contestants = everybody.filter(({ name }) => name.includes(options.package));
  const stories = everyStory.filter(({ name }) => name.includes(options.story));
  if (contestants.length === 0 || stories.length === 0)
    throw new Refusal("No name of a package, or of a story, contains that text.");
  const isWhole = contestants.length === everybody.length && stories.length === everyStory.length;
  if (options.markdown && !isWhole)
    throw new Refusal("The tables need a whole run: leave out --package and --story.");
  const since = performance.now();
  const { results, skipped } = await play(contestants, stories);
  const rows = contestants.map((one) => [one, results.filter(({ contestant }) => contestant === one)]);
  const ran = rows.filter(([, own]) => own.length > 0);
  console.table(
    Object.fromEntries(ran.map(([one, own]) => [`${one.name} ${versionOf(one)}: ${one.how}`, sums(own)])),
  );

  const wrong = faults(results);
  console.log(
    `\n${results.length} stories in ${((performance.now() - since) / 1000).toFixed(0)} s, ${skipped.length} skipped`,
  );
  for (const { contestant, story, missing } of skipped)
    console.log(`SKIPPED: ${contestant.name}, ${story.name}: ${missing}`);
  for (const sentence of wrong) console.log(`FAULT: ${sentence}`);
  if (wrong.length === 0 && results.some(({ contestant }) => contestant.ours)) {
    const met = results.some(({ contestant, duplicates }) => contestant.ours && duplicates > 0);
    console.log(`graupel: no duplicate${met ? " except by chance" : ""}, no unexplained inversion, no hang`);
  }
  if (options.markdown) {
    if (results.some(({ broken }) => broken !== undefined) || skipped.length > 0)
      throw new Refusal("www/docs/duel.md is unchanged: some packages could not be run.");
    writeMarkdown(contestants, results, versionOf);
  }
  return wrong.length === 0 ? 0 : 1;
}

await runAsProgram(import.meta.url, duel);
