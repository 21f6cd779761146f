/**
 * Gives bad input to every public call of every format and generator, from a seed:
 *
 *     npm run hostile -- --count 10000000 [--only stories] [--seed 1]
 *
 * A call must end in a GraupelError that says what is wrong, in the caller's own exception, or in a result that the reference confirms.
 * `--only` names the properties; the default is all of them. Prints the calls and their outcomes. Exits with 1 if there was a defect, or
 * if something never happened in a run that is long enough.
 */
import { searchAsTold } from "../search.ts";
import { originOf } from "./marked.ts";
import { missing, picture, tally } from "./outcomes.ts";
import { PARTS } from "./properties.ts";

/** Calls from which on everything must have happened. */
const ENOUGH = 20_000;

// Half of the calls end in an error, and the stack is its main cost.
Error.stackTraceLimit = 4;
const uncaught: unknown[] = [];
let ofListeners = 0;
// An exception of a listener while calls wait is uncaught: its own, or a defect.
process.on("uncaughtException", (error) => {
  ofListeners++;
  if (originOf(error) !== "callback") {
    uncaught.push(error);
  }
});

const { defects, isWhole, enough, seconds } = await searchAsTold("hostile", "count", PARTS);
// Pending timers, including exceptions of listeners.
await new Promise((resolve) => setTimeout(resolve, 50));

const found = defects + uncaught.length;
const lacking = isWhole && enough >= ENOUGH && found === 0 ? missing() : [];
console.table(Object.fromEntries([...tally.calls].sort()));
console.table(Object.fromEntries([...tally.codes].sort()));
console.log(
  [
    `${tally.total.toLocaleString("en")} calls in ${seconds()}`,
    `exceptions of listeners that reached nobody else: ${ofListeners}`,
    ...lacking.map((what) => `never happened: ${what}`),
    ...uncaught.map((error) => `uncaught: ${error instanceof Error ? error.stack : picture(error)}`),
    `defects: ${found}`,
  ].join("\n"),
);
process.exit(found + lacking.length > 0 ? 1 : 0);
