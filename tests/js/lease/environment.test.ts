/** What a lease takes from its platform, where the platform lacks it. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { GraupelError, snowflake } from "graupel";
import { platform } from "../../../js/lease/environment.ts";
import { leaseIn } from "../../../js/lease/lease.ts";
import { START, Stage, TIMES } from "./stage.ts";

/** Does something while properties of an object have other values. */
function withOther<T>(target: object, values: Readonly<Record<string, unknown>>, work: () => T): T {
  const before = Object.entries(values).map(
    ([name]) => [name, Object.getOwnPropertyDescriptor(target, name)] as const,
  );
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  }
  try {
    return work();
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
    }
  }
}

test("random bits come from Web Crypto, or from Node's module; none are an error that says what to do", () => {
  const form = /^\d+\.\d+\.\d+\.\d+$/;
  assert.match(platform.random(), form);
  assert.notEqual(platform.random(), platform.random());
  withOther(globalThis, { crypto: undefined }, () => assert.match(platform.random(), form));
  const failed = { code: "RANDOM_FAILED", message: /set globalThis\.crypto/ };
  withOther(globalThis, { crypto: undefined }, () =>
    withOther(process, { getBuiltinModule: undefined }, () => assert.throws(() => platform.random(), failed)),
  );
  for (const getRandomValues of [
    (words: Uint32Array) => words,
    (words: Uint32Array) => randomBytes(words.length),
    () => undefined,
  ]) {
    withOther(globalThis, { crypto: { getRandomValues } }, () =>
      assert.throws(() => platform.random(), failed),
    );
  }
});

test("without random bits a lease is refused at once", async () => {
  const stage = new Stage();
  const random = () => {
    throw new GraupelError("RANDOM_FAILED", "none", "lease");
  };
  const format = snowflake({ epoch: START - 3, fields: { time: 41, worker: 4, sequence: 8 } });
  const lease = leaseIn({ ...stage.environment, random });
  const refused = lease(stage.memory(), { format, namespace: "orders", maxWaitMs: 60_000 });
  await assert.rejects(stage.settle(refused), { code: "RANDOM_FAILED" });
  assert.ok(stage.schedule.now < 1000, `after ${stage.schedule.now} ms`);
});

test("without a monotonic clock the wall clock is taken", () => {
  const before = platform.elapsed();
  assert.ok(before >= 0 && before < 1e11);
  withOther(globalThis, { performance: undefined }, () => {
    assert.ok(Math.abs(platform.elapsed() - Date.now()) < 1000);
  });
});

test("a label is one that a lease may be given, whatever the environment says", () => {
  const allowed = /^[^\p{C}]{0,200}$/u;
  const labelWith = (HOSTNAME: string) => withOther(process, { env: { HOSTNAME } }, () => platform.label());
  assert.equal(labelWith("web-1"), `web-1 ${process.pid}`);
  for (const host of ["a\u001b[31m\nb", "x".repeat(1000), `${"😀".repeat(200)}`, "\u202etxt", "\ud800"]) {
    const label = labelWith(host);
    assert.match(label, allowed);
    assert.ok(label.endsWith(` ${process.pid}`), label);
  }
  // Deno without a permission.
  const forbidden = new Proxy(
    {},
    {
      get() {
        throw new Error("Requires env access");
      },
    },
  );
  assert.equal(
    withOther(process, { env: forbidden }, () => platform.label()),
    `${process.pid}`,
  );
});

test("without weak references a lease is renewed, until its release", async () => {
  const stage = new Stage();
  const format = snowflake({ epoch: START - 4, fields: { time: 41, worker: 4, sequence: 8 } });
  const making = withOther(globalThis, { WeakRef: undefined }, () =>
    stage.lease(stage.memory(), { format, namespace: "orders", ...TIMES }),
  );
  const lease = await stage.settle(making);
  await stage.pass(3000);
  assert.equal(lease.status.state, "held");
  await stage.settle(lease.release());
});

const window = new EventTarget();
const document = { hidden: false };

/** What a page has, and Node has not. */
const globals = {
  document,
  addEventListener: window.addEventListener.bind(window),
  removeEventListener: window.removeEventListener.bind(window),
};
test("a page that is shown, thawed or online again wakes its leases; one that is hidden does not", (t) => {
  Object.assign(globalThis, globals);
  t.after(() => {
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
  });
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

test("a time that is over is a timer of 0 ms, of which no Node warns", () => {
  const asked: unknown[] = [];
  const setTimeout = (_: () => void, ms: number) => asked.push(ms);
  withOther(globalThis, { setTimeout }, () => platform.after(-0.5, true, () => undefined));
  assert.deepEqual(asked, [0]);
});
