// `npm run test:leases`: leases on real servers, with real processes.
//
//     npm run test:leases -- --only <text>    stories whose names, or whose servers, contain the text
//     npm run test:leases -- --need           a server that is missing is a failure, as it is where CI is set
//     npm run test:leases -- --built          the package as it was built the last time

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../../xtask/build.mjs";
import { fromRoot, Refusal, run, runAsProgram } from "../../xtask/lib/process.mjs";
import { say } from "../../xtask/lib/progress.mjs";
import { setup } from "../../xtask/setup.mjs";
import { within } from "../everywhere/lib/run.mjs";
import { installIn } from "../everywhere/lib/tools.mjs";
import { installed } from "./lib/install.mjs";
import { here, tools } from "./lib/places.mjs";
import { stories } from "./lib/story.mjs";
import { awaited } from "./lib/time.mjs";

const filesIn = (room) =>
  readdirSync(join(here, room))
    .filter((file) => file.endsWith(".mjs"))
    .sort();
const load = (room, file) => import(pathToFileURL(join(here, room, file)));

/** Servers whose stories run at the same time: they mostly wait, but a machine has two processors. */
const LANES = 3;

/** The longest that a story may take, in seconds. It ends a hang, and decides nothing else. */
const LIMIT = 900;

/** Plays one story. */
async function play({ name, server, work }) {
  const since = performance.now();
  const took = () => (performance.now() - since) / 1000;
  const afterwards = [];
  const waits = new Set();
  try {
    const ending = awaited.run(waits, () => work((end) => afterwards.push(end)));
    return { name, server, remark: await within(LIMIT, "the story did not end", ending), seconds: took() };
  } catch (error) {
    const more = [...waits].map(
      (what) => `it waited for this: ${typeof what === "function" ? what() : what}`,
    );
    return { name, server, failed: [error.stack ?? error, ...more].join("\n"), seconds: took() };
  } finally {
    for (const end of afterwards.reverse())
      await Promise.resolve()
        .then(end)
        .catch(() => {});
  }
}

function tell({ name, server, failed, skipped, remark, seconds }) {
  const mark = failed !== undefined ? "FAILED" : skipped !== undefined ? "skipped" : "passed";
  say(`  ${mark.padEnd(8)}${server.padEnd(11)}${name}, ${seconds.toFixed(1)} s`);
  const more = failed ?? skipped ?? remark;
  if (more !== undefined) say(`            ${more.replaceAll("\n", "\n            ")}`);
}

async function main() {
  const flag = { type: "boolean" };
  const { values } = parseArgs({ options: { only: { type: "string" }, need: flag, built: flag } });
  const isNeeded = values.need || process.env.CI === "true";
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const since = performance.now();
  await setup("bench", "tests/js", "tests/www");
  if (!values.built) {
    await build();
    // Some stories run tests of the package.
    await run(process.execPath, [fromRoot("xtask", "suites.mjs"), "pack"]);
  }
  await installIn(here, tools, { what: "the clients of stores" });
  for (const file of filesIn("stories")) await load("stories", file);
  const wanted = ({ name, server }) =>
    `${server}: ${name}`.toLowerCase().includes((values.only ?? "").toLowerCase());
  const chosen = stories.filter(wanted);
  if (chosen.length === 0) throw new Refusal(`no story contains "${values.only}"`);
  const missing = {};
  for (const server of new Set(chosen.map((it) => it.server))) {
    missing[server] = await installed(await load("servers", `${server}.mjs`), isNeeded);
  }
  const results = [];
  /** One story after the other. */
  async function runAll(some) {
    for (const one of some) {
      const { name, server } = one;
      const absent = missing[server];
      const not = { name, server, seconds: 0 };
      const lacked = one.lacks();
      const result =
        absent !== undefined
          ? { ...not, [isNeeded ? "failed" : "skipped"]: absent }
          : lacked !== undefined
            ? { ...not, skipped: lacked }
            : await play(one);
      tell(result);
      results.push(result);
    }
  }
  const servers = Object.keys(missing);
  const lane = async () => {
    for (let server = servers.shift(); server !== undefined; server = servers.shift())
      await runAll(chosen.filter((one) => one.server === server && !one.isAlone));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await runAll(chosen.filter(({ isAlone }) => isAlone));
  const failed = results.filter((result) => result.failed !== undefined);
  const skipped = results.filter((result) => result.skipped !== undefined);
  const passed = results.length - failed.length - skipped.length;
  const seconds = Math.round((performance.now() - since) / 1000);
  say(`\n${passed} passed, ${failed.length} failed, ${skipped.length} skipped, in ${seconds} s`);
  for (const { server, name } of failed) say(`  FAILED  ${server}: ${name}`);
  return failed.length === 0 ? 0 : 1;
}

await runAsProgram(import.meta.url, main);
// What a failed story has left open would keep this process.
process.exit();
