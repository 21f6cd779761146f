/**
 * `npm run test:long -- leases` runs worlds (world.ts), one seed after another, until they have
 * issued the requested number of IDs. If a world fails, the command prints its seed and how to
 * repeat it.
 *
 *     npm run test:long -- leases --ids 1000000000
 *     npm run test:long -- leases --seed 7 --worlds 1
 *     npm run test:long -- leases --mistake "no interval"     a planted mistake, which must be found
 */
import { inspect, parseArgs } from "node:util";
import { seedOfRun } from "../../support/seed.ts";
import { Repeated } from "./issued.ts";
import { happen, MISTAKES, type Mistake } from "./world.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { ids: text, seed: text, worlds: text, mistake: text } });

function must(holds: boolean, name: keyof typeof values, what: string): void {
  if (holds) return;
  console.error(`--${name}: expected ${what}, got ${values[name]}`);
  process.exit(2);
}

function whole(name: "ids" | "seed" | "worlds", absent: number): number {
  const number = Number(values[name] ?? absent);
  must(Number.isSafeInteger(number) && number >= 0, name, "an integer from 0");
  return number;
}

const enough = whole("ids", 100_000_000);
const first = whole("seed", seedOfRun());
const end = first + whole("worlds", Number.MAX_SAFE_INTEGER - first);
const mistake = values.mistake as Mistake | undefined;
must(mistake === undefined || MISTAKES.includes(mistake), "mistake", `one of ${MISTAKES.join(", ")}`);

const began = performance.now();
let [ids, seed, failed] = [0, first, 0];
const tell = () => {
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${ids} IDs in ${seed - first} worlds from seed ${first}, ${seconds} s: ${failed} failed`);
};
for (; ids < enough && seed < end; seed++) {
  try {
    ids += (await happen({ seed, minutes: 5, batch: 2000, mistake })).ids;
  } catch (error) {
    failed++;
    const again = mistake === undefined ? "" : ` --mistake "${mistake}"`;
    const what = error instanceof Repeated ? error.message : inspect(error);
    console.log(`${what}\n  npm run test:long -- leases --seed ${seed} --worlds 1${again}`);
  }
  if ((seed - first) % 20 === 19) tell();
}
tell();
process.exit(failed === 0 ? 0 : 1);
