// Chromium and Firefox, driven by Puppeteer: the one by its own protocol, the other by WebDriver BiDi.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BROWSERS, CHROMIUM, FIREFOX } from "../../everywhere/lib/browser.mjs";
import { importTool } from "./places.mjs";
import { NOTED } from "./watch.mjs";

/** In Firefox a setting of the profile; 2 is what the system says. */
const SCHEME = "layout.css.prefers-color-scheme.content-override";

/** What Firefox says of a request that ends because its page is left. A worker that fails says something else. */
const LEFT = /A ServiceWorker intercepted the request and encountered an unexpected error/;

async function launch(name, profile, downloads, theme) {
  const { default: puppeteer } = await importTool("puppeteer-core");
  const common = {
    executablePath: BROWSERS[name].file,
    headless: true,
    userDataDir: profile,
    // Only a test has a limit (suite.mjs).
    timeout: 0,
    protocolTimeout: 0,
  };
  if (name === "Chromium") {
    const browser = await puppeteer.launch({ ...common, browser: "chrome", args: CHROMIUM });
    const session = await browser.target().createCDPSession();
    await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
    return browser;
  }
  const extraPrefsFirefox = {
    ...FIREFOX,
    [SCHEME]: theme === "dark" ? 0 : 1,
    "browser.download.folderList": 2,
    "browser.download.dir": downloads,
    "browser.download.always_ask_before_handling_new_types": false,
  };
  return puppeteer.launch({ ...common, browser: "firefox", extraPrefsFirefox });
}

/** The function of a source text, for Puppeteer, which sends the source again. */
const asFunction = (source) => new Function(`return (${source});`)();

export async function startPuppeteer(name) {
  const home = mkdtempSync(join(tmpdir(), "graupel-www-"));
  let theme = "light";
  let starts = 0;
  let browser;
  let downloads;
  let tabs = [];
  let current;
  let problems = [];
  let origin = "";

  async function start() {
    starts += 1;
    downloads = join(home, `downloads-${starts}`);
    mkdirSync(downloads);
    browser = await launch(name, join(home, `profile-${starts}`), downloads, theme);
  }

  function listenTo(page) {
    page.on("console", (message) => {
      if (["error", "warn", "warning"].includes(message.type()))
        problems.push(`console.${message.type()}: ${message.text()} (${message.location()?.url ?? ""})`);
    });
    page.on("pageerror", (error) => {
      const words = String(error?.stack ?? error);
      if (!LEFT.test(words)) problems.push(`error: ${words}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (/^(https?|wss?):/.test(url) && !url.startsWith(`${origin}/`))
        problems.push(`a request to another origin: ${url}`);
    });
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // Leaving a page ends what it was still loading.
      if (!/ABORTED/i.test(reason)) problems.push(`failed: ${request.url()} ${reason}`);
    });
  }

  async function newTab() {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    listenTo(page);
    if (name === "Chromium") {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      // As on a phone, where they take no room.
      const session = await page.createCDPSession();
      await session.send("Emulation.setScrollbarsHidden", { hidden: true });
    }
    tabs.push(page);
    current = page;
    return tabs.length - 1;
  }

  await start();
  const version = /\d+(\.\d+)+/.exec(await browser.version())[0];
  return {
    name,
    version,
    /** A new tab, and no other. `at`: the only origin that may be asked. */
    async fresh(at) {
      const old = tabs;
      tabs = [];
      origin = at;
      await newTab();
      for (const page of old) await page.close();
      // A file of the same name would be overwritten, or would get another name.
      for (const file of readdirSync(downloads)) rmSync(join(downloads, file));
      problems = [];
    },
    newTab,
    async useTab(i) {
      current = tabs[i];
      await current.bringToFront();
    },
    /** Closes the tab as a person does: the page hears of it. */
    async closeTab(i) {
      const page = tabs[i];
      const gone = new Promise((done) => page.once("close", done));
      await page.close({ runBeforeUnload: true });
      await gone;
    },
    goto: (url) => current.goto(url, { waitUntil: "load" }),
    reload: () => current.reload({ waitUntil: "load" }),
    back: () => current.goBack({ waitUntil: "load" }),
    evaluate: (source, args) => current.evaluate(asFunction(source), ...args),
    async element(source, args) {
      const handle = await current.evaluateHandle(asFunction(source), ...args);
      return handle.asElement();
    },
    /** A function of an element and more arguments. */
    evaluateOn: (element, source, args) => element.evaluate(asFunction(source), ...args),
    click: (element) => element.click(),
    type: (text) => current.keyboard.type(text),
    async press(keys) {
      for (const key of keys) await current.keyboard.down(key);
      for (const key of keys.toReversed()) await current.keyboard.up(key);
    },
    resize: (width, height) => current.setViewport({ width, height }),
    screenshot: ({ whole }) => current.screenshot({ fullPage: whole }),
    async theme(wanted) {
      if (theme === wanted) return;
      theme = wanted;
      if (name === "Chromium") {
        for (const page of tabs)
          await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
        return;
      }
      await browser.close();
      await start();
      tabs = [];
      await newTab();
    },
    /** The names and the texts of the files that were downloaded. */
    downloads: () =>
      readdirSync(downloads)
        .filter((file) => !/\.(part|crdownload)$|^\./.test(file))
        .map((file) => ({ file, text: readFileSync(join(downloads, file), "utf8") })),
    async problems() {
      for (const page of tabs) problems.push(...(await page.evaluate(asFunction(NOTED)).catch(() => [])));
      const found = [...new Set(problems)];
      problems = [];
      return found;
    },
    /** Puppeteer's own page, for what only Chromium can do. */
    page: () => current,
    port: () => Number(new URL(browser.wsEndpoint()).port),
    async close() {
      await browser.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
