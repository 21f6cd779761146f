// Runs tabs and workers of the same site in one browser and collects all the IDs that they issue.

import { buildSync } from "esbuild";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { startBrowser } from "../../support/browsers.mjs";
import { serve } from "../../support/server.mjs";
import { isEnough, repeatedAmong } from "./crowd.mjs";
import { until, wait } from "./time.mjs";

/** How long a new profile waits (js/lease/stores/tabs.ts), in milliseconds. */
export const SETTLE_MS = 2000;

/** The default lease times of a tab. */
export const TIMES = { ttlMs: 3000, quarantineMs: 4000 };

/** Bundles code for pages with the built package into a module without imports. */
export const bundled = (input, format = "iife") =>
  buildSync({ ...input, bundle: true, write: false, format, logLevel: "error" }).outputFiles[0].text;

const PAGE = `<!doctype html><meta charset="utf-8"><title>drafts</title><link rel="icon" href="data:,"><script src="/holder.js"></script>`;

/**
 * Serves a site: the page and the script of tabs and workers. Records their reports. `/clear`
 * clears the site's data. `partFor`: returns the answer to `/part`.
 */
async function serveSite(partFor) {
  const members = new Map();
  const holder = bundled({ entryPoints: [fromRoot("tests", "leases", "pages", "holder.mjs")] });
  let isOver = false;
  /** Pending responses that block members until `wake()`. */
  const still = [];

  const ANSWERS = {
    "/holder.js": () => ({ content: holder }),
    "/clear": () => ({ content: "cleared", headers: { "clear-site-data": '"storage"' } }),
    "/still": () => new Promise((done) => still.push(done)),
    "/part": async ({ body }) => ({ content: await partFor(String(body)) }),
    "/told"({ query, body }) {
      const { name, held, granted, codes, over } = Object.fromEntries(query);
      const member = members.get(name);
      member.ids.push(new BigUint64Array(body.buffer.slice(body.byteOffset, body.byteOffset + body.length)));
      member.number = held === "" ? undefined : Number(held);
      member.isGranted = granted === "true";
      member.words++;
      member.isOver ||= over !== undefined;
      for (const code of codes.split("\n").filter(Boolean)) member.codes.add(code);
      return { content: isOver ? "stop" : "go on" };
    },
  };
  const server = await serve((request) => ANSWERS[request.path]?.(request) ?? { content: PAGE });
  const end = () => {
    isOver = true;
  };
  return { ...server, members, still, end };
}

/**
 * Functions that run in the page. Each starts a kind of worker, or a tab with a copy of this tab's
 * session storage, which then holds a lease.
 */
const WORKERS = {
  dedicated: `(what) => {
    globalThis.workers ??= [];
    workers.push(new Worker('/holder.js'));
    workers.at(-1).postMessage(what);
  }`,
  shared: "(what) => new SharedWorker('/holder.js').port.postMessage(what)",
  duplicate: `(what) => {
    sessionStorage.setItem("a copy", "yes");
    const tab = open(location.href);
    const begin = () => tab.sessionStorage.getItem("a copy") === "yes" ? tab.hold(what) : setTimeout(begin, 50);
    setTimeout(begin, 500);
  }`,
  service: `async (what) => {
    await navigator.serviceWorker.register('/holder.js');
    (await navigator.serviceWorker.ready).active.postMessage(what);
  }`,
};

/**
 * Opens a browser with a new profile. `mistake`: the mistake planted in the holders (mistakes.mjs).
 */
export async function browse(name, afterwards, { mistake, options = TIMES, partFor } = {}) {
  const site = await serveSite(partFor);
  afterwards(site.stop);
  const { origin, members } = site;
  const driver = await startBrowser(name);
  afterwards(driver.close);
  await driver.fresh(origin);
  let tabs = 0;

  /** Starts a member, which holds a lease. `hold`: the function to run in the page. */
  async function join(hold, more) {
    const what = { name: `member ${members.size}`, options, mistake };
    const member = { ids: [], codes: new Set(), words: 0, isOver: false, isAway: false, ...more };
    members.set(what.name, member);
    await driver.evaluate(hold, [what]);
    return member;
  }
  const here = () => [...members.values()].filter(({ isOver, isAway }) => !isOver && !isAway);
  const issued = () => repeatedAmong([...members.values()].flatMap(({ ids }) => ids));

  const self = {
    ...{ driver, origin },
    /** A session of the Chrome DevTools Protocol for the active tab. */
    session: () => driver.page().createCDPSession(),
    /** Opens a new tab without a lease. */
    async page() {
      const tab = tabs++ === 0 ? 0 : await driver.newTab();
      await driver.goto(`${origin}/`);
      return tab;
    },
    /** Acquires a lease in a tab. */
    async hold(tab) {
      await driver.useTab(tab);
      return join("(what) => hold(what)", { tab });
    },
    /** Opens a new tab with a lease. */
    tab: async () => self.hold(await self.page()),
    /** Closes a tab as a user does. */
    async close(member) {
      member.isAway = true;
      await driver.closeTab(member.tab);
    },
    /** Starts a worker of the active tab. */
    worker: (kind) => join(WORKERS[kind]),
    /**
     * The number of held numbers, according to the tab's store, and of live holders. Runs in the
     * active tab.
     */
    seen: () => driver.evaluate("() => heldHere()", []),
    /** The number of members that were granted a number, including a grant that starts later. */
    granted: () => here().filter(({ isGranted }) => isGranted).length,
    /** Waits until this many members hold a number. */
    holding(count, what) {
      const held = () => here().filter(({ number }) => number !== undefined).length;
      return until(
        () => held() >= count,
        () => `${what}: ${held()} of ${count} numbers are held`,
      );
    },
    /** Waits until a member that was away reports again. */
    async back(member) {
      const { words } = member;
      await until(() => member.words > words, "somebody comes back");
      member.isAway = false;
    },
    /**
     * Blocks a worker of the active tab until `wake()`. `i`: the worker's index among the tab's
     * workers.
     */
    async standStill(i) {
      await driver.evaluate("(i) => workers[i].postMessage({ standStill: true })", [i]);
      await until(() => site.still.length > 0, "a worker stands still");
    },
    wake: () => site.still.splice(0).map((done) => done({ content: "" })),
    /**
     * Lets the members issue IDs for a while, until there are enough for the test and, if a
     * duplicate is expected (`repeats`), until there is one. Then stops them in order. Returns all
     * issued IDs and the error codes.
     */
    async finish(ms, repeats) {
      await wait(ms);
      await until(
        () => isEnough(issued(), repeats || undefined),
        () => `${issued().issued} IDs, of which ${repeats ? "one" : "none"} has to be there twice`,
      );
      site.end();
      await until(() => here().length === 0, "the tabs have not stopped");
      const codes = new Set([...members.values()].flatMap((member) => [...member.codes]));
      return { ...issued(), codes };
    },
  };
  return self;
}
