/** Chromium with a page that runs a bundle of the package. */
import { build } from "esbuild";
// @ts-expect-error: no types
import { startBrowser } from "../../support/browsers.mjs";
// @ts-expect-error: no types
import { serve } from "../../support/server.mjs";
import { serverOf } from "./servers.ts";

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

export const useChromium = () => serverOf(startChromium);
