// Tabs and workers of one site in one browser, and all the IDs that they have issued together.

import { buildSync } from "esbuild";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { startBrowser } from "../../support/browsers.mjs";
import { serve } from "../../support/server.mjs";
import { isEnough, repeatedAmong } from "./judge.mjs";
import { until, wait } from "./time.mjs";

/** The wait in a new profile (js/lease/stores/tabs.ts), in milliseconds. */
export const SETTLE_MS = 2000;

/** The lease of a tab, unless a story says otherwise. */
export const TIMES = { ttlMs: 3000, quarantineMs: 4000 };

/** Code for pages, on the package as it is built: a module that imports nothing more. */
export const bundled = (input, format = "iife") =>
  buildSync({ ...input, bundle: true, write: false, format, logLevel: "error" }).outputFiles[0].text;

const PAGE = `<!doctype html><meta charset="utf-8"><title>drafts</title><link rel="icon" href="data:,"><script src="/holder.js"></script>`;

/** A site: the page, the script of tabs and workers, and what they tell. `/clear` clears its data. `partFor`: what `/part` answers with. */
async function serveSite(partFor) {
  const members = new Map();
  const holder = bundled({ entryPoints: [fromRoot("tests", "leases", "pages", "holder.mjs")] });
  let isOver = false;
  /** Answers to those who stand still until they come. */
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

/** Runs in the page: starts a worker of a kind, or a tab that begins with a copy of this one's storage, and holds a lease. */
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

/** Opens a browser at a site that it does not know. `mistake`: what is wrong with the holders (mistakes.mjs). */
export async function browse(name, afterwards, { mistake, options = TIMES, partFor } = {}) {
  const site = await serveSite(partFor);
  afterwards(site.stop);
  const { origin, members } = site;
  const driver = await startBrowser(name);
  afterwards(driver.close);
  await driver.fresh(origin);
  let tabs = 0;

  /** Holds a lease by a function that runs in the page. */
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
    /** Chromium's own protocol, for the tab that is in front. */
    session: () => driver.page().createCDPSession(),
    /** A new tab, without a lease. */
    async page() {
      const tab = tabs++ === 0 ? 0 : await driver.newTab();
      await driver.goto(`${origin}/`);
      return tab;
    },
    /** A lease in a tab. */
    async hold(tab) {
      await driver.useTab(tab);
      return join("(what) => hold(what)", { tab });
    },
    /** A new tab with a lease. */
    tab: async () => self.hold(await self.page()),
    /** Closes a tab as a person does. */
    async close(member) {
      member.isAway = true;
      await driver.closeTab(member.tab);
    },
    /** A worker of the tab that is in front. */
    worker: (kind) => join(WORKERS[kind]),
    /** How many numbers are held, as a tab's store says, and how many holders live. The tab in front says it. */
    seen: () => driver.evaluate("() => heldHere()", []),
    /** Those who have a number, though its time may be still to come. */
    granted: () => here().filter(({ isGranted }) => isGranted).length,
    /** Waits until so many hold a number. Gives the milliseconds that it took. */
    holding(count, what) {
      const held = () => here().filter(({ number }) => number !== undefined).length;
      return until(
        () => held() >= count,
        () => `${what}: ${held()} of ${count} numbers are held`,
      );
    },
    /** Waits until somebody tells something, who is there again. */
    async back(member) {
      const { words } = member;
      await until(() => member.words > words, "somebody comes back");
      member.isAway = false;
    },
    /** A worker of the tab that is in front does nothing until `wake()`. `i`: its place among the tab's workers. */
    async standStill(i) {
      await driver.evaluate("(i) => workers[i].postMessage({ standStill: true })", [i]);
      await until(() => site.still.length > 0, "a worker stands still");
    },
    wake: () => site.still.splice(0).map((done) => done({ content: "" })),
    /**
     * Lets them issue for a while, and so many IDs that they are a test, and, if an ID has to be there twice (`repeats`), until one is. Ends all
     * in order. Gives all that they have issued together, and the codes that they were refused with.
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
