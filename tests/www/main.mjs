// `npm run test:www`: uses the built site as a person would, in Chromium, Firefox and WebKitGTK.
//
//     npm run test:www -- --only <text>       tests whose names contain the text
//     npm run test:www -- --browser firefox   one browser
//     npm run test:www -- --built             the site as it was built the last time

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { buildSite, site } from "../../www/build.mjs";
import { Refusal, runAsProgram } from "../../xtask/lib/process.mjs";
import { say } from "../../xtask/lib/progress.mjs";
import { setup } from "../../xtask/setup.mjs";
import { BROWSERS } from "../everywhere/lib/browser.mjs";
import { within } from "../everywhere/lib/run.mjs";
import { fromDebian, Skipped } from "../everywhere/lib/tools.mjs";
import { Person } from "./lib/person.mjs";
import { here, pictures } from "./lib/places.mjs";
import { startPuppeteer } from "./lib/puppeteer.mjs";
import { serve } from "./lib/server.mjs";
import { tests } from "./lib/test.mjs";
import { DRIVER, startWebKit } from "./lib/webkit.mjs";

const starts = {
  Chromium: () => startPuppeteer("Chromium"),
  Firefox: () => startPuppeteer("Firefox"),
  WebKitGTK: startWebKit,
};

/** The reader's zone: not UTC, so that a time in the one is never one in the other. Browsers take it over when they start. */
process.env.TZ = "America/St_Johns";

/** Browsers that run at the same time: a machine has two processors at least. */
const LANES = [["Chromium"], ["Firefox", "WebKitGTK"]];

/** Lines of a failure's message that are printed, and characters of a line. */
const LINES = 12;
const WIDTH = 240;

const shortened = (line) => (line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line);

/** Installs a browser on Debian, unless it is there. */
async function installBrowser(name) {
  const { debian, file, also = {} } = BROWSERS[name];
  await fromDebian(file, debian);
  for (const [needed, packageName] of Object.entries(also)) await fromDebian(needed, packageName);
  if (name === "WebKitGTK") await fromDebian(DRIVER, "webkit2gtk-driver");
}

/** The longest that a test may take, in seconds. It ends a hang, and decides nothing else. */
const LIMIT = 600;

async function runTest({ name, work }, driver) {
  const since = performance.now();
  const server = await serve(site);
  const person = new Person(driver, server);
  const result = { name, browser: driver.name };
  try {
    await driver.theme("light");
    await driver.fresh(server.origin);
    await driver.resize(1280, 900);
    result.remark = await within(LIMIT, "the test did not end", work(person));
    const problems = await person.problems();
    if (problems.length > 0) result.failed = problems.join("\n");
  } catch (error) {
    if (error instanceof Skipped) result.skipped = error.message;
    else {
      const more = [person.awaited, ...(await person.problems().catch(() => []))];
      result.failed = [error.stack ?? error, ...more].join("\n");
      const file = join("failed", `${driver.name}, ${name}.png`.replaceAll("/", " "));
      await person.screenshot(file).catch(() => {});
    }
  } finally {
    person.leave();
    await server.close();
  }
  return { ...result, seconds: (performance.now() - since) / 1000 };
}

function tell({ name, browser, failed, skipped, remark, seconds }) {
  const mark = failed !== undefined ? "FAILED" : skipped !== undefined ? "skipped" : "passed";
  say(`  ${mark.padEnd(8)}${browser.padEnd(11)}${name}, ${seconds.toFixed(1)} s`);
  if (remark !== undefined && failed === undefined)
    say(`            ${remark.replaceAll("\n", "\n            ")}`);
  if (skipped !== undefined) say(`            ${skipped}`);
  if (failed !== undefined)
    say(`            ${failed.split("\n", LINES).map(shortened).join("\n            ")}`);
}

/** Tests of one browser, which starts once. `absent`: why it cannot. */
async function runBrowser(name, mine, absent) {
  if (mine.length === 0) return [];
  if (absent !== undefined) {
    const results = mine.map((test) => ({ name: test.name, browser: name, skipped: absent, seconds: 0 }));
    for (const result of results) tell(result);
    return results;
  }
  let driver = await starts[name]();
  say(`\n${name} ${driver.version}, ${mine.length} tests`);
  const results = [];
  try {
    for (const test of mine) {
      const result = await runTest(test, driver);
      tell(result);
      results.push(result);
      if (result.failed !== undefined) {
        // The browser itself may have ended, or hang: the next test gets a new one.
        await within(30, "the browser did not end", driver.close()).catch(() => {});
        driver = await starts[name]();
      }
    }
  } finally {
    await driver.close();
  }
  return results;
}

/** All tests of some browsers, side by side. */
async function runAll(browsers, chosen) {
  const absent = {};
  for (const name of browsers) {
    try {
      await installBrowser(name);
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      absent[name] = error.message;
    }
  }
  const of = (name) => chosen.filter(({ only }) => only === undefined || only.includes(name));
  const run = async (names) => {
    const results = [];
    for (const name of names.filter((name) => browsers.includes(name)))
      results.push(...(await runBrowser(name, of(name), absent[name])));
    return results;
  };
  return (await Promise.all(LANES.map(run))).flat();
}

async function main() {
  const options = { only: { type: "string" }, browser: { type: "string" }, built: { type: "boolean" } };
  const { values } = parseArgs({ options });
  const named = (name) => name.toLowerCase().startsWith((values.browser ?? "").toLowerCase());
  const browsers = Object.keys(starts).filter(named);
  if (browsers.length === 0) throw new Refusal(`there is no browser "${values.browser}"`);
  // An interrupted run leaves no browser behind: they end when this process exits.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const since = performance.now();
  await setup("tests/js", "tests/www", "www");
  if (!values.built) await buildSite();
  for (const file of readdirSync(join(here, "tests")).sort())
    await import(pathToFileURL(join(here, "tests", file)));
  const wanted = ({ name }) => name.toLowerCase().includes((values.only ?? "").toLowerCase());
  const chosen = tests.filter(wanted);
  if (chosen.length === 0) throw new Refusal(`no test's name contains "${values.only}"`);
  rmSync(join(pictures, "failed"), { recursive: true, force: true });
  const results = await runAll(browsers, chosen);
  const failed = results.filter((result) => result.failed !== undefined);
  const skipped = results.filter((result) => result.skipped !== undefined);
  const passed = results.length - failed.length - skipped.length;
  const seconds = Math.round((performance.now() - since) / 1000);
  say(`\n${passed} passed, ${failed.length} failed, ${skipped.length} skipped, in ${seconds} s`);
  for (const { browser, name } of failed) say(`  FAILED  ${browser}: ${name}`);
  say(`pictures: ${pictures}`);
  return failed.length === 0 ? 0 : 1;
}

await runAsProgram(import.meta.url, main);
