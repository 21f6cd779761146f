/** The store in memory passes the conformance suite. */
import { describe, test } from "node:test";
import { checks } from "../../../js/lease/conformance.ts";
import { memory } from "../../../js/lease/memory.ts";

for (const durable of [true, false]) {
  // They mostly wait. A machine that is busy must not make a grant end before its renewal.
  describe(durable ? "a durable store" : "a forgetful store", { concurrency: true }, () => {
    for (const { name, run } of checks(memory({ durable }), { ttlMs: 1000 })) test(name, run);
  });
}
