/** IndexedDB in Chromium. */

import { useChromium } from "../support/browser.ts";
import { orders } from "../support/rows.ts";
import { agreeWithPage } from "./page.ts";

const browser = useChromium();

/** Stores keys in reverse order and logs all keys in the database's order. */
const program = (keys: readonly string[]) => `
  const request = indexedDB.open("orders " + Math.random());
  request.onupgradeneeded = () => request.result.createObjectStore("orders");
  await new Promise((done) => { request.onsuccess = done; });
  const store = request.result.transaction("orders", "readwrite").objectStore("orders");
  for (const key of [${[...keys].reverse()}]) store.put("an order", key);
  const all = store.getAllKeys();
  await new Promise((done, fail) => { all.onsuccess = done; all.onerror = () => fail(all.error); });
  for (const key of all.result) console.log(new Uint8Array(key).join());
`;

agreeWithPage("IndexedDB", {
  IndexedDB: {
    error: /is not a valid key/,
    async roundTrip(ids, { key }) {
      const keys = ids.map((id) => (key ? `new Uint8Array([${[...key(id)]}])` : `${id}n`));
      const lines = await browser.run(program(keys));
      if (lines.length === 1) throw new Error(lines[0]);
      return lines.map((line) => orders.fromBytes(new Uint8Array(line.split(",").map(Number))));
    },
  },
});
