// What is measured in a process of its own, so that neither the engine's threads nor what it has learnt of other code takes part:
// `node child.mjs turn '[…]'` calls `measure` of turn.mjs with these arguments, and prints what it returns.

import { fileURLToPath } from "node:url";
import { run } from "../../xtask/lib/process.mjs";

const program = fileURLToPath(import.meta.url);

/** Measures by a module of this directory, on a Node program. */
export async function apart(node, module, ...args) {
  return JSON.parse(await run(node, ["--expose-gc", program, module, JSON.stringify(args)]));
}

if (process.argv[1] === program) {
  const [module, args] = process.argv.slice(2);
  const { measure } = await import(`./${module}.mjs`);
  process.stdout.write(JSON.stringify(await measure(...JSON.parse(args))));
}
