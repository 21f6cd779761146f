// Tabs and workers of one site, in each browser. They compete for four numbers.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { fromRoot, root } from "../../../xtask/lib/process.mjs";
import { BROWSERS } from "../../support/browsers.mjs";
import { codeOf, pageOf, printedBy, programsOf, project } from "../../support/pages.mjs";
import { temporary } from "../../support/places.mjs";
import { browse, bundled, SETTLE_MS, TIMES } from "../lib/browser.mjs";
import { story, tale } from "../lib/story.mjs";
import { until, wait } from "../lib/time.mjs";

/**
 * A ttl that works for the suite: its checks run concurrently, and a new namespace takes a while.
 */
const CONFORMANCE_MS = 2500;

/** How long members issue IDs while nothing happens, in milliseconds. */
const QUIET_MS = 1500;

/** A lease that ends later than a story may take, so no story waits for its end. */
const LONG = { ttlMs: 3_600_000, quarantineMs: 3_601_000 };

/** Runs a module in the page. Returns its output. */
const RUN = `async (module) => {
  const lines = [];
  console.log = (...values) => lines.push(values.join(" "));
  await import(URL.createObjectURL(new Blob([module], { type: "text/javascript" })));
  return lines;
}`;

const GUIDE = pageOf("workers/browsers.md");

/** The code of the guide's server, as a function that returns its responses. */
async function partServer() {
  const code = codeOf(GUIDE).find((one) => one.includes("function partFor"));
  const { write } = project(temporary("guide"), { graupel: fromRoot() });
  const file = write("server", `const console = { log() {} };\n${code}\nexport { partFor };\n`);
  const { partFor } = await import(pathToFileURL(file));
  return async (body) => JSON.stringify(await partFor(JSON.parse(body) ?? undefined));
}

story("Chromium", "the examples of the guide, and that of the guide to keys in IndexedDB", async (it) => {
  const site = await browse("Chromium", it.afterwards, { partFor: await partServer() });
  const examples = [...codeOf(GUIDE, "in=tab"), programsOf(pageOf("keys.md")).get("indexeddb")];
  assert.ok(examples.length >= 3, `${examples.length} examples`);
  for (const contents of examples) {
    await site.page();
    const module = bundled({ stdin: { contents, resolveDir: root } }, "esm");
    assert.deepEqual(await site.driver.evaluate(RUN, [module]), printedBy(contents));
  }
  return `${examples.length} examples`;
});

/** Ways to clear the data of a site. */
const CLEARED = {
  "by the site's server": ({ driver }) => driver.evaluate("async () => void (await fetch('/clear'))", []),
  "by the page": ({ driver }) => driver.evaluate("() => void indexedDB.deleteDatabase('graupel-lease')", []),
  "in the browser": async ({ origin, session }) =>
    (await session()).send("Storage.clearDataForOrigin", { origin, storageTypes: "all" }),
};

for (const server of Object.keys(BROWSERS)) {
  const [isChromium, isFirefox, isWebKit] = Object.keys(BROWSERS).map((one) => one === server);
  const begin = (it, options) => browse(server, it.afterwards, options);

  /**
   * Opens a tab, and another tab with workers that hold the other numbers. Browsers keep workers
   * running when their tab is hidden. `more`: the number of workers that wait for a number.
   */
  async function full(it, { more = 0, ...options }) {
    const site = await begin(it, options);
    const tab = await site.tab();
    await site.holding(1, "after the start");
    await site.page();
    for (let i = 0; i < 3 + more; i++) await site.worker("dedicated");
    await site.holding(4, "with workers");
    return { site, tab };
  }

  story(server, "the conformance suite", async (it) => {
    const site = await begin(it);
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
  });

  tale(server, "two tabs start at once at a new site, and three kinds of workers join them", async (it) => {
    const site = await begin(it);
    const pages = [await site.page(), await site.page()];
    const [first] = [await site.hold(pages[0]), await site.hold(pages[1])];
    await site.holding(2, "after the start");
    await site.worker("dedicated");
    await site.worker("shared");
    await site.holding(4, "with two workers");
    await site.close(first);
    await site.driver.useTab(pages[1]);
    await site.worker("service");
    await site.holding(4, "with a service worker, without the first tab");
    return site.finish(QUIET_MS);
  });

  // WebKit does not open a tab from a page without user interaction.
  if (!isWebKit)
    // The duplicate starts with a copy of the tab's session storage.
    tale(server, "a tab is duplicated", async (it) => {
      const site = await begin(it);
      const tab = await site.tab();
      await site.holding(1, "after the start");
      const copy = await site.worker("duplicate");
      await site.holding(2, "with the duplicate");
      assert.notEqual(tab.number, copy.number);
      return site.finish(QUIET_MS);
    });

  tale(server, "a tab is closed", async (it) => {
    // WebKit writes nothing while a page is unloaded, and Firefox stops the scripts of a closed
    // tab.
    const { site, tab } = await full(it, { options: isChromium ? LONG : TIMES });
    await site.close(tab);
    await site.driver.useTab(1);
    if (isChromium) await until(async () => (await site.seen()).held === 3, "the tab gives its number back");
    await site.tab();
    await site.holding(4, "after a tab was closed");
    return site.finish(QUIET_MS);
  });

  /** Some browsers keep the page in the back/forward cache. */
  tale(
    server,
    "a page is left, and comes back",
    async (it, mistake) => {
      const { site, tab } = await full(it, { mistake, more: 1 });
      const { driver, origin } = site;
      await driver.useTab(tab.tab);
      await driver.evaluate("() => { globalThis.isOld = true; }", []);
      tab.isAway = true;
      await driver.goto(`${origin}/other`);
      await site.holding(4, "after a page was left");
      await wait(TIMES.ttlMs);
      await driver.evaluate("() => void setTimeout(() => history.back(), 0)", []);
      const isThere = "() => location.pathname === '/' && document.readyState === 'complete'";
      // The call fails while the page is unloaded.
      await until(() => driver.evaluate(isThere, []).catch(() => false), "the page is there again");
      const isOld = await driver.evaluate("() => globalThis.isOld === true", []);
      if (isOld) await site.back(tab);
      return site.finish(2 * QUIET_MS, mistake);
    },
    isWebKit ? { "a page that is shown again has kept its number": "stubborn" } : {},
  );

  story(server, "a page is left while its transactions are open, and blocks no other tab", async (it) => {
    const site = await begin(it);
    const [left, other] = [await site.page(), await site.page()];
    await site.driver.useTab(left);
    await site.driver.evaluate("() => press()", []);
    await site.driver.goto(`${site.origin}/other`);
    await site.driver.useTab(other);
    await site.driver.evaluate("() => void heldHere().then((found) => { globalThis.found = found; })", []);
    const isFound = () => site.driver.evaluate("() => globalThis.found !== undefined", []);
    await until(isFound, "another tab reads the numbers");
  });

  // Freezes the tab as a browser does with tabs that were hidden for long. Only Chromium has a
  // command for this.
  if (isChromium) {
    tale(
      server,
      "a tab is frozen",
      async (it, mistake) => {
        const { site, tab } = await full(it, { mistake, more: 1 });
        await site.driver.useTab(tab.tab);
        const session = await site.session();
        tab.isAway = true;
        await session.send("Page.setWebLifecycleState", { state: "frozen" });
        await site.holding(4, "after a tab was frozen");
        const { words } = tab;
        await wait(2 * TIMES.ttlMs);
        assert.equal(tab.words, words, "the tab is not frozen");
        await session.send("Page.setWebLifecycleState", { state: "active" });
        await site.back(tab);
        if (!mistake) await until(() => tab.codes.has("LEASE_LOST"), "the tab has lost its number");
        return site.finish(QUIET_MS, mistake);
      },
      { "a frozen tab keeps its number for ever": "stubborn" },
    );

    // The tab's process ends without notice. Another member gets its number, starting when the
    // tab's lease ends.
    tale(server, "a tab is killed", async (it) => {
      const { site, tab } = await full(it, { options: LONG });
      await site.driver.useTab(tab.tab);
      const session = await site.session();
      tab.isAway = true;
      // A crashed page does not answer.
      session.send("Page.crash").catch(() => {});
      await site.driver.useTab(1);
      await until(async () => (await site.seen()).living === 3, "the tab is dead");
      await site.tab();
      await until(() => site.granted() >= 4, "somebody gets the number of the tab");
      return site.finish(QUIET_MS);
    });
  }

  // The worker issues IDs as soon as it wakes up.
  tale(
    server,
    "a worker stands still for longer than the ttl",
    async (it, mistake) => {
      const site = await begin(it, { mistake });
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
    },
    isChromium ? { "the interval is not checked": "endless" } : {},
  );

  /**
   * The site's data are cleared while a tab uses them and a worker is blocked, so that it cannot
   * notice. Then new tabs open. The leases are long, so a member that is not notified keeps issuing
   * IDs.
   */
  const cleared =
    (way, repeats = false) =>
    async (it, mistake) => {
      const ttlMs = mistake === undefined ? 30_000 : LONG.ttlMs;
      const site = await begin(it, { mistake, options: { ttlMs, quarantineMs: ttlMs + 1000 } });
      await site.tab();
      await site.worker("dedicated");
      await site.holding(2, "after the start");
      await site.driver.evaluate("(standStill) => workers[0].postMessage({ standStill })", [SETTLE_MS / 2]);
      await CLEARED[way](site);
      await site.tab();
      await site.tab();
      if (mistake === undefined) await site.holding(4, "afterwards");
      return site.finish(SETTLE_MS + QUIET_MS, repeats);
    };
  for (const way of Object.keys(CLEARED))
    if (way !== "in the browser" || isChromium)
      tale(server, `the site's data are cleared while tabs live, ${way}`, cleared(way));
  const clearing = cleared("by the site's server", isChromium);
  if (isChromium) tale(server, "", clearing, { "nobody hears that the data were cleared": "unrevoked" });
  if (isFirefox)
    tale(server, "the site's data are cleared, and nobody hears of it: the locks show who lives", (it) =>
      clearing(it, "unrevoked"),
    );
}
