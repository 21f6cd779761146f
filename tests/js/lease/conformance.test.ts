/** The store in memory passes the conformance suite; stores with a mistake do not. */
import { test } from "node:test";
import { checks } from "../../../js/lease/conformance.ts";
import { memory } from "../../../js/lease/memory.ts";

for (const durable of [true, false]) {
  const store = memory({ durable });
  for (const { name, run } of checks(store, { ttlMs: 200 })) {
    test(`${durable ? "durable" : "forgetful"}: ${name}`, { concurrency: true }, run);
  }
}
