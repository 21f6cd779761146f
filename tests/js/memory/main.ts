/**
 * Checks that memory does not grow: after each kind of work, the process must not hold more than
 * before.
 *
 *     npm run test:long -- memory [--share 0.01] [--only <part of a name>]
 *
 * The full run creates 100 million IDs, some millions of generators, and texts, batches and
 * arguments of many megabytes; `--share` runs only a part of that. Only one module may be compiled,
 * although every entry of the package is used. Exits with 1 if a check fails.
 *
 * Like the other tests, it uses the package that `npm test` unpacks. It needs `node --expose-gc`.
 */
import { parseArgs } from "node:util";
import { type Held, held, seen, settle } from "./measure.ts";
import { all, leak, type Work } from "./work.ts";

const { values } = parseArgs({
  options: {
    share: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    /** Leaks on purpose, to test that leaks are detected. */
    leak: { type: "boolean", default: false },
  },
});
const share = Number(values.share);
if (!(share > 0 && share <= 1)) {
  console.error(`--share: expected a number above 0 and at most 1, got ${values.share}`);
  process.exit(2);
}

/**
 * How much the memory may grow. The engine's memory (compiled code, caches) changes by some tens of
 * kilobytes at any time, and sometimes by more. A leak grows with the work: the smallest one, a
 * reference of 8 bytes per operation, exceeds this limit after 32,768 operations. The shortest work
 * has more operations, or values of megabytes. The engine itself uses no WebAssembly memory, so
 * that must be the same to the byte.
 */
const SLACK: Held = { heap: 256 * 1024, external: 64 * 1024, wasm: 0 };
const PARTS = Object.keys(SLACK) as (keyof Held)[];

/**
 * How often work is repeated if memory has grown. A leak grows each time; the engine's memory does
 * not.
 */
const ATTEMPTS = 3;

/**
 * The share of the work that is done before the first measurement, to create everything that is
 * created only once.
 */
const WARM_UP = 0.1;
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} kB`;
const faults: string[] = [];

async function look({ name, count, run }: Work): Promise<void> {
  await run(Math.min(count, Math.max(count * WARM_UP, 20_000)));
  let before = await settle();
  for (let attempt = 1; ; attempt++) {
    await run(count);
    const after = await settle();
    const changes = PARTS.map((part) => `${part} ${kilobytes(after[part] - before[part])}`).join(", ");
    const grown = PARTS.filter((part) => after[part] - before[part] > SLACK[part]);
    const remark = grown.length === 0 ? "" : attempt < ATTEMPTS ? "; once more" : "; GROWN";
    const seconds = (performance.now() / 1000).toFixed(1);
    console.log(`${seconds} s  ${count.toLocaleString("en")} ${name}: ${changes}${remark}`);
    if (grown.length === 0) return;
    if (attempt === ATTEMPTS) {
      faults.push(`${name}: ${grown.join(" and ")} grew ${ATTEMPTS} times`);
      return;
    }
    before = after;
  }
}

const works = values.leak ? [leak(300_000)] : all(share);
for (const work of works.filter(({ name }) => name.includes(values.only))) await look(work);

const { compiled, memories } = seen;
console.log(
  `\nmodules compiled: ${compiled.length}, instantiated: ${memories.length}, memory ${kilobytes(held().wasm)}`,
);
if (compiled.length !== 1 || memories.length !== 1) faults.push("not exactly one module");
for (const fault of faults) console.log(`FAULT: ${fault}`);
console.log(faults.length === 0 ? "nothing has grown" : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
