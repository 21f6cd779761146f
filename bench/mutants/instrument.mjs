// Places mutants of TypeScript in its sources, switched by an environment variable. Stryker's instrumenter finds them and places
// all; here all but the drawn ones are switched off for good, which lets esbuild remove them.

import { Refusal } from "../../xtask/lib/process.mjs";
import { inShort, shuffled } from "./draw.mjs";

/** The environment variable with the numbers of the mutants that are on, with commas in between. */
export const SWITCH = "GRAUPEL_MUTANTS";
/** The environment variable with a file, to which each process adds the numbers of the mutants whose code it has reached. */
export const REACHED = "GRAUPEL_REACHED";

/** What Stryker writes at the top of each file: it keeps what is on and what is reached by name, which is slow. */
const HELPERS = /function stryNS_9fa48\(\) \{.*?\n\}\nstryNS_9fa48\(\);\n(?:function \w+\(.*?\n\}\n){2}/s;

/**
 * What takes its place. A realm of `node:vm` has no `process`, so nothing is on there. A process writes each number at once, as a test may
 * kill it; a call that is cut off writes it again. What Node does to write reads `Object.prototype`, which some tests watch while they have
 * put something there: then the number is written later, with the next one.
 */
const helpers = (count) => `
const $on = new Uint8Array(${count});
const $met = new Uint8Array(${count});
const $file = globalThis.process?.env.${REACHED} ?? "";
const $plain = Reflect.ownKeys(Object.prototype).length;
const $late = new Set();
const $write = () => {
  const numbers = [...$late].map((number) => number + "\\n").join("");
  globalThis.process.getBuiltinModule("node:fs").appendFileSync($file, numbers);
  $late.clear();
};
const $reach = (number) => {
  $late.add(number);
  if (Reflect.ownKeys(Object.prototype).length === $plain) $write();
  $met[number] = 1;
};
if ($file === "") $met.fill(1);
for (const number of (globalThis.process?.env.${SWITCH} ?? "").split(",")) if (number !== "") $on[+number] = 1;
`;

const CHECK = /stryMutAct_9fa48\("(\d+)"\)/g;
const COVER = /stryCov_9fa48\(([^)]*)\)/g;

async function instrumenter() {
  const { Instrumenter } = await import("@stryker-mutator/instrumenter");
  const quiet = () => {};
  const not = () => false;
  return new Instrumenter({ debug: quiet, info: quiet, warn: console.warn, isDebugEnabled: not });
}

/** The code between two places; both count from 0. */
function slice(lines, { start, end }) {
  if (start.line === end.line) return lines[start.line].slice(start.column, end.column);
  const between = lines.slice(start.line + 1, end.line);
  return [lines[start.line].slice(start.column), ...between, lines[end.line].slice(0, end.column)].join("\n");
}

/**
 * Draws mutants of some files, and places them. `sources`: an object of texts by path. Resolves to the mutants, whose order gives
 * their numbers, how many there are to draw from, and the files' new texts.
 */
export async function instrumented(sources, seed, count) {
  const files = Object.entries(sources).map(([name, content]) => ({ name, content, mutate: true }));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { files: placed, mutants } = await (await instrumenter()).instrument(files, options);
  const described = mutants.map(({ id, fileName, location, mutatorName, replacement }) => {
    const lines = sources[fileName].split("\n");
    const original = slice(lines, location);
    const around = lines[location.start.line].trim();
    return {
      id,
      key: [fileName, mutatorName, around, original, replacement].join("\0"),
      file: fileName,
      line: location.start.line + 1,
      column: location.start.column + 1,
      kind: mutatorName,
      original: inShort(original),
      replacement: inShort(replacement),
    };
  });
  const drawn = shuffled(described, seed).slice(0, count);
  const numbers = new Map(drawn.map(({ id }, number) => [id, number]));
  const texts = placed.map(({ name, content }) => {
    if (!HELPERS.test(content)) {
      if (content.includes("stryMutAct_9fa48"))
        throw new Refusal(`Stryker writes other helpers into ${name}.`);
      return [name, content];
    }
    const cover = (ids) =>
      [...ids.matchAll(/\d+/g)]
        .flatMap(([id]) => (numbers.has(id) ? [numbers.get(id)] : []))
        .map((number) => `$met[${number}] || $reach(${number})`)
        .join(", ");
    const text = content
      .replace(HELPERS, helpers(drawn.length))
      .replace(CHECK, (_, id) => (numbers.has(id) ? `$on[${numbers.get(id)}]` : "false"))
      .replace(COVER, (_, ids) => `(${cover(ids) || "0"})`);
    return [name, text];
  });
  return { drawn, of: mutants.length, texts: Object.fromEntries(texts) };
}
