/**
 * `npm run test:long -- leases`: worlds (world.ts), one seed after the other, until there are as many IDs as asked for. The seed of a world that fails is
 * printed, with the command that repeats it.
 *
 *     npm run test:long -- leases --ids 1000000000
 *     npm run test:long -- leases --seed 7 --worlds 1
 *     npm run test:long -- leases --mistake "no interval"     a mistake, which has to be found
 */
import { inspect, parseArgs } from "node:util";
import { seedOfRun } from "../../support/seed.ts";
import { Repeated } from "./issued.ts";
import { happen, MISTAKES, type Mistake } from "./world.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { ids: text, seed: text, worlds: text, mistake: text } });

function whole(name: "ids" | "seed" | "worlds", absent: number): number {
  const given = values[name];
  const number = given === undefined ? absent : Number(given);
  if (!Number.isSafeInteger(number) || number < 0) {
    console.error(`--${name}: expected an integer from 0, got ${given}`);
    process.exit(2);
  }
  return number;
}

const enough = whole("ids", 100_000_000);
const first = whole("seed", seedOfRun());
const most = whole("worlds", Number.MAX_SAFE_INTEGER);
const mistake = values.mistake as Mistake | undefined;
if (mistake !== undefined && !MISTAKES.includes(mistake)) {
  console.error(`--mistake: expected one of ${MISTAKES.join(", ")}, got ${mistake}`);
  process.exit(2);
}

const began = performance.now();
const seconds = () => Math.round((performance.now() - began) / 1000);
let ids = 0;
let worlds = 0;
let failed = 0;
let told = began;
for (let seed = first; ids < enough && worlds < most; seed++, worlds++) {
  try {
    const { ids: made } = await happen({ seed, minutes: 5, batch: 2000, mistake });
    ids += made;
  } catch (error) {
    failed++;
    const again = mistake === undefined ? "" : ` --mistake "${mistake}"`;
    const what = error instanceof Repeated ? error.message : inspect(error);
    console.log(`${what}\n  npm run test:long -- leases --seed ${seed} --worlds 1${again}`);
  }
  if (performance.now() - told > 5000) {
    told = performance.now();
    console.log(`${ids} of ${enough} IDs in ${worlds + 1} worlds, ${seconds()} s`);
  }
}
console.log(`${ids} IDs in ${worlds} worlds from seed ${first}, ${seconds()} s: ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
