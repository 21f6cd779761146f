// Uses the built site like a user in Chromium, Firefox and WebKitGTK.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildSite, site } from "../../www/build.mjs";
import { Skipped, systemHas } from "../everywhere/lib/tools.mjs";
import { BROWSERS, installationOf, startBrowser } from "../support/browsers.mjs";
import { limited, within } from "../support/run.mjs";
import { Person, pictures } from "./lib/person.mjs";
import { serveSite } from "./lib/server.mjs";
import { tests as scripts } from "./lib/test.mjs";

export const workspaces = ["tests/www", "www"];
export const build = buildSite;

/** The number of browsers that run concurrently. The machine has at least two processors. */
export const lanes = 2;

/**
 * The user's time zone, which is not UTC, so that local and UTC times always differ. Browsers
 * inherit it when they start.
 */
process.env.TZ = "America/St_Johns";

/**
 * A browser, which starts once. After a failure, the next test gets a new one, because this one may
 * have exited or hang.
 */
class Browser {
  #driver;

  constructor(name, lane) {
    this.name = name;
    this.lane = lane;
  }

  async driver() {
    await systemHas(installationOf(this.name));
    // Two browsers in the same lane would slow each other down.
    for (const other of browsers) if (other !== this && other.lane === this.lane) await other.close();
    this.#driver ??= await startBrowser(this.name);
    return this.#driver;
  }

  async close() {
    const driver = this.#driver;
    this.#driver = undefined;
    if (driver) await within(30, "the browser did not end", driver.close()).catch(() => {});
  }
}

/** A file with a third of Chromium's tests. A second Chromium runs it, after the other browsers. */
const LONG = "quality.mjs";

const browsers = [
  new Browser("Chromium", "one"),
  ...Object.keys(BROWSERS)
    .filter((name) => name !== "Chromium")
    .map((name) => new Browser(name, "two")),
  new Browser("Chromium", "two"),
];

const runs = ({ name, lane }, test) =>
  test.browsers.includes(name) && (name !== "Chromium" || (lane === "two") === (test.file === LONG));

/** Makes a test of test.mjs for a browser. */
function testOf({ name, work }, browser) {
  async function run() {
    const driver = await browser.driver();
    const server = await serveSite(site);
    const person = new Person(driver, server);
    try {
      await driver.fresh(server.origin);
      await driver.resize(1280, 900);
      const remark = await limited(work(person));
      const problems = await person.problems();
      if (problems.length > 0) throw new Error(problems.join("\n"));
      return remark;
    } catch (error) {
      if (error instanceof Skipped) throw error;
      const more = [person.awaited, ...(await person.problems().catch(() => []))];
      const file = join("failed", `${driver.name}, ${name}.png`.replaceAll("/", " "));
      await person.screenshot(file).catch(() => {});
      await browser.close();
      throw new Error([error.stack ?? error, ...more, join(pictures, file)].join("\n"), { cause: error });
    } finally {
      person.leave();
      await server.stop();
    }
  }
  return { group: browser.name, name, lane: browser.lane, run };
}

export const prepare = () => rmSync(join(pictures, "failed"), { recursive: true, force: true });

export async function tests() {
  for (const file of readdirSync(join(import.meta.dirname, "tests")).sort()) {
    await import(`./tests/${file}`);
    for (const test of scripts) test.file ??= file;
  }
  return browsers.flatMap((browser) =>
    scripts.filter((test) => runs(browser, test)).map((test) => testOf(test, browser)),
  );
}

export const finish = () => Promise.all(browsers.map((browser) => browser.close()));
