// Leases on real servers with real processes.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build as buildPackage } from "../../xtask/build.mjs";
import { pack } from "../../xtask/suites.mjs";
import { installLibraries, systemHas } from "../everywhere/lib/tools.mjs";
import { BROWSERS, installationOf } from "../support/browsers.mjs";
import { limited } from "../support/run.mjs";
import { here } from "./lib/places.mjs";
import { stageOf, stories } from "./lib/story.mjs";
import { awaited } from "./lib/time.mjs";

export const workspaces = ["bench", "tests/www"];

/**
 * The number of servers whose stories run concurrently. They mostly wait, but a machine may have
 * only two processors.
 */
export const lanes = 3;

export async function build() {
  await buildPackage();
  // Some stories run the package's tests.
  await pack();
}

/** Makes a test from a story. */
function testOf({ server, name, work }) {
  async function run() {
    await systemHas(server in BROWSERS ? installationOf(server) : await import(`./servers/${server}.mjs`));
    const afterwards = [];
    const waits = new Set();
    try {
      return await limited(awaited.run(waits, () => work(stageOf(server, (end) => afterwards.push(end)))));
    } catch (error) {
      const wordsOf = (what) => `it waited for this: ${typeof what === "function" ? what() : what}`;
      throw new Error([error.stack ?? error, ...[...waits].map(wordsOf)].join("\n"), { cause: error });
    } finally {
      for (const end of afterwards.reverse()) await (async () => end())().catch(() => {});
    }
  }
  return { group: server, name, run };
}

export const prepare = () => installLibraries("stores");

export async function tests() {
  for (const file of readdirSync(join(here, "stories")).sort()) await import(`./stories/${file}`);
  return stories.map(testOf);
}
