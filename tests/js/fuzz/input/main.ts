/**
 * Gives bad input to every public call of every format and generator, from a seed:
 *
 *     npm run hostile -- --count 10000000 --seed 1
 *
 * A call must end in a GraupelError that says what is wrong, in the caller's own exception, or in a result that the reference confirms.
 * Prints the calls and their outcomes, and for each property that does not hold the smallest case that was found, with the command that
 * repeats it. Exits with 1 if there was one, or if something never happened in a run that is long enough.
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { seedOfRun } from "../../support/seed.ts";
import { originOf } from "./marked.ts";
import { missing, picture, tally } from "./outcomes.ts";
import { type Part, propertiesOf } from "./properties.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    seed: { type: "string" },
    only: { type: "string" },
    round: { type: "string", default: "0" },
    path: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  process.stdout.write(
    "npm run hostile -- [--count <calls>] [--seed <0 to 4294967295>] [--only <property>]\n",
  );
  process.exit(0);
}
const refuse = (what: string): never => {
  process.stderr.write(`${what}\n`);
  process.exit(2);
};
const whole = (name: string, text: string, max: number): number =>
  /^\d+$/.test(text) && Number(text) <= max
    ? Number(text)
    : refuse(`--${name}: expected an integer of 0 to ${max}, got ${text}`);
const count = whole("count", values.count, 2 ** 40);
const firstRound = whole("round", values.round, 2 ** 40);
const seed = values.seed === undefined ? seedOfRun() : whole("seed", values.seed, 2 ** 32 - 1);
const { only, path } = values;
const properties = propertiesOf(seed);
const chosen = [...properties].filter(([name]) => only === undefined || name === only);
if (chosen.length === 0 || (path !== undefined && only === undefined)) {
  refuse(`--only: expected one of ${[...properties.keys()].join(", ")}`);
}

/** Calls from which on everything must have happened. */
const ENOUGH = 20_000;
// At once, because a call that hangs cannot say so.
process.stdout.write(`seed: ${seed}\n\n`);

// Half of the calls end in an error, and the stack is its main cost.
Error.stackTraceLimit = 4;
const failures = new Map<string, string>();
let ofListeners = 0;
// An exception of a listener while calls wait is uncaught: its own, or a defect.
process.on("uncaughtException", (error) => {
  ofListeners++;
  if (originOf(error) !== "callback") {
    failures.set("uncaught", error instanceof Error ? String(error.stack) : picture(error));
  }
});

/** An error's message, and those of its causes. */
const reason = (error: unknown): string =>
  error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : [reason(error.cause)])].join("\n    ")
    : picture(error);

async function check(name: string, { property, cases }: Part, round: number): Promise<void> {
  const repeated = path === undefined ? {} : { path, endOnFailure: true };
  const before = tally.cases;
  const found = await fc.check(property, { seed: (seed + round) % 2 ** 32, numRuns: cases, ...repeated });
  if (found.failed) {
    const again = `--seed ${seed} --round ${round} --only ${name} --path ${found.counterexamplePath}`;
    const shrunk = `${name}, after ${before} calls, ${found.numRuns} cases and ${found.numShrinks} steps to a smaller one:`;
    failures.set(name, `${shrunk}\n    ${reason(found.errorInstance)}\n  npm run hostile -- ${again}`);
  }
}

const since = performance.now();
const seconds = () => (performance.now() - since) / 1000;
const isTerminal = process.stderr.isTTY === true;
let said = since;
function progress(round: number): void {
  if (performance.now() - said < (isTerminal ? 200 : 10_000)) {
    return;
  }
  said = performance.now();
  const rate = Math.round(tally.cases / seconds()).toLocaleString("en");
  const line = `${((tally.cases / count) * 100).toFixed(1)} %, ${tally.cases.toLocaleString("en")} calls, round ${round}, ${rate} a second`;
  process.stderr.write(isTerminal ? `\r${line}  ` : `${line}\n`);
}

const goesOn = () => tally.cases < count && failures.size === 0 && path === undefined;
try {
  for (let round = firstRound; round === firstRound || goesOn(); round++) {
    for (const [name, part] of chosen) {
      await check(name, part, round);
      // In a turn of the event loop, the engine frees collected memory.
      await new Promise((resolve) => setImmediate(resolve));
      progress(round);
    }
  }
} catch (error) {
  failures.set("the tests themselves", error instanceof Error ? String(error.stack) : picture(error));
}
// Pending timers, including exceptions of listeners.
await new Promise((resolve) => setTimeout(resolve, 50));

const n = (value: number) => value.toLocaleString("en").padStart(12);
const isWhole = count >= ENOUGH && only === undefined && failures.size === 0;
const lacking = isWhole ? missing() : [];
process.stdout.write(
  [
    `${isTerminal ? "\n" : ""}${"call".padEnd(22)}       calls     results    refusals  caller's own`,
    ...[...tally.calls]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([call, row]) => `${call.padEnd(20)}${n(row.cases)}${n(row.value)}${n(row.refusal)}${n(row.own)}`),
    "",
    "codes:",
    ...[...tally.codes].sort().map(([code, count]) => `  ${code.padEnd(20)}${n(count)}`),
    "",
    `${tally.cases.toLocaleString("en")} calls in ${seconds().toFixed(0)} s`,
    `exceptions of listeners that reached nobody else: ${ofListeners}`,
    ...lacking.map((what) => `never happened: ${what}`),
    ...failures.values(),
    `defects: ${failures.size}`,
    "",
  ].join("\n"),
);
process.exit(failures.size + lacking.length > 0 ? 1 : 0);
