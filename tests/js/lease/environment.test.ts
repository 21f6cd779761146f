/** Leases on platforms that lack some of the functions that leases use. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { GraupelError, sno, snowflake, ulidFlake } from "graupel";
import { platform } from "../../../js/lease/environment.ts";
import { leaseIn } from "../../../js/lease/lease.ts";
import { replace } from "../support/replace.ts";
import { ScriptedLeases, START, TIMES } from "./scripted-leases.ts";

/** Calls `work` while a property of an object has another value. */
function withOther<T>(owner: object, name: string, value: unknown, work: () => T): T {
  const restore = replace([owner, name, value]);
  try {
    return work();
  } finally {
    restore();
  }
}

const format = snowflake({ epoch: START - 3, fields: { time: 41, worker: 4, sequence: 8 } });

test("random bits come from Web Crypto, or from Node's module; none are an error that says what to do", () => {
  const form = /^\d+\.\d+\.\d+\.\d+$/;
  assert.match(platform.random(), form);
  assert.notEqual(platform.random(), platform.random());
  const failed = { code: "RANDOM_FAILED", message: /set globalThis\.crypto/ };
  const fails = () => assert.throws(() => platform.random(), failed);
  withOther(globalThis, "crypto", undefined, () => {
    assert.match(platform.random(), form);
    withOther(process, "getBuiltinModule", undefined, fails);
  });
  for (const getRandomValues of [
    (words: Uint32Array) => words,
    (words: Uint32Array) => randomBytes(words.length),
    () => undefined,
  ]) {
    withOther(globalThis, "crypto", { getRandomValues }, fails);
  }
  // As in the global scope of a Cloudflare Worker.
  const cause = new Error("Disallowed operation called within global scope");
  const getRandomValues = () => {
    throw cause;
  };
  withOther(globalThis, "crypto", { getRandomValues }, () => {
    const told = {
      code: "RANDOM_FAILED",
      field: "lease",
      cause,
      message: /^lease: no random bytes \(Error: Disallowed/,
    };
    assert.throws(() => platform.random(), told);
    const drawn = {
      code: "RANDOM_FAILED",
      field: "partition",
      cause,
      message: /^pass a partition: no random bytes \(Error: Dis/,
    };
    assert.throws(() => sno.generator({ isolated: true }).next(), drawn);
    assert.throws(() => ulidFlake.generator({ isolated: true }).next(), { field: "random", cause });
  });
  for (const thrown of [Object.create(null), Symbol("none")]) {
    const throwing = () => {
      throw thrown;
    };
    withOther(globalThis, "crypto", { getRandomValues: throwing }, () => {
      const told = {
        code: "RANDOM_FAILED",
        message: /^lease: no random bytes \(it failed\);/,
        cause: thrown,
      };
      assert.throws(() => platform.random(), told);
    });
  }
});

test("without random bits a lease is refused at once", async () => {
  const scripted = new ScriptedLeases();
  const random = () => {
    throw new GraupelError("RANDOM_FAILED", "none", "lease");
  };
  const lease = leaseIn({ ...scripted.environment, random });
  const refused = lease(scripted.memory(), { format, namespace: "orders", maxWaitMs: 60_000 });
  await assert.rejects(scripted.settle(refused), { code: "RANDOM_FAILED" });
  assert.ok(scripted.schedule.now < 1000, `after ${scripted.schedule.now} ms`);
});

test("without a monotonic clock the wall clock is taken", () => {
  const before = platform.elapsed();
  assert.ok(before >= 0 && before < 1e11);
  withOther(globalThis, "performance", undefined, () =>
    withOther(
      Date,
      "now",
      () => 1e12,
      () => assert.equal(platform.elapsed(), 1e12),
    ),
  );
});

test("a label is one that a lease may be given, whatever the environment says", () => {
  const labelIn = (env: object) => withOther(process, "env", env, () => platform.label());
  assert.equal(labelIn({ HOSTNAME: "web-1" }), `web-1 ${process.pid}`);
  for (const HOSTNAME of ["a\u001b[31m\nb", "x".repeat(1000), "😀".repeat(200), "\u202etxt", "\ud800"]) {
    const label = labelIn({ HOSTNAME });
    assert.match(label, /^[^\p{C}]{0,200}$/u);
    assert.ok(label.endsWith(` ${process.pid}`), label);
  }
  // Like Deno without permissions.
  const get = () => {
    throw new Error("Requires env access");
  };
  assert.equal(labelIn(new Proxy({}, { get })), `${process.pid}`);
});

test("without weak references a lease is renewed, until its release", async () => {
  const scripted = new ScriptedLeases();
  const making = withOther(globalThis, "WeakRef", undefined, () =>
    scripted.lease(scripted.memory(), { format, namespace: "orders", ...TIMES }),
  );
  const lease = await scripted.settle(making);
  await scripted.pass(3000);
  assert.equal(lease.status.state, "held");
  await scripted.settle(lease.release());
});

test("a page that is shown, thawed or online again wakes its leases; one that is hidden does not", (t) => {
  // A page has these, but Node does not.
  const window = new EventTarget();
  const document = { hidden: false };
  t.after(
    replace(
      [globalThis, "document", document],
      [globalThis, "addEventListener", window.addEventListener.bind(window)],
      [globalThis, "removeEventListener", window.removeEventListener.bind(window)],
    ),
  );
  let woken = 0;
  const stop = platform.onWake(() => {
    woken++;
  });
  // Events on the document also pass through the window.
  const wakes = (...types: string[]) => {
    woken = 0;
    for (const type of types) window.dispatchEvent(new Event(type));
    return woken;
  };
  assert.equal(wakes("visibilitychange", "resume", "pageshow", "online"), 4);
  assert.equal(wakes("focus"), 0);
  document.hidden = true;
  assert.equal(wakes("visibilitychange"), 0);
  document.hidden = false;
  stop();
  assert.equal(wakes("visibilitychange", "pageshow"), 0);
});

test("a time that is over is a timer of 0 ms, of which no Node warns", () => {
  const asked: unknown[] = [];
  const setTimeout = (_: () => void, ms: number) => asked.push(ms);
  withOther(globalThis, "setTimeout", setTimeout, () => platform.after(-0.5, true, () => undefined));
  assert.deepEqual(asked, [0]);
});
