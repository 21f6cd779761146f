// A tab or a worker that holds a lease and issues IDs while it may. lib/browser.mjs bundles this
// script for all of them. It reports the issued IDs to the server, which tells it when to stop.

import { GraupelError, snowflake } from "../../../dist/index.js";
import { checks } from "../../../dist/lease/conformance.js";
import { tabs } from "../../../dist/lease/tabs.js";
import { lease } from "../../../dist/lease.js";
import { withMistake } from "../lib/mistakes.mjs";

/** A layout with few numbers, so that the holders compete for them. */
const format = snowflake({ epoch: Date.UTC(2024, 0, 1), fields: { time: 41, worker: 2, sequence: 20 } });

/**
 * The number of IDs at a time, and the pause between them in milliseconds. Browsers prolong the
 * pause in hidden tabs.
 */
const IDS = 40;
const PAUSE_MS = 4;
/**
 * How long a resumed page does nothing but issue IDs, and how long a hidden tab does at each timer
 * event. Browsers fire timers of hidden tabs once a second or less often.
 */
const AWAKE_MS = 200;
const TURN_MS = 10;
/** The interval between two reports to the server. */
const TELL_MS = 100;
/**
 * Chromium may lose a request of a tab that it freezes. After this time, the next request reports.
 */
const FORGOTTEN_MS = 10_000;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const newStore = () => tabs({ reach: "alone" });
const codes = new Set();
const note = (error) => void codes.add(GraupelError.is(error) ? error.code : `${error?.stack ?? error}`);
const batches = [];
/** The status, including that of a lease that is still being acquired. */
let status = {};
let ids;

/** Generates IDs if possible. */
function issue() {
  try {
    batches.push(ids.nextTyped(IDS));
  } catch (error) {
    note(error);
  }
}

/** Generates IDs in each millisecond for a while, and blocks everything else. */
function burst(ms) {
  const end = Date.now() + ms;
  for (let now = 0, before = 0; now < end; now = Date.now()) {
    if (now !== before) issue();
    before = now;
  }
}

/** Holds a lease until the server stops it. `name`: the name of the member. */
async function hold({ name, options, mistake }) {
  const stop = new AbortController();
  const { signal } = stop;
  let worker;
  let isOver = false;
  async function tell(more, signal) {
    const { state, number } = worker?.status ?? status;
    const held = state === "held" ? number : "";
    const said = { name, held, granted: number !== undefined, codes: [...codes].join("\n"), ...more };
    const body = new Blob(batches.splice(0));
    const answer = await fetch(`/told?${new URLSearchParams(said)}`, { method: "POST", body, signal });
    if ((await answer.text()) === "stop") stop.abort();
  }
  (async () => {
    for (; !isOver; await wait(TELL_MS)) await tell({}, AbortSignal.timeout(FORGOTTEN_MS)).catch(() => {});
  })();
  const onChange = (now) => {
    status = now;
  };
  const asked = { ...options, namespace: "drafts", format, signal, onChange };
  const store = withMistake(newStore(), mistake);
  while (worker === undefined && !signal.aborted)
    worker = await lease(store, asked).catch((error) => (signal.aborted ? undefined : note(error)));
  if (worker !== undefined) {
    ids = format.generator({ lease: worker });
    while (!signal.aborted) {
      const since = Date.now();
      await wait(PAUSE_MS);
      if (Date.now() - since > 100) burst(TURN_MS);
      else issue();
    }
    await worker.release().catch(note);
  }
  isOver = true;
  await tell({ over: "yes" });
}

/** Blocks for a while or until the server responds, and then issues a burst. */
function standStill(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
  if (ms === true) {
    const request = new XMLHttpRequest();
    request.open("GET", "/still", false);
    request.send();
  }
  burst(AWAKE_MS);
}

/**
 * Runs the exported suite. Each new namespace has another live member; otherwise, the store detects
 * that nobody can hold a lost number.
 */
async function conform(ttlMs) {
  const store = newStore();
  const neighbours = new Map();
  const neighbourIn = (namespace) =>
    new Promise((done) => {
      void navigator.locks.request(`graupel-lease ${namespace}`, { mode: "shared" }, () => {
        done();
        return new Promise(() => {});
      });
    });
  async function acquire(request) {
    const { namespace } = request;
    if (!neighbours.has(namespace)) neighbours.set(namespace, neighbourIn(namespace));
    await neighbours.get(namespace);
    return store.acquire(request);
  }
  const all = checks({ ...store, acquire }, { ttlMs });
  const failed = [];
  const tried = ({ name, run }) => run().catch(({ message }) => failed.push(`${name}: ${message}`));
  await Promise.all(all.map(tried));
  return { count: all.length, failed };
}

/** The number of held numbers, according to the store, and of live holders. */
async function heldHere() {
  const records = await newStore().list("drafts");
  const { held } = await navigator.locks.query();
  const lives = held.map(({ name }) => name).filter((name) => name.startsWith("graupel-lease drafts "));
  return { held: records.filter((record) => record.held).length, living: new Set(lives).size };
}

/** Calls the store again and again, so that a transaction is open all the time. */
function press() {
  const store = newStore();
  const again = () => store.list("drafts").then(again, again);
  for (let i = 0; i < 4; i++) again();
  return store.list("drafts");
}

Object.assign(globalThis, { hold: (what) => void hold(what), conform, heldHere, press });
// Listen before the lease does, so that the page issues IDs before the lease notices the
// resumption.
for (const type of ["resume", "pageshow"]) addEventListener(type, () => ids && burst(AWAKE_MS), true);
addEventListener("message", (event) => {
  if (event.data.standStill) return standStill(event.data.standStill);
  const holding = hold(event.data);
  // A service worker only lives as long as its events.
  event.waitUntil?.(holding);
});
addEventListener("connect", ({ ports: [port] }) => {
  port.onmessage = ({ data }) => hold(data);
});
