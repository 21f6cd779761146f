// `npm run test:long -- mutants`: plants mistakes in the code, and counts those that the tests notice.
//
//     npm run test:long -- mutants                           300 mutants of the TypeScript, then 300 of the Rust code
//     npm run test:long -- mutants --language rust           one of them: javascript or rust
//     npm run test:long -- mutants --seed 7 --count 50       another draw
//     npm run test:long -- mutants --tests <a checkout>      with the tests of another checkout of the project
//     npm run test:long -- mutants --without "<a>,<b>"       without these test files
//     npm run test:long -- mutants --results <a directory>   where the results are; a run that ended early continues there
//     npm run test:long -- mutants --earlier <a directory>   other results, for speed: what killed a mutant there runs first
//     npm run test:long -- mutants --jobs 1                  how many run at a time
//     npm run test:long -- mutants --report                  only prints what is known

import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../../xtask/build.mjs";
import { fromRoot, Refusal, root, runAsProgram } from "../../xtask/lib/process.mjs";
import { setup } from "../../xtask/setup.mjs";
import { javascript } from "./javascript.mjs";
import { Experience } from "./judge.mjs";
import { home } from "./places.mjs";
import { hashOfSources, mutantsOf, Results } from "./results.mjs";
import { rust } from "./rust.mjs";

const LANGUAGES = { javascript, rust };

function optionsOf() {
  const text = { type: "string" };
  const { values } = parseArgs({
    options: {
      language: text,
      seed: { ...text, default: "21" },
      count: { ...text, default: "300" },
      tests: { ...text, default: root },
      without: { ...text, default: "" },
      results: { ...text, default: join(home, "results") },
      earlier: text,
      jobs: { ...text, default: String(availableParallelism()) },
      report: { type: "boolean" },
    },
  });
  const number = (name) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) throw new Refusal(`--${name} ${values[name]} is no number`);
    return value;
  };
  const { language } = values;
  if (language !== undefined && !Object.hasOwn(LANGUAGES, language)) {
    throw new Refusal(`there is no language ${language}: javascript or rust`);
  }
  return {
    ...values,
    languages: language === undefined ? Object.keys(LANGUAGES) : [language],
    seed: number("seed"),
    count: number("count"),
    jobs: number("jobs"),
    tests: resolve(values.tests),
    without: values.without === "" ? [] : values.without.split(","),
  };
}

async function mutants() {
  const options = optionsOf();
  if (!options.report) {
    await setup("bench", "bench/mutants", "tests/js");
    await build();
  }
  for (const name of options.languages) {
    const language = LANGUAGES[name];
    const { seed, count, without } = options;
    const product = ["src", "js"].map((part) => hashOfSources(fromRoot(part)));
    const facts = { seed, count, without, product, tests: hashOfSources(join(options.tests, "tests")) };
    const results = new Results(join(resolve(options.results), `${name}.json`), facts);
    const earlier =
      options.earlier === undefined ? [] : mutantsOf(join(resolve(options.earlier), `${name}.json`));
    const experience = new Experience([...earlier, ...results.all()]);
    if (!options.report) await language.run({ ...options, results, experience });
    results.report();
  }
}

await runAsProgram(import.meta.url, mutants);
