// The tests that need more than `npm test`: hosts, leases, integrations, and the site. This file
// registers them with node:test, and reporter.mjs prints them. No test runs twice.
//
//     npm run test:hosts                       all of them; also test:leases, test:integrations, test:site
//     npm run test:hosts -- --only <text>      tests whose names contain the text (if repeated, all texts)
//     npm run test:hosts -- --list             prints the names
//     npm run test:hosts -- --built            tests the last build
//     npm run test:hosts -- --need             fails if a server or a browser is missing, as in CI
//     npm run test:hosts -- --quick            only Node, workerd, Chromium, Jest and four bundlers
//     npm run test:hosts -- --write            writes the table of www/docs/platforms.md, after a full run
//
// As root on Debian, a missing server or browser is installed first.

import { after, before, describe, it } from "node:test";
import { parseArgs } from "node:util";
import { Refusal, runAsProgram } from "../xtask/lib/process.mjs";
import { say } from "../xtask/lib/progress.mjs";
import { setup } from "../xtask/setup.mjs";
import { Missing, Skipped } from "./everywhere/lib/tools.mjs";
import { notes } from "./reporter.mjs";

const ROOMS = { hosts: "everywhere", leases: "leases", integrations: "integrations", site: "www" };

/**
 * A file `suite.mjs` exports `workspaces` (the workspaces of package.json that it needs),
 * `build()`, `tests(options)` and, if necessary, `options` (more command-line options),
 * `prepare(tests)`, which runs before the selected tests, and `finish(options)`, which runs after
 * them. A test has `group`, `name` and `run`. The result of `run` is printed next to the name.
 * Tests in the same `lane` (by default, the group) run sequentially. `lanes` is the number of lanes
 * that run concurrently.
 */
const suiteOf = (room) => import(`./${ROOMS[room]}/suite.mjs`);

const titleOf = ({ group, name }) => `${group}: ${name}`;

/** Groups the tests by the result of `keyOf`, in the order of the first test of each group. */
function grouped(tests, keyOf) {
  const groups = new Map();
  for (const test of tests) groups.set(keyOf(test), [...(groups.get(keyOf(test)) ?? []), test]);
  return [...groups];
}

function register(test, isNeeded) {
  const title = titleOf(test);
  it(title, async (t) => {
    try {
      notes.set(title, await test.run());
    } catch (error) {
      if (!(error instanceof Skipped) || (error instanceof Missing && isNeeded)) throw error;
      t.skip(error.message);
    }
  });
}

async function main() {
  const [room, ...args] = process.argv.slice(2);
  if (!Object.hasOwn(ROOMS, room)) throw new Refusal(`node tests/run.mjs ${Object.keys(ROOMS).join("|")}`);
  const suite = await suiteOf(room);
  const { workspaces, options: own = {}, lanes = 1 } = suite;
  const flag = { type: "boolean" };
  const only = { type: "string", multiple: true, default: [] };
  const { values } = parseArgs({ args, options: { only, list: flag, built: flag, need: flag, ...own } });
  await setup("tests/js", ...workspaces);
  if (!values.built && !values.list) await suite.build();
  const all = await suite.tests(values);
  const isWanted = (test) =>
    values.only.every((text) => titleOf(test).toLowerCase().includes(text.toLowerCase()));
  const chosen = all.filter(isWanted);
  if (chosen.length === 0) throw new Refusal(`no test has "${values.only}" in its name; --list has them all`);
  if (values.list) {
    for (const test of chosen) say(titleOf(test));
    return;
  }
  const isNeeded = values.need || process.env.CI === "true";
  say(`\n${room}: ${chosen.length} tests`);
  describe(room, { concurrency: lanes }, () => {
    before(() => suite.prepare?.(chosen));
    for (const [lane, mine] of grouped(chosen, ({ lane, group }) => lane ?? group))
      describe(lane, { concurrency: 1 }, () => {
        for (const test of mine) register(test, isNeeded);
      });
    after(async () => {
      // Wait until the last test is printed.
      await new Promise(setImmediate);
      await suite.finish?.(values);
    });
  });
}

await runAsProgram(import.meta.url, main);
