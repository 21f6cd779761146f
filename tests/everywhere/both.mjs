// Both cores in one process: they share each identity's state, so that together they repeat nothing. A plain ES module, as
// checks.mjs.

import { ascending, checkAlphabets, coreOf, FORMATS, RANDOM_STEPS, same } from "./checks.mjs";

/** IDs of each core. */
const EACH = 200;

/** Takes turns: an ID of the one, an ID of the other. */
function inTurn(cores, name, { make, fixed }) {
  // A random step may leave the tick, which these formats refuse by default.
  const waiting = RANDOM_STEPS.includes(name) ? { sequenceFull: "wait" } : {};
  const generators = cores.map((graupel) => make(graupel).generator({ ...fixed, ...waiting }));
  const ids = Array.from({ length: 2 * EACH }, (_, i) => generators[i % 2].next());
  ascending(ids, "in turn");
  const [one, other] = generators.map((generator) => generator.nextMany(EACH));
  ascending([...ids, ...one, ...other], "batches");
}

/** `graupel` has the core of WebAssembly, `pure` that of JavaScript. Returns what `check` resolves to. */
export function both(graupel, pure) {
  const cores = [graupel, pure];
  const names = ["WebAssembly", "JavaScript"];
  const result = { core: "both", passed: 0, failed: [] };
  const one = (name, work) => {
    try {
      work();
      result.passed++;
    } catch (error) {
      result.failed.push({ name, message: String(error?.message ?? error) });
    }
  };
  one("core", () => same(String(cores.map(coreOf)), String(names), "cores"));
  for (const core of cores) {
    const { passed, failed } = checkAlphabets(core);
    result.passed += passed;
    result.failed.push(...failed);
  }
  for (const [name, format] of Object.entries(FORMATS)) {
    one(`${name}: both cores in turn`, () => inTurn(cores, name, format));
  }
  one("sno: one partition by default", () => {
    const [first, second] = cores.map(({ sno }) => sno.next());
    ascending([first, second], "sno.next");
    same(pure.sno.inspect(second).partition, graupel.sno.inspect(first).partition, "partition");
  });
  one("errors of each other", () => {
    for (const [i, { discord }] of cores.entries()) {
      try {
        discord.parse("x");
      } catch (error) {
        same(cores[1 - i].GraupelError.is(error), true, `GraupelError.is, an error of ${names[i]}`);
      }
    }
  });
  return result;
}
