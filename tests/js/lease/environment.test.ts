/** What a lease takes from a page: when it comes back to life. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { platform } from "../../../js/lease/environment.ts";

const window = new EventTarget();
const document = Object.assign(new EventTarget(), { hidden: false });

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
  const woken: string[] = [];
  const stop = platform.onWake((name) => woken.push(name), "a lease");
  const happens = (target: EventTarget, type: string) => {
    woken.length = 0;
    target.dispatchEvent(new Event(type));
    return woken.length;
  };
  document.hidden = false;
  assert.equal(happens(document, "visibilitychange"), 1);
  assert.equal(happens(document, "resume"), 1);
  assert.equal(happens(window, "pageshow"), 1);
  assert.equal(happens(window, "online"), 1);
  assert.equal(happens(window, "focus"), 0);
  document.hidden = true;
  assert.equal(happens(document, "visibilitychange"), 0);
  document.hidden = false;
  stop();
  assert.equal(happens(document, "visibilitychange"), 0);
  assert.equal(happens(window, "pageshow"), 0);
});
