// Loads two copies of the package in one process. The copies share each identity's state, so they
// never issue the same ID. This file is a plain ES module, like checks.mjs.

import { ascending, checkEntries, coreOf, FORMATS } from "./checks.mjs";
import { same, tally } from "./entries.mjs";

/** The number of IDs from each copy. */
const EACH = 200;

/** Generates IDs from the copies in turn. */
function inTurn(copies, { make, fixed }) {
  const generators = copies.map((graupel) => make(graupel).generator(fixed));
  const ids = Array.from({ length: EACH * copies.length }, (_, i) => generators[i % copies.length].next());
  ascending(ids, "in turn");
  ascending([...ids, ...generators.flatMap((generator) => generator.nextMany(EACH))], "batches");
}

/**
 * `copies`: one with the WebAssembly core and one with the JavaScript core. Returns the same result
 * as `check`.
 */
export function both(copies) {
  const result = { core: "both", passed: 0, failed: [] };
  tally(result, "core", () => {
    const expected = copies.map((_, i) => ["WebAssembly", "JavaScript"][i % 2]);
    same(String(copies.map(coreOf)), String(expected), "cores");
  });
  for (const [name, format] of Object.entries(FORMATS))
    tally(result, `${name}: copies in turn`, () => inTurn(copies, format));
  tally(result, "sno: one partition by default", () => {
    const ids = copies.map(({ sno }) => sno.next());
    ascending(ids, "sno.next");
    const partitions = ids.map((id) => copies[0].sno.inspect(id).partition);
    same(new Set(partitions).size, 1, "partitions");
  });
  for (const [i, graupel] of copies.entries()) {
    tally(result, "errors of each other", () => {
      try {
        graupel.discord.parse("x");
      } catch (error) {
        for (const { GraupelError } of copies) same(GraupelError.is(error), true, `an error of copy ${i}`);
        return;
      }
      throw new Error("it is not refused");
    });
    checkEntries(graupel, result);
  }
  return result;
}
