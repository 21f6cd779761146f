/**
 * Checks that memory does not grow: after each kind of work, the process must hold no more than before.
 *
 *     npm run test:long -- memory [--share 0.01] [--only <part of a name>]
 *
 * The whole is 100 million IDs, some millions of generators, and texts, batches and arguments of many megabytes; `--share` does a part
 * of that. Only one module may be compiled, although every entry of the package is used. Exits with 1 if a check fails.
 *
 * It uses the package that `npm test` unpacks, like the other tests. Needs `node --expose-gc`.
 */
import { parseArgs } from "node:util";
import { ATTEMPTS, excess, type Held, SLACK, settle } from "./measure.ts";
import { seen } from "./modules.ts";
import { all, leak, type Work } from "./work.ts";

const { values } = parseArgs({
  options: {
    share: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    /** Leaks on purpose, to test that a leak is noticed. */
    leak: { type: "boolean", default: false },
  },
});
const share = Number(values.share);
if (!(share > 0 && share <= 1)) {
  console.error(`--share: expected a number above 0 and at most 1, got ${values.share}`);
  process.exit(2);
}

/** The part of the work that is done before the first measurement, so that everything made only once exists. */
const WARM_UP = 0.1;
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} kB`;
const started = performance.now();
const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
const faults: string[] = [];

async function look({ name, count, run }: Work): Promise<void> {
  await run(Math.min(count, Math.max(count * WARM_UP, 20_000)));
  let before = await settle();
  for (let attempt = 1; ; attempt++) {
    await run(count);
    const after = await settle();
    const parts = Object.keys(SLACK) as (keyof Held)[];
    const changes = parts.map((part) => `${part} ${kilobytes(after[part] - before[part])}`).join(", ");
    const grown = excess(before, after);
    const remark = grown.length === 0 ? "" : attempt < ATTEMPTS ? "; once more" : "; GROWN";
    console.log(`${seconds()}  ${count.toLocaleString("en")} ${name}: ${changes}${remark}`);
    if (grown.length === 0) return;
    if (attempt === ATTEMPTS) {
      faults.push(`${name}: ${grown.join(" and ")} grew ${ATTEMPTS} times`);
      return;
    }
    before = after;
  }
}

const works = values.leak ? [leak(300_000)] : all(share);
for (const work of works.filter(({ name }) => name.includes(values.only))) {
  await look(work);
}

const memory = seen.memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
console.log(
  `\nmodules compiled: ${seen.compiled.length}, instantiated: ${seen.memories.length}, memory ${kilobytes(memory)}`,
);
if (seen.compiled.length !== 1 || seen.memories.length !== 1) {
  faults.push("not exactly one module");
}
for (const fault of faults) {
  console.log(`FAULT: ${fault}`);
}
console.log(faults.length === 0 ? "nothing has grown" : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
