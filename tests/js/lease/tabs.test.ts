/** The store of a browser's tabs, where there is no browser: `npm run test:leases` tries it in three of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError } from "graupel";
import { tabs } from "../../../js/lease/tabs.ts";

const hasCode = (code: string) => (error: unknown) => GraupelError.is(error) && error.code === code;

const request = {
  ...{ namespace: "drafts", layout: "a layout", last: 3, mask: 0, bits: 0 },
  ...{ ttlMs: 1000, quarantineMs: 1000, token: "first", label: "a test" },
};

test("it wants to be alone", () => {
  for (const options of [undefined, {}, { reach: "profile" }, { reach: true }]) {
    assert.throws(() => tabs(options as never), hasCode("TYPE"), JSON.stringify(options));
  }
  assert.throws(() => tabs({ reach: "alone", ttlMs: 1 } as never), hasCode("UNKNOWN_OPTION"));
});

test("making one touches nothing; without Web Locks its calls say what is missing", async () => {
  const store = tabs({ reach: "alone" });
  assert.deepEqual([store.durable, store.ttlMs], [true, 300_000]);
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  try {
    await assert.rejects(store.acquire(request), (error: Error) => {
      return hasCode("CONFLICT")(error) && /HTTPS/.test(error.message);
    });
  } finally {
    if (before) Object.defineProperty(globalThis, "navigator", before);
    else Reflect.deleteProperty(globalThis, "navigator");
  }
});
