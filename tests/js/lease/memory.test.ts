/** The store in memory of a realm: one for tests, and one that numbers its threads and processes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memory as memoryOfCopy } from "graupel/lease";
import { memory } from "../../../js/lease/memory.ts";
import { acquire } from "../../../js/lease/store-rules.ts";
import { serve } from "../../../js/lease/stores/threads.ts";
import type { LeaseStore } from "../../../js/lease/types.ts";

const request = {
  ...{ layout: "a layout", last: 31, mask: 0, bits: 0 },
  ...{ ttlMs: 1000, quarantineMs: 1000, label: "a test" },
};
let drawn = 0;
async function numberOf(store: LeaseStore, namespace: string): Promise<number> {
  const answer = await store.acquire({ ...request, namespace, token: `token ${drawn++}` });
  assert.ok("number" in answer);
  return answer.number;
}

test("stores for tests know nothing of each other", async () => {
  const [one, other] = [memory(), memory()];
  assert.deepEqual([await numberOf(one, "apart"), await numberOf(other, "apart")], [0, 0]);
  assert.equal(one.ttlMs, undefined);
});

test("all that are alone in a realm have the same numbers, those of another copy, too", async () => {
  const stores = [memory, memory, memoryOfCopy].map((make) => make({ reach: "alone" }));
  const numbers: number[] = [];
  for (const store of stores) numbers.push(await numberOf(store, "together"));
  assert.deepEqual(numbers, [0, 1, 2]);
  assert.deepEqual(
    stores.map(({ ttlMs, apartMs }) => [ttlMs, apartMs]),
    stores.map(() => [3000, 1000]),
  );
});

test("of numbers as large as they can be, one alone may be asked for, and is given once", async () => {
  const store = memory();
  const LARGEST = 0x7fff_ffff;
  const alone = { ...request, namespace: "large", last: LARGEST, mask: LARGEST, bits: LARGEST - 1 };
  const first = await store.acquire({ ...alone, token: "first" });
  assert.equal("number" in first && first.number, LARGEST - 1);
  const second = await store.acquire({ ...alone, token: "second" });
  assert.ok("retryInMs" in second, JSON.stringify(second));
});

test("where hundreds of thousands of numbers are held, who asks is told when the first is free", () => {
  const held = (number: number) => ({ token: "held", from: 0, mark: 5000 + number, label: "" });
  const records = new Map(Array.from({ length: 300_000 }, (_, number) => [number, held(number)]));
  const all = { ...request, namespace: "many", token: "new", last: records.size - 1 };
  const { answer } = acquire({ layout: request.layout, born: 0 }, records, all, 1000, true);
  assert.deepEqual(answer, { retryInMs: 4000 });
});

test("a request of nonsense ends", async () => {
  const store = memory();
  for (const nonsense of [{ bits: Number.NaN }, { last: Number.NaN }, { mask: Number.NaN, bits: -1 }]) {
    for (const token of ["a", "b"])
      await store.acquire({ ...request, namespace: "nonsense", token, ...nonsense });
  }
});

test("whatever a served store rejects with is told to those who ask", async () => {
  for (const thrown of [
    Symbol("none"),
    Object.create(null),
    { message() {} },
    undefined,
    new Error("down"),
  ]) {
    const answers: { readonly refusal?: { readonly message: unknown } }[] = [];
    let ask: ((message: object) => void) | undefined;
    const child = {
      send: (answer: object) => answers.push(structuredClone(answer)),
      on: (_: string, listener: (message: object) => void) => {
        ask = listener;
      },
    };
    serve({ ...memory({ reach: "alone" }), acquire: () => Promise.reject(thrown) }, child as never);
    ask?.({ "graupel.lease/1": "a question", call: "acquire", request });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(answers.length, 1);
    assert.equal(typeof answers[0]?.refusal?.message, "string");
  }
});

test("the clock is Date.now as it is at each call: a fake one takes effect, and ends", async () => {
  const store = memory();
  const { now } = Date;
  const faked = Date.UTC(2030, 0, 1);
  try {
    Date.now = () => faked;
    const answer = await store.acquire({ ...request, namespace: "faked", token: "a token" });
    assert.equal("now" in answer && answer.now, faked);
  } finally {
    Date.now = now;
  }
});
