/** IDs as IndexedDB keys, in Chromium. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { useChromium } from "../support/browser.ts";
import { programOf } from "../support/guide.ts";
import { agree, ids, MANY } from "../support/rows.ts";

const browser = useChromium();

const { made, next } = ids();
for (let i = 0; i < MANY; i++) next();

/** The same layout as in rows.ts, and a separate object store. */
const SETUP = `
  import { sno, snowflake } from "graupel";
  import { encode } from "graupel/encode";
  const orders = snowflake({ epoch: Date.UTC(2024, 0, 1), fields: { time: 41, worker: 10, sequence: 12 } });
  const result = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
  const open = async (name) => {
    const opening = indexedDB.open(name);
    opening.onupgradeneeded = () => opening.result.createObjectStore("orders");
    return (await result(opening)).transaction("orders", "readwrite").objectStore("orders");
  };
  const attempt = (put) => {
    try {
      put();
      return "taken";
    } catch (error) {
      return error.name;
    }
  };
`;

test("a BigInt is no key, a number rounds, and decimal texts sort wrongly", async () => {
  const lines = await browser.run(`${SETUP}
    const store = await open("keys");
    console.log(attempt(() => store.put("a", 1585841080431321657n)));
    console.log(attempt(() => store.put(1585841080431321657n, "a value may be one")));
    console.log(await result(store.get("a value may be one")));
    store.put("first", Number(1585841080431321657n));
    store.put("second", Number(1585841080431321658n));
    console.log(await result(store.get(Number(1585841080431321657n))));
    store.clear();
    for (const text of ["9", "10"]) store.put("decimal", text);
    console.log(await result(store.getAllKeys()));
  `);
  assert.deepEqual(lines, ["DataError", "taken", "1585841080431321657", "second", "10,9"]);
});

for (const [name, write, read] of [
  ["bytes", "orders.toBytes", "(key) => orders.fromBytes(new Uint8Array(key))"],
  ["texts of base 62", '(id) => encode(orders, id, "base62")', '(text) => decode(orders, text, "base62")'],
] as const) {
  test(`100,000 keys of ${name} come back whole and in order, and ranges count them`, async () => {
    const use = `${SETUP}
      import { decode } from "graupel/encode";
      const [write, read] = [${write}, ${read}];
      const store = await open("${name}");
    `;
    const found = await browser.run(`${use}
      for (const id of [${[...made].reverse().map((id) => `${id}n`)}]) store.put("an order", write(id));
      console.log((await result(store.getAllKeys())).map(read).join());
    `);
    assert.equal(found.length, 1);
    await agree(made, (found[0] ?? "").split(",").map(BigInt), async (min, max) => {
      const [count] = await browser.run(`${use}
        console.log(await result(store.count(IDBKeyRange.bound(write(${min}n), write(${max}n)))));
      `);
      return Number(count);
    });
  });
}

test("texts of sno are keys, and sort as the IDs do", async () => {
  const lines = await browser.run(`${SETUP}
    const store = await open("logs");
    const made = sno.generator({ partition: 7 }).nextMany(500);
    for (const id of made.toReversed()) store.put("a line", id);
    console.log((await result(store.getAllKeys())).join() === made.join());
  `);
  assert.deepEqual(lines, ["true"]);
});

test("the guide", async () => {
  const { code, wanted } = programOf("keys.md", "indexeddb", 2);
  assert.deepEqual(await browser.run(code), wanted);
});
