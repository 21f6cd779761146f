// A process that makes IDs with a recipe: `node issuer.mjs <its file> <file for IDs>`. The recipe exports `ids`. Each ID is in the file before
// the next one is made.

import { openSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [recipe, file] = process.argv.slice(2);
const out = openSync(file, "a");
const { ids } = await import(pathToFileURL(recipe).href);

/** As many as two processes with one number would surely repeat in a millisecond. */
const BATCH = 20;

const issue = () => {
  try {
    for (let i = 0; i < BATCH; i++) writeSync(out, `${ids.next()}\n`);
  } catch (error) {
    if (!/^(LEASE_|OUTSIDE_INTERVAL)/.test(error.code)) throw error;
  }
};
// It does not keep alive a process that wants to end.
setInterval(issue, 1).unref();
