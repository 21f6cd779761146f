/**
 * Gives bad input to every public call of every format and generator, from a seed:
 *
 *     node --import tsx tests/js/fuzz/input/main.ts --count 10000000 --seed 1
 *
 * A call must end in a GraupelError, in the caller's own exception, or in a result that the reference confirms. Prints the calls and
 * their outcomes; exits with 1 if there was a defect.
 */
import { parseArgs } from "node:util";
import { seedOfRun } from "../../support/random.ts";
import { InputFuzz } from "./run.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    seed: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const whole = (name: string, text: string, max: number): number => {
  if (!/^\d+$/.test(text) || Number(text) > max) {
    process.stderr.write(`--${name}: expected an integer of 0 to ${max}, got ${text}\n`);
    process.exit(2);
  }
  return Number(text);
};
if (values.help) {
  process.stdout.write(
    "node --import tsx tests/js/fuzz/input/main.ts [--count <cases>] [--seed <0 to 4294967295>]\n",
  );
  process.exit(0);
}
const count = whole("count", values.count, 2 ** 40);
const seed = values.seed === undefined ? seedOfRun() : whole("seed", values.seed, 2 ** 32 - 1);

// Half of the cases end in an error, and the stack is its main cost.
Error.stackTraceLimit = 4;
const fuzz = new InputFuzz(seed);
// An exception of a listener while calls wait is uncaught: its own, or a defect.
process.on("uncaughtException", (error) => fuzz.uncaught(error));

const tty = process.stderr.isTTY === true;
const since = performance.now();
let said = since;
const seconds = () => (performance.now() - since) / 1000;
const progress = () => {
  if (performance.now() - said < (tty ? 200 : 10_000)) {
    return;
  }
  said = performance.now();
  const { cases, defects } = fuzz.outcomes;
  const rate = Math.round(cases / seconds()).toLocaleString("en");
  const line = `${((cases / count) * 100).toFixed(1)} %, ${cases.toLocaleString("en")} cases, ${rate} a second, ${defects.size} kinds of defects`;
  process.stderr.write(tty ? `\r${line}  ` : `${line}\n`);
};
try {
  await fuzz.run(count, progress);
} catch (error) {
  // A bug of the harness.
  process.stderr.write(`case ${fuzz.outcomes.cases}, seed ${seed}: ${(error as Error).stack}\n`);
  process.stdout.write(`${fuzz.report(seconds())}\n`);
  process.exit(3);
}
if (tty) {
  process.stderr.write("\n");
}
process.stdout.write(`${fuzz.report(seconds())}\n`);
process.exit(fuzz.outcomes.defects.size > 0 ? 1 : 0);
