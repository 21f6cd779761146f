/**
 * Throws bad input at every public call of every format and generator, by seed:
 *
 *     node --import tsx tests/js/fuzz/input/main.ts --count 10000000 --seed 1
 *
 * Whatever is not refused by a GraupelError, or is not the caller's own exception coming back, must be right by the reference.
 * Prints what was called and how it ended; exits with 1 if there was a defect.
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

// Half of the cases end in an error, whose stack is what it costs.
Error.stackTraceLimit = 4;
const fuzz = new InputFuzz(seed);
// What a listener throws while calls wait is reported as any uncaught exception: its own, or a defect.
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
  // A mistake of the harness itself.
  process.stderr.write(`case ${fuzz.outcomes.cases}, seed ${seed}: ${(error as Error).stack}\n`);
  process.stdout.write(`${fuzz.report(seconds())}\n`);
  process.exit(3);
}
if (tty) {
  process.stderr.write("\n");
}
process.stdout.write(`${fuzz.report(seconds())}\n`);
process.exit(fuzz.outcomes.defects.size > 0 ? 1 : 0);
