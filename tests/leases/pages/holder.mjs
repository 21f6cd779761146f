// A tab or a worker that holds a lease, and issues IDs as long as it may: one script for all of them, bundled by lib/browser.mjs. It tells
// the server what it has issued, and hears from it when to stop.

import { GraupelError, snowflake } from "../../../dist/index.js";
import { checks } from "../../../dist/lease/conformance.js";
import { tabs } from "../../../dist/lease/tabs.js";
import { lease } from "../../../dist/lease.js";
import { withMistake } from "../lib/mistakes.mjs";

/** Few numbers, so that they are fought for. */
const format = snowflake({ epoch: Date.UTC(2024, 0, 1), fields: { time: 41, worker: 2, sequence: 20 } });

/** IDs that are made at a time, and the pause between them in milliseconds. Browsers give hidden tabs longer ones. */
const IDS = 40;
const PAUSE_MS = 4;
/** How long those who come back to life do nothing but issue, and hidden tabs when it is their turn: once a second, and less often. */
const AWAKE_MS = 200;
const TURN_MS = 10;
/** Between two words to the server. */
const TELL_MS = 100;
/** Chromium may forget a request of a tab that it freezes: then the next one tells. */
const FORGOTTEN_MS = 10_000;

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const newStore = () => tabs({ reach: "alone" });
const codes = new Set();
const note = (error) => void codes.add(GraupelError.is(error) ? error.code : `${error?.stack ?? error}`);
const batches = [];
/** Also of a lease that is not there yet. */
let status = {};
let ids;

/** Makes IDs, if it may. */
function issue() {
  try {
    batches.push(ids.nextTyped(IDS));
  } catch (error) {
    note(error);
  }
}

/** Issues in each millisecond for a while, and lets nobody else do anything meanwhile. */
function burst(ms) {
  const end = Date.now() + ms;
  for (let now = 0, before = 0; now < end; now = Date.now()) {
    if (now !== before) issue();
    before = now;
  }
}

/** Holds a lease until the server says that it is enough. `name`: whose the IDs are. */
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

/** Does nothing for a while, or until the server says so, and then all at once. */
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

/** The exported suite, each new namespace with somebody who lives in it: else the store sees that nobody can hold what was lost. */
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

/** How many numbers the store says are held, and how many holders live. */
async function heldHere() {
  const records = await newStore().list("drafts");
  const { held } = await navigator.locks.query();
  const lives = held.map(({ name }) => name).filter((name) => name.startsWith("graupel-lease drafts "));
  return { held: records.filter((record) => record.held).length, living: new Set(lives).size };
}

Object.assign(globalThis, { hold: (what) => void hold(what), conform, heldHere });
// The first to hear that the page lives again, before the lease does.
for (const type of ["resume", "pageshow"]) addEventListener(type, () => ids && burst(AWAKE_MS), true);
addEventListener("message", (event) => {
  if (event.data.standStill) return standStill(event.data.standStill);
  const holding = hold(event.data);
  // A service worker lives as long as its events.
  event.waitUntil?.(holding);
});
addEventListener("connect", ({ ports: [port] }) => {
  port.onmessage = ({ data }) => hold(data);
});
