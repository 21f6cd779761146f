/** Chromium with a page, in which a bundle of the package runs. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
// @ts-expect-error: no types
import { startPuppeteer } from "../../www/lib/puppeteer.mjs";
import { serverOf } from "./servers.ts";

const HTML = `<!doctype html><meta charset="utf-8"><title>keys</title><link rel="icon" href="data:,">`;

/** Bundles a module for pages, with the package as it is installed here. */
async function bundled(code: string): Promise<string> {
  const stdin = { contents: code, resolveDir: import.meta.dirname };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: "esm", target: "esnext" });
  return outputFiles[0]?.text ?? "";
}

/** Starts Chromium, and opens an empty page of the loopback interface. */
async function startChromium() {
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(HTML),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const driver = await startPuppeteer("Chromium");
  await driver.fresh(origin);
  await driver.goto(`${origin}/`);
  return {
    /** Runs a module in the page. Gives what it logs, and what it throws as the last line. */
    async run(code: string): Promise<string[]> {
      return driver.evaluate(RUN, [await bundled(code)]);
    },
    async stop(): Promise<void> {
      await driver.close();
      server.close();
      server.closeAllConnections();
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

export const useChromium = () => serverOf(startChromium);
