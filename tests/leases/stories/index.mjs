// The keys of Redis, one of which is lost alone: deleted by hand, or evicted.

import assert from "node:assert/strict";
import { begin } from "../lib/disasters.mjs";
import { story } from "../lib/story.mjs";

const request = {
  ...{ namespace: "index", layout: "a layout", last: 1, mask: 0, bits: 0 },
  ...{ ttlMs: 5000, quarantineMs: 3000, label: "" },
};

story("redis", "a key that is lost alone", async (afterwards) => {
  const { open } = await import("../servers/redis.mjs");
  const { connection } = await begin("redis", afterwards, { durable: true });
  const { store, raw, close } = await open(connection());
  afterwards(close);
  const acquire = (token) => store.acquire({ ...request, token });
  const lose = (key) => raw.sendCommand(["DEL", key]);

  const first = await acquire("a");
  const second = await acquire("b");
  assert.deepEqual([first.number, second.number], [0, 1]);
  // The index: it is made anew, and nothing is forgotten.
  await lose("graupel:{index}:order");
  assert.ok("retryInMs" in (await acquire("c")));
  await store.release({ ...request, number: 1, tokens: ["b"], nextFree: second.from + 5 });
  await lose("graupel:{index}:order");
  const third = await acquire("c");
  assert.deepEqual([third.number, third.from], [1, second.from + 5]);
  // The records: the namespace is a new one, whatever the index says.
  await lose("graupel:{index}");
  const fourth = await acquire("d");
  assert.deepEqual([fourth.number, fourth.from], [0, fourth.now + request.quarantineMs]);
});

story("redis", "a key that is lost alone, before a renewal or a release", async (afterwards) => {
  const { open } = await import("../servers/redis.mjs");
  const { connection } = await begin("redis", afterwards, { durable: true });
  const { store, raw, close } = await open(connection());
  afterwards(close);
  const { namespace, ttlMs } = request;
  const acquire = (token) => store.acquire({ ...request, last: 3, token });
  const release = (number, token) => store.release({ namespace, number, tokens: [token], nextFree: 0 });
  const lose = () => raw.sendCommand(["DEL", "graupel:{index}:order"]);

  for (const token of ["a", "b", "c", "d"]) await acquire(token);
  await release(1, "b");
  await release(2, "c");
  assert.equal(await lose(), 1);
  await store.renew({ namespace, number: 0, ttlMs, token: "a", nextToken: "a" });
  const { number } = await acquire("e");
  assert.equal(await lose(), 1);
  await release(3, "d");
  const numbers = [number, (await acquire("f")).number, (await acquire("g")).number];
  assert.deepEqual(numbers.sort(), [1, 2, 3]);
});
