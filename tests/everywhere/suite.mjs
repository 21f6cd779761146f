// Runs the packed package in real hosts.

import { build as buildPackage } from "../../xtask/build.mjs";
import { Refusal } from "../../xtask/lib/process.mjs";
import { writeSection } from "../support/section.mjs";
import { folder, makeProject, resultIn } from "./lib/project.mjs";
import { summaryOf, wordsOf } from "./lib/table.mjs";
import { installTools, Skipped } from "./lib/tools.mjs";

export const workspaces = ["tests/www"];
export const options = { quick: { type: "boolean" }, write: { type: "boolean" } };
export const build = buildPackage;

/** The families of hosts, in the order of the table. */
const FAMILIES = [
  "runtimes",
  "edge",
  "hermes",
  "browsers",
  "bundlers",
  "next",
  "jest",
  "installers",
  "typescript",
];

/** The results of the rows, in order. */
const results = [];

export async function prepare(chosen) {
  await installTools(chosen.every(({ quick }) => quick));
  await makeProject();
}

/**
 * Makes a test from a row. It fails if a check in the host fails. `files`: returns the files of the
 * row's folder, which is below `room` of the run's folder. `run`: gets the folder and returns the
 * result, or the output that contains it. `version`: returns the host's version, if the result does
 * not contain it.
 */
function testOf({ host, how, core, quick, room = "project", files = () => ({}), version, run }) {
  async function runRow() {
    const known = { host, how, expected: core, version: "", core: "", passed: 0, failed: [] };
    try {
      const found = await run(folder(`../${room}/${host} ${how}`, files()));
      const result = { ...known, ...(typeof found === "string" ? resultIn(found) : found) };
      if (version !== undefined) result.version = await version();
      results.push(result);
      if (result.failed.length === 0) return wordsOf(result);
    } catch (error) {
      if (error instanceof Skipped) results.push({ ...known, skipped: error.message });
      else results.push({ ...known, failed: [{ name: "run", message: error.message || error.stack }] });
      throw error;
    }
    throw results
      .at(-1)
      .failed.map(({ name, message }) => `${name}: ${message}`)
      .join("\n");
  }
  return { group: host, name: how, lane: "rows", quick, run: runRow };
}

export async function tests({ quick, write, only }) {
  if (write && (quick || only.length > 0)) throw new Refusal("--write needs a whole run");
  const families = await Promise.all(FAMILIES.map((name) => import(`./hosts/${name}.mjs`)));
  const rows = families.flatMap(({ rows }) => rows).filter((row) => !quick || row.quick);
  return rows.map(testOf);
}

export function finish({ write }) {
  if (write) writeSection("www/docs/platforms.md", "platforms", summaryOf(results));
}
