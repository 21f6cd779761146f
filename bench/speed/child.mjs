// Measures in a separate process, so that the engine's threads and its optimization of other code
// have no influence: `node child.mjs turn '[…]'` calls `measure` of turn.mjs with these arguments,
// and prints the result.

import { fileURLToPath } from "node:url";
import { run } from "../../xtask/lib/process.mjs";

const program = fileURLToPath(import.meta.url);

/** Runs `measure` of a module in this directory with a given Node program. */
export async function apart(node, module, ...args) {
  return JSON.parse(await run(node, ["--expose-gc", program, module, JSON.stringify(args)]));
}

if (process.argv[1] === program) {
  const [module, args] = process.argv.slice(2);
  const { measure } = await import(`./${module}.mjs`);
  process.stdout.write(JSON.stringify(await measure(...JSON.parse(args))));
}
