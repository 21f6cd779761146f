// One interface for Chromium, Firefox and WebKitGTK. Puppeteer drives Chromium with its own
// protocol, and Firefox with WebDriver BiDi.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporary } from "./places.mjs";
import { NOTED } from "./watch.mjs";
import { startWebKit, WEBKIT } from "./webkit.mjs";

/** Each browser: the programs that it needs, and the Debian packages with them. */
export const BROWSERS = {
  Chromium: { "/usr/bin/chromium": "chromium" },
  Firefox: { "/usr/bin/firefox-esr": "firefox-esr" },
  WebKitGTK: WEBKIT,
};

/**
 * A browser in the form of a server of tests/leases/servers: the installed programs, and the
 * command that installs them.
 */
export const installationOf = (name) => ({
  install: `apt-get install --no-install-recommends ${Object.values(BROWSERS[name]).join(" ")}`,
  find: () => (Object.keys(BROWSERS[name]).every(existsSync) ? Object.keys(BROWSERS[name]) : undefined),
});

/** Flags for root and for a machine without a GPU, and against requests to Google's hosts. */
const CHROMIUM = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/** The same for Firefox. The last line selects the light theme, whatever the system's theme is. */
const FIREFOX = {
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.enabled": false,
  "browser.download.folderList": 2,
  "browser.download.always_ask_before_handling_new_types": false,
  "layout.css.prefers-color-scheme.content-override": 1,
};

/**
 * Firefox's message for a request that ends because the page is left. A failing worker has another
 * message.
 */
const LEFT = /A ServiceWorker intercepted the request and encountered an unexpected error/;

/** Starts a browser. `extension`: the folder of an extension for Chromium. */
async function launch(name, home, downloads, extension) {
  const { default: puppeteer } = await import("puppeteer-core");
  return puppeteer.launch({
    browser: name === "Chromium" ? "chrome" : "firefox",
    executablePath: Object.keys(BROWSERS[name])[0],
    userDataDir: join(home, "profile"),
    // The only time limit is that of the test.
    timeout: 0,
    protocolTimeout: 0,
    ...(name === "Chromium"
      ? { args: CHROMIUM, downloadBehavior: { policy: "allow", downloadPath: downloads } }
      : { extraPrefsFirefox: { ...FIREFOX, "browser.download.dir": downloads } }),
    ...(extension && { enableExtensions: [extension], pipe: true }),
  });
}

/** Makes a function from a source text, for Puppeteer, which sends the source. */
const asFunction = (source) => new Function(`return (${source});`)();

/** Calls `note` with the errors of a page. `isOwn`: whether the page may request an address. */
function listenTo(page, isOwn, note) {
  page.on("console", (message) => {
    if (["error", "warn", "warning"].includes(message.type()))
      note(`console.${message.type()}: ${message.text()} (${message.location()?.url ?? ""})`);
  });
  page.on("pageerror", (error) => {
    const words = String(error?.stack ?? error);
    if (!LEFT.test(words)) note(`error: ${words}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (/^(https?|wss?):/.test(url) && !isOwn(url)) note(`a request to another origin: ${url}`);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Leaving a page aborts its pending requests.
    if (!/ABORTED/i.test(reason)) note(`failed: ${request.url()} ${reason}`);
  });
}

/** The names and texts of the complete files in a folder. */
const filesIn = (folder) =>
  readdirSync(folder)
    .filter((file) => !/\.(part|crdownload|wkdownload)$|^\./.test(file))
    .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));

async function startPuppeteer(name, home, downloads, extension) {
  const browser = await launch(name, home, downloads, extension);
  const problems = new Set();
  let tabs = [];
  let current;
  let origin = "";

  async function newTab() {
    current = await browser.newPage();
    current.setDefaultTimeout(0);
    listenTo(
      current,
      (url) => url.startsWith(`${origin}/`),
      (problem) => problems.add(problem),
    );
    if (name === "Chromium") {
      // Scroll bars without a width, as on a phone.
      const session = await current.createCDPSession();
      await session.send("Emulation.setScrollbarsHidden", { hidden: true });
    }
    return tabs.push(current) - 1;
  }

  return {
    version: /\d+(\.\d+)+/.exec(await browser.version())[0],
    async fresh(at) {
      const old = tabs;
      tabs = [];
      origin = at;
      await newTab();
      for (const page of old) await page.close();
      problems.clear();
    },
    newTab,
    async useTab(i) {
      current = tabs[i];
      await current.bringToFront();
    },
    async closeTab(i) {
      const gone = new Promise((done) => tabs[i].once("close", done));
      await tabs[i].close({ runBeforeUnload: true });
      await gone;
    },
    goto: (url) => current.goto(url, { waitUntil: "load" }),
    reload: () => current.reload({ waitUntil: "load" }),
    evaluate: (source, args = []) => current.evaluate(asFunction(source), ...args),
    element: async (source, args) => (await current.evaluateHandle(asFunction(source), ...args)).asElement(),
    click: (element) => element.click(),
    type: (text) => current.keyboard.type(text),
    async press(keys) {
      for (const key of keys) await current.keyboard.down(key);
      for (const key of keys.toReversed()) await current.keyboard.up(key);
    },
    resize: (width, height) => current.setViewport({ width, height }),
    screenshot: (options) => current.screenshot(options),
    async problems() {
      for (const page of tabs)
        for (const problem of await page.evaluate(asFunction(NOTED)).catch(() => [])) problems.add(problem);
      const found = [...problems];
      problems.clear();
      return found;
    },
    /** Puppeteer's page object, for features that only Chromium has. */
    page: () => current,
    port: () => Number(new URL(browser.wsEndpoint()).port),
    close: () => browser.close(),
  };
}

/**
 * Starts a browser with a new profile. `evaluate` and `element` run a function in the page and
 * return data or an element. `fresh(origin)`: opens a new tab and closes all others; the page may
 * request only this origin. `closeTab`: closes a tab like a person, so that the page gets its
 * events.
 */
export async function startBrowser(name, { extension } = {}) {
  const home = temporary("browser");
  const downloads = join(home, "Downloads");
  mkdirSync(downloads);
  const driver = await (name === "WebKitGTK"
    ? startWebKit(home)
    : startPuppeteer(name, home, downloads, extension));
  return {
    ...driver,
    name,
    async fresh(origin) {
      // Otherwise a file with the same name would be overwritten or get another name.
      for (const file of readdirSync(downloads)) rmSync(join(downloads, file));
      await driver.fresh(origin);
    },
    downloads: () => filesIn(downloads),
  };
}
