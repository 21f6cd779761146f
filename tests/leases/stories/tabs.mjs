// Tabs and workers of one site, in each browser: there are four numbers.

import assert from "node:assert/strict";
import { browse, SETTLE_MS, TIMES } from "../lib/browser.mjs";
import { examples, partServer } from "../lib/guide.mjs";
import { judge, planted, seconds } from "../lib/judge.mjs";
import { story } from "../lib/story.mjs";
import { until, wait } from "../lib/time.mjs";

const BROWSERS = { chromium: "Chromium", firefox: "Firefox", webkitgtk: "WebKitGTK" };

/** A time to live that the suite can be run with: its checks run at the same time, and a new namespace takes a while. */
const CONFORMANCE_MS = 2500;

/** What is made while nothing happens, in milliseconds. */
const QUIET_MS = 1500;

/** A lease that ends later than a story may: nobody waits for that. */
const LONG = { ttlMs: 3_600_000, quarantineMs: 3_601_000 };

/** Workers in a tab of their own: browsers let them work on when their tab is hidden. */
async function workers(site, count) {
  await site.page();
  for (let i = 0; i < count; i++) await site.worker("dedicated");
  await site.holding(4, "with workers");
}

/** A tab, and workers that hold the other numbers. `more`: workers that wait for one. */
async function fullSite(name, afterwards, { more = 0, ...options }) {
  const site = await browse(name, afterwards, options);
  const tab = await site.tab();
  await site.holding(1, "after the start");
  await workers(site, 3 + more);
  return { site, tab };
}

/** The suite, in a page. */
async function conforms(name, afterwards) {
  const site = await browse(name, afterwards);
  await site.page();
  const start = "(ttlMs) => void conform(ttlMs).then((result) => { globalThis.conformed = result; })";
  await site.driver.evaluate(start, [CONFORMANCE_MS]);
  let result;
  const isDone = async () => {
    result = await site.driver.evaluate("() => globalThis.conformed ?? null", []);
    return result !== null;
  };
  await until(isDone, "the suite ends");
  if (result.failed.length > 0) throw new Error(result.failed.join("\n"));
  return `${result.count} checks`;
}

/** The examples of the guide, in one page each. */
async function guided(name, afterwards) {
  const site = await browse(name, afterwards, { partFor: await partServer() });
  const all = examples();
  if (all.length < 2) throw new Error(`${all.length} examples`);
  for (const { module, printed } of all) {
    await site.page();
    const lines = await site.driver.evaluate(RUN, [module]);
    assert.deepEqual(lines, printed);
  }
  return `${all.length} examples`;
}

/** Runs in the page: a module. Gives what it prints. */
const RUN = `async (module) => {
  const lines = [];
  console.log = (...values) => lines.push(values.join(" "));
  await import(URL.createObjectURL(new Blob([module], { type: "text/javascript" })));
  return lines;
}`;

/** A tab is duplicated: the new one begins with a copy of its storage. */
async function duplicated(name, afterwards) {
  const site = await browse(name, afterwards);
  const tab = await site.tab();
  await site.holding(1, "after the start");
  const copy = await site.worker("duplicate");
  await site.holding(2, "with the duplicate");
  if (tab.number === copy.number) throw new Error(`both have number ${tab.number}`);
  return site.finish(QUIET_MS);
}

/** Two tabs and three workers of a site that the browser does not know. */
async function together(name, afterwards) {
  const site = await browse(name, afterwards);
  const pages = [await site.page(), await site.page()];
  const [first] = [await site.hold(pages[0]), await site.hold(pages[1])];
  const start = await site.holding(2, "after the start");
  await site.worker("dedicated");
  await site.worker("shared");
  await site.holding(4, "with two workers");
  await site.close(first);
  await site.driver.useTab(pages[1]);
  await site.worker("service");
  await site.holding(4, "with a service worker, without the first tab");
  return `${judge(await site.finish(QUIET_MS))}; the first after ${seconds(start)}`;
}

/** A tab is closed, and another one opened. */
async function closed(name, afterwards) {
  // WebKit writes nothing more for a page that ends, and Firefox stops scripts of a tab that is closed.
  const gives = name === "Chromium";
  const { site, tab } = await fullSite(name, afterwards, { options: gives ? LONG : TIMES });
  await site.close(tab);
  await site.driver.useTab(1);
  if (gives) await until(async () => (await site.seen()).held === 3, "the tab gives its number back");
  await site.tab();
  const back = await site.holding(4, "after a tab was closed");
  return { back, ...(await site.finish(QUIET_MS)) };
}

/** A worker does nothing for longer than the ttl, and issues at once when it wakes up. */
async function still(name, afterwards, mistake) {
  const site = await browse(name, afterwards, { mistake });
  await site.page();
  const all = [];
  for (let i = 0; i < 5; i++) all.push(await site.worker("dedicated"));
  await site.holding(4, "after the start");
  const chosen = all.findIndex(({ number }) => number !== undefined);
  const worker = all[chosen];
  worker.isAway = true;
  await site.standStill(chosen);
  await site.holding(4, "while a worker stands still");
  site.wake();
  await site.back(worker);
  return site.finish(QUIET_MS, mistake);
}

/** A page is left for another one, and shown again: some browsers keep it as it is meanwhile. */
async function left(name, afterwards, mistake) {
  const { site, tab } = await fullSite(name, afterwards, { mistake, more: 1 });
  await site.driver.useTab(tab.tab);
  await site.driver.evaluate("() => { globalThis.isOld = true; }", []);
  tab.isAway = true;
  await site.driver.goto(`${site.origin}/other`);
  const back = await site.holding(4, "after a page was left");
  await wait(TIMES.ttlMs);
  await site.driver.evaluate("() => void setTimeout(() => history.back(), 0)", []);
  await until(
    // It fails while a page is left.
    () =>
      site.driver
        .evaluate("() => location.pathname === '/' && document.readyState === 'complete'", [])
        .catch(() => false),
    "the page is there again",
  );
  const isOld = await site.driver.evaluate("() => globalThis.isOld === true", []);
  if (isOld) await site.back(tab);
  return { back, isOld, ...(await site.finish(2 * QUIET_MS, mistake)) };
}

/** A tab is frozen, as a browser does with tabs that were long hidden; only Chromium can be asked to. */
async function frozen(name, afterwards, mistake) {
  const { site, tab } = await fullSite(name, afterwards, { mistake, more: 1 });
  await site.driver.useTab(tab.tab);
  const session = await site.driver.page().createCDPSession();
  tab.isAway = true;
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  const back = await site.holding(4, "after a tab was frozen");
  const { words } = tab;
  await wait(2 * TIMES.ttlMs);
  if (tab.words !== words) throw new Error("the tab is not frozen");
  await session.send("Page.setWebLifecycleState", { state: "active" });
  await site.back(tab);
  if (mistake === undefined) await until(() => tab.codes.has("LEASE_LOST"), "the tab has lost its number");
  return { back, ...(await site.finish(QUIET_MS, mistake)) };
}

/** The process of a tab ends, without a word to anybody: another one gets its number, for the time after the end of its lease. */
async function killed(name, afterwards) {
  const { site, tab } = await fullSite(name, afterwards, { options: LONG });
  await site.driver.useTab(tab.tab);
  const session = await site.driver.page().createCDPSession();
  tab.isAway = true;
  // There is nobody left who answers.
  session.send("Page.crash").catch(() => {});
  await site.driver.useTab(1);
  await until(async () => (await site.seen()).living === 3, "the tab is dead");
  await site.tab();
  await until(() => site.granted() >= 4, "somebody gets the number of the tab");
  return site.finish(QUIET_MS);
}

/** Ways to clear the data of a site. */
const CLEARED = {
  "by the site's server": ({ driver }) => driver.evaluate("async () => void (await fetch('/clear'))", []),
  "by the page": ({ driver }) => driver.evaluate("() => void indexedDB.deleteDatabase('graupel-lease')", []),
  "in the browser": async ({ driver, origin }) => {
    const session = await driver.page().createCDPSession();
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  },
};

/**
 * The data of the site are cleared while a tab uses it, and a worker that has just no time to notice it; and new tabs come. Their leases are
 * long: whoever hears nothing goes on for long.
 */
async function cleared(name, clear, afterwards, mistake, repeats = mistake) {
  const ttlMs = mistake === undefined ? 30_000 : LONG.ttlMs;
  const options = { ttlMs, quarantineMs: ttlMs + 1000 };
  const site = await browse(name, afterwards, { mistake, options });
  await site.tab();
  await site.worker("dedicated");
  await site.holding(2, "after the start");
  await site.driver.evaluate("(standStill) => workers[0].postMessage({ standStill })", [SETTLE_MS / 2]);
  await clear(site);
  await site.tab();
  await site.tab();
  if (mistake === undefined) await site.holding(4, "afterwards");
  return site.finish(SETTLE_MS + QUIET_MS, repeats);
}

const usedAgain = ({ back, ...rest }) => `${judge(rest)}; the number is used again after ${seconds(back)}`;

for (const [server, name] of Object.entries(BROWSERS)) {
  const tell = (title, work) => story(server, title, work);
  const isChromium = name === "Chromium";

  tell("the conformance suite", (afterwards) => conforms(name, afterwards));
  tell("two tabs start at once at a new site, and three kinds of workers join them", (afterwards) =>
    together(name, afterwards),
  );
  tell("the examples of the guide", (afterwards) => guided(name, afterwards));
  // WebKit opens no tab for a page that nobody has touched.
  if (name !== "WebKitGTK") {
    tell("a tab is duplicated", async (afterwards) => judge(await duplicated(name, afterwards)));
  }
  tell("a tab is closed", async (afterwards) => usedAgain(await closed(name, afterwards)));
  tell("a page is left, and comes back", async (afterwards) => {
    const { isOld, ...rest } = await left(name, afterwards);
    return `${usedAgain(rest)}; the browser has ${isOld ? "kept" : "ended"} the page`;
  });
  if (isChromium) {
    tell("a tab is frozen", async (afterwards) => usedAgain(await frozen(name, afterwards)));
    tell("a tab is killed", async (afterwards) => judge(await killed(name, afterwards)));
    tell("a planted mistake is seen: a frozen tab keeps its number for ever", async (afterwards) =>
      planted(await frozen(name, afterwards, "stubborn")),
    );
    tell("a planted mistake is seen: nobody hears that the data were cleared", async (afterwards) =>
      planted(await cleared(name, CLEARED["by the site's server"], afterwards, "unrevoked")),
    );
  }
  if (name === "WebKitGTK") {
    tell("a planted mistake is seen: a page that is shown again has kept its number", async (afterwards) =>
      planted(await left(name, afterwards, "stubborn")),
    );
  }
  if (name === "Firefox") {
    tell(
      "the site's data are cleared, and nobody hears of it: the locks show who lives",
      async (afterwards) =>
        judge(await cleared(name, CLEARED["by the site's server"], afterwards, "unrevoked", false)),
    );
  }
  tell("a worker stands still for longer than the ttl", async (afterwards) =>
    judge(await still(name, afterwards)),
  );
  if (name !== "WebKitGTK") {
    tell("a planted mistake is seen: the interval is not checked", async (afterwards) =>
      planted(await still(name, afterwards, "endless")),
    );
  }
  for (const [way, clear] of Object.entries(CLEARED)) {
    if (way === "in the browser" && !isChromium) continue;
    tell(`the site's data are cleared while tabs live, ${way}`, async (afterwards) =>
      judge(await cleared(name, clear, afterwards)),
    );
  }
}
