// A process that generates IDs with a recipe: `node issuer.mjs <the recipe's file> <file for IDs>`.
// The recipe exports `ids`. The process writes each ID to the file before it generates the next one.

import { openSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [recipe, file] = process.argv.slice(2);
const out = openSync(file, "a");
const { ids } = await import(pathToFileURL(recipe).href);

/**
 * Enough IDs in a millisecond that two processes with the same number would certainly repeat one.
 */
const BATCH = 20;

const issue = () => {
  try {
    for (let i = 0; i < BATCH; i++) writeSync(out, `${ids.next()}\n`);
  } catch (error) {
    if (!/^(LEASE_|OUTSIDE_INTERVAL)/.test(error.code)) throw error;
  }
};
// The timer must not keep the process alive.
setInterval(issue, 1).unref();
