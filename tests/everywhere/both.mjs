// Copies of the package in one process: they share each identity's state, so that together they repeat nothing. A plain ES
// module, as checks.mjs.

import { ascending, checkEntries, coreOf, FORMATS } from "./checks.mjs";
import { same, tally } from "./entries.mjs";

/** IDs of each copy. */
const EACH = 200;

/** Takes turns: an ID of the one, an ID of the next. */
function inTurn(copies, { make, fixed }) {
  const generators = copies.map((graupel) => make(graupel).generator(fixed));
  const ids = Array.from({ length: EACH * copies.length }, (_, i) => generators[i % copies.length].next());
  ascending(ids, "in turn");
  ascending([...ids, ...generators.flatMap((generator) => generator.nextMany(EACH))], "batches");
}

/** `copies`: with the core of WebAssembly and with that of JavaScript, in turn. Returns what `check` resolves to. */
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
