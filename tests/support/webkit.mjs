// Drives WebKitGTK with WebDriver, a protocol of JSON requests. It has no headless mode, so it gets
// a virtual screen.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endGroup, startGroup } from "../../xtask/lib/process.mjs";
import { freePort } from "./places.mjs";
import { NOTED } from "./watch.mjs";

const TRIPLET = { x64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" }[process.arch];
const BROWSER = `/usr/lib/${TRIPLET}/webkit2gtk-4.1/MiniBrowser`;
const DRIVER = "/usr/bin/WebKitWebDriver";
const SCREEN = "/usr/bin/xvfb-run";

/** The programs that it needs, and the Debian packages with them. */
export const WEBKIT = {
  [BROWSER]: "libwebkit2gtk-4.1-0",
  [DRIVER]: "webkit2gtk-driver",
  [SCREEN]: "xvfb",
  "/usr/bin/xauth": "xauth",
};

/** The key of an element's identifier in WebDriver's responses. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** The keys with a WebDriver code, in its order, from U+E003. */
const KEYS =
  "Backspace Tab Clear Return Enter Shift Control Alt Pause Escape Space PageUp PageDown End Home ArrowLeft ArrowUp ArrowRight ArrowDown Insert Delete".split(
    " ",
  );

function keyOf(name) {
  const at = KEYS.indexOf(name === " " ? "Space" : name);
  return at < 0 ? name : String.fromCharCode(0xe003 + at);
}

const down = (key) => ({ type: "keyDown", value: keyOf(key) });
const up = (key) => ({ type: "keyUp", value: keyOf(key) });

/** A WebDriver script that runs a function, and resolves to its result. */
const scriptOf = (source) => `const args = [...arguments];
const done = args.pop();
(async () => (${source})(...args))().then(
  (value) => done({ value }),
  (error) => done({ error: error + "\\n" + error?.stack }),
);`;

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Starts the driver, the browser and a screen. Returns functions that call the driver in this
 * session.
 */
async function launch(home) {
  writeFileSync(join(home, "user-dirs.dirs"), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');
  const port = await freePort();
  const homes = ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"].map((name) => [name, home]);
  const env = { ...process.env, ...Object.fromEntries(homes), GTK_THEME: "Adwaita" };
  const screen = ["--auto-servernum", "--server-args=-screen 0 1600x1200x24"];
  const { pid } = startGroup(SCREEN, [...screen, DRIVER, `--port=${port}`], { stdio: "ignore", env });
  async function ask(method, path, body) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }
  while (!(await ask("GET", "/status").catch(() => false))) await wait(50);
  // The only time limit is that of the test.
  const timeouts = { script: null, pageLoad: Number.MAX_SAFE_INTEGER };
  const options = { binary: BROWSER, args: ["--automation"] };
  const capabilities = { alwaysMatch: { timeouts, "webkitgtk:browserOptions": options } };
  const session = await ask("POST", "/session", { capabilities });
  return {
    version: session.capabilities.browserVersion,
    get: (path) => ask("GET", `/session/${session.sessionId}${path}`),
    post: (path, body = {}) => ask("POST", `/session/${session.sessionId}${path}`, body),
    closeWindow: () => ask("DELETE", `/session/${session.sessionId}/window`),
    async close() {
      await ask("DELETE", `/session/${session.sessionId}`).catch(() => {});
      await endGroup(pid);
    },
  };
}

/** Starts a browser with a home folder, in which it saves downloads to "Downloads". */
export async function startWebKit(home) {
  const { version, get, post, closeWindow, close } = await launch(home);
  /** The tabs in the order in which they were opened. The driver's own list has no order. */
  let tabs = [];

  const switchTo = (handle) => post("/window", { handle });
  const keys = (actions) => post("/actions", { actions: [{ type: "key", id: "keys", actions }] });

  async function evaluate(source, args = []) {
    const { value, error } = await post("/execute/async", { script: scriptOf(source), args });
    if (error !== undefined) throw new Error(error);
    return value;
  }

  return {
    version,
    async fresh() {
      const [first, ...more] = await get("/window/handles");
      tabs = [first];
      for (const handle of more) {
        await switchTo(handle);
        await closeWindow();
      }
      await switchTo(first);
      await post("/url", { url: "about:blank" });
    },
    async newTab() {
      const { handle } = await post("/window/new", { type: "tab" });
      await switchTo(handle);
      return tabs.push(handle) - 1;
    },
    useTab: (i) => switchTo(tabs[i]),
    async closeTab(i) {
      await switchTo(tabs[i]);
      const [handle] = await closeWindow();
      await switchTo(handle);
    },
    goto: (url) => post("/url", { url }),
    reload: () => post("/refresh"),
    evaluate,
    element: evaluate,
    click: (element) => post(`/element/${element[ELEMENT]}/click`),
    type: (text) => keys([...text].flatMap((key) => [down(key), up(key)])),
    press: (names) => keys([...names.map(down), ...names.toReversed().map(up)]),
    async resize(width, height) {
      // The size includes the window's bars. The window cannot be narrower than 447 pixels.
      const inner = await evaluate("() => innerHeight");
      const outer = await get("/window/rect");
      await post("/window/rect", { width, height: height + outer.height - inner });
      while ((await evaluate("() => innerHeight")) !== height) await wait(50);
    },
    screenshot: async () => Buffer.from(await get("/screenshot"), "base64"),
    async problems() {
      const found = [];
      for (const handle of tabs) {
        await switchTo(handle);
        found.push(...(await evaluate(NOTED).catch(() => [])));
      }
      return found;
    },
    close,
  };
}
