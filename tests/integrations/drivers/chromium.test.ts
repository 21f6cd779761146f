/** IndexedDB in Chromium, and the guide to keys. The pages run bundles of the package. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
// @ts-expect-error: no types
import { startBrowser } from "../../support/browsers.mjs";
// @ts-expect-error: no types
import { serve } from "../../support/server.mjs";
import { programOf } from "../support/guide.ts";
import { orders } from "../support/rows.ts";
import { serverOf } from "../support/servers.ts";
import { agreeWithPage } from "./page.ts";

const HTML = `<!doctype html><meta charset="utf-8"><title>keys</title><link rel="icon" href="data:,">`;

/** Bundles a module for pages, with the package that is installed here. */
async function bundled(code: string): Promise<string> {
  const stdin = { contents: code, resolveDir: import.meta.dirname };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "esm", target: "esnext" });
  return outputFiles[0]?.text ?? "";
}

/** Starts Chromium and opens an empty page on the loopback interface. */
async function startChromium() {
  const { origin, stop } = await serve(() => ({ content: HTML }));
  const driver = await startBrowser("Chromium");
  await driver.fresh(origin);
  await driver.goto(`${origin}/`);
  return {
    /** Runs a module in the page. Returns its log and, as the last line, its error. */
    async run(code: string): Promise<string[]> {
      return driver.evaluate(RUN, [await bundled(code)]);
    },
    async stop(): Promise<void> {
      await driver.close();
      await stop();
    },
  };
}

const RUN = `async (code) => {
  const lines = [];
  console.log = (...values) => lines.push(values.join(" "));
  try {
    await import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
  } catch (error) {
    lines.push(String(error));
  }
  return lines;
}`;

const browser = serverOf(startChromium);

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

test("the guide", async () => {
  const { code, wanted } = programOf("keys.md", "indexeddb", 2);
  assert.deepEqual(await browser.run(code), wanted);
});
