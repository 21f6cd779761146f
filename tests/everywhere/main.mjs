// `npm run test:everywhere`: takes the packed package through real hosts, and prints one table.
//
//     npm run test:everywhere -- --quick          Node, workerd, Chromium, Jest and two bundlers
//     npm run test:everywhere -- --only <text>    rows whose host or way of loading contains the text
//     npm run test:everywhere -- --list           lists the rows
//     npm run test:everywhere -- --write          writes the table of www/docs/platforms.md, after a whole run

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../../xtask/build.mjs";
import { fromRoot, Refusal, runAsProgram } from "../../xtask/lib/process.mjs";
import { say } from "../../xtask/lib/progress.mjs";
import { writeSection } from "../../xtask/lib/section.mjs";
import { setup } from "../../xtask/setup.mjs";
import { everywhere, here } from "./lib/places.mjs";
import { makeProject } from "./lib/project.mjs";
import { endAll } from "./lib/run.mjs";
import { summaryOf, tableOf, wordsOf } from "./lib/table.mjs";
import { installTools, Skipped } from "./lib/tools.mjs";

/** The families of hosts, in the order of the table. */
const ORDER = [
  "node",
  "runtimes",
  "sqlite",
  "workers",
  "cloudflare",
  "hermes",
  "browsers",
  "bundlers",
  "next",
  "frameworks",
  "jest",
  "installers",
  "peers",
  "typescript",
  "wasm-bindgen-test",
];

const placeOf = (file) => ORDER.indexOf(file.replace(".mjs", ""));

async function allRows() {
  const files = readdirSync(join(here, "hosts")).sort((a, b) => placeOf(a) - placeOf(b));
  const families = await Promise.all(files.map((file) => import(pathToFileURL(join(here, "hosts", file)))));
  return families.flatMap(({ rows }) => rows);
}

/** Lines of a failure's message that are printed; table.json has them all. */
const LINES = 6;

const nameOf = ({ host, how }) => `${host}, ${how}`;

function chosenOf(rows, { quick, only }) {
  const wanted = (row) => nameOf(row).toLowerCase().includes(only.toLowerCase());
  const chosen = rows.filter((row) => (!quick || row.quick) && (only === undefined || wanted(row)));
  if (chosen.length === 0) throw new Refusal(`no row contains "${only}"; --list has them all`);
  return chosen;
}

/** Runs one row. What it throws is a failure of that row, not of the run. */
async function runRow(row) {
  const since = performance.now();
  const { host, how, core, run } = row;
  const known = { host, how, expected: core, version: "", core: "", passed: 0, failed: [] };
  const seconds = () => Math.round((performance.now() - since) / 100) / 10;
  try {
    return { ...known, ...(await run()), seconds: seconds() };
  } catch (error) {
    if (error instanceof Skipped) return { ...known, skipped: error.message, seconds: seconds() };
    const message = error.stack !== undefined && error.message === "" ? error.stack : error.message;
    return { ...known, failed: [{ name: "run", message }], seconds: seconds() };
  }
}

async function main() {
  const flag = { type: "boolean" };
  const options = { quick: flag, list: flag, write: flag, only: { type: "string" } };
  const { values } = parseArgs({ options });
  if (values.write && (values.quick || values.only !== undefined))
    throw new Refusal("--write needs a whole run");
  const rows = chosenOf(await allRows(), values);
  if (values.list) {
    for (const row of rows) say(`${row.quick ? "quick  " : "       "}${nameOf(row)} (${row.core})`);
    return 0;
  }
  // An interrupted run leaves nothing behind: the hosts' programs are in groups of their own.
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      endAll();
      process.exit(1);
    });
  }
  const since = performance.now();
  await setup("tests/js");
  await build();
  await installTools(rows.every(({ quick }) => quick));
  const tarball = await makeProject();
  say(`\n${tarball}, ${rows.length} rows`);
  const results = [];
  try {
    for (const [i, row] of rows.entries()) {
      const result = await runRow(row);
      results.push(result);
      say(`  ${String(i + 1).padStart(3)}  ${nameOf(row)}: ${wordsOf(result)}, ${result.seconds} s`);
      for (const { name, message } of result.failed.slice(0, 5)) {
        say(`         ${name}: ${message.split("\n").slice(0, LINES).join("\n           ")}`);
      }
    }
  } finally {
    endAll();
  }
  const seconds = Math.round((performance.now() - since) / 1000);
  const { version } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
  mkdirSync(everywhere, { recursive: true });
  const table = { version, seconds, rows: results };
  writeFileSync(join(everywhere, "table.json"), `${JSON.stringify(table, null, 2)}\n`);
  say(`\n${tableOf(results)}\n`);
  if (values.write) writeSection("www/docs/platforms.md", "platforms", summaryOf(results));
  const red = results.filter(({ failed }) => failed.length > 0).length;
  const skipped = results.filter((result) => result.skipped !== undefined).length;
  say(`${results.length - red - skipped} rows passed, ${red} failed, ${skipped} skipped, in ${seconds} s`);
  return red === 0 ? 0 : 1;
}

await runAsProgram(import.meta.url, main);
