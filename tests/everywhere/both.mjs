// Copies of the package in one process: they share each identity's state, so that together they repeat nothing. A plain ES
// module, as checks.mjs.

import { ascending, checkAlphabets, coreOf, FORMATS } from "./checks.mjs";
import { same, tally } from "./entries.mjs";

/** IDs of each core. */
const EACH = 200;

/** Takes turns: an ID of the one, an ID of the other. */
function inTurn(copies, { make, fixed }) {
  const generators = copies.map((graupel) => make(graupel).generator(fixed));
  const ids = Array.from({ length: 2 * EACH }, (_, i) => generators[i % 2].next());
  ascending(ids, "in turn");
  const [one, other] = generators.map((generator) => generator.nextMany(EACH));
  ascending([...ids, ...one, ...other], "batches");
}

/** Runs checks by name. Returns how many passed, and the names and messages of those that failed. */
function run(checks) {
  const result = { passed: 0, failed: [] };
  for (const [name, work] of Object.entries(checks)) tally(result, name, work);
  return result;
}

/** Two copies of the package share what a realm has once. Returns as `run` does. */
export function shared(copies) {
  const checks = Object.entries(FORMATS).map(([name, format]) => [
    `${name}: two copies in turn`,
    () => inTurn(copies, format),
  ]);
  return run({
    ...Object.fromEntries(checks),
    "sno: one partition by default": () => {
      const [first, second] = copies.map(({ sno }) => sno.next());
      ascending([first, second], "sno.next");
      const [one, other] = copies.map(({ sno }, i) => sno.inspect([first, second][i]).partition);
      same(other, one, "partition");
    },
    "errors of each other": () => {
      for (const [i, { discord }] of copies.entries()) {
        let error;
        try {
          discord.parse("x");
        } catch (thrown) {
          error = thrown;
        }
        same(copies[1 - i].GraupelError.is(error), true, `GraupelError.is, an error of copy ${i}`);
      }
    },
  });
}

/** `graupel` has the core of WebAssembly, `pure` that of JavaScript. Returns what `check` resolves to. */
export function both(graupel, pure) {
  const cores = [graupel, pure];
  const names = ["WebAssembly", "JavaScript"];
  const results = [
    run({ core: () => same(String(cores.map(coreOf)), String(names), "cores") }),
    ...cores.map(checkAlphabets),
    shared(cores),
  ];
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  return { core: "both", passed, failed: results.flatMap(({ failed }) => failed) };
}
