/** What a lease hears of a page: when it comes back to life. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { platform } from "../../../js/lease/environment.ts";

const window = new EventTarget();
const document = { hidden: false };

/** What a page has, and Node has not. */
const globals = {
  document,
  addEventListener: window.addEventListener.bind(window),
  removeEventListener: window.removeEventListener.bind(window),
};
beforeEach(() => void Object.assign(globalThis, globals));
afterEach(() => {
  for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
});

test("a page that is shown, thawed or online again wakes its leases; one that is hidden does not", () => {
  let woken = 0;
  const stop = platform.onWake(() => {
    woken++;
  });
  // What happens to a document passes the window first.
  const happens = (type: string) => {
    woken = 0;
    window.dispatchEvent(new Event(type));
    return woken;
  };
  document.hidden = false;
  assert.equal(happens("visibilitychange"), 1);
  assert.equal(happens("resume"), 1);
  assert.equal(happens("pageshow"), 1);
  assert.equal(happens("online"), 1);
  assert.equal(happens("focus"), 0);
  document.hidden = true;
  assert.equal(happens("visibilitychange"), 0);
  document.hidden = false;
  stop();
  assert.equal(happens("visibilitychange"), 0);
  assert.equal(happens("pageshow"), 0);
});
