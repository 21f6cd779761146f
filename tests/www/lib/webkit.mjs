// WebKitGTK, driven by WebDriver: a protocol of requests in JSON. It has no mode without a window, so it gets a screen in memory.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BROWSERS } from "../../everywhere/lib/browser.mjs";
import { freePort } from "../../everywhere/lib/ports.mjs";
import { NOTED } from "./watch.mjs";

export const DRIVER = "/usr/bin/WebKitWebDriver";

/** The key of an element's identifier in WebDriver's answers. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** The characters that WebDriver has for keys without one. */
const KEYS = {
  ...{
    Backspace: "\uE003",
    Tab: "\uE004",
    Enter: "\uE007",
    Shift: "\uE008",
    Control: "\uE009",
    Alt: "\uE00A",
  },
  ...{
    Escape: "\uE00C",
    " ": "\uE00D",
    Space: "\uE00D",
    PageUp: "\uE00E",
    PageDown: "\uE00F",
    End: "\uE010",
  },
  ...{ Home: "\uE011", ArrowLeft: "\uE012", ArrowUp: "\uE013", ArrowRight: "\uE014", ArrowDown: "\uE015" },
  Delete: "\uE017",
};

/** A script of WebDriver that resolves to a function's result. */
const scriptOf = (source) => `const args = [...arguments];
const done = args.pop();
(async () => (${source})(...args))().then(
  (value) => done({ value }),
  (error) => done({ error: error + "\\n" + error?.stack }),
);`;

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Starts the driver, the browser and a screen. `theme`: GTK's, which the browser takes. */
async function launch(home, theme) {
  const port = await freePort();
  const env = {
    ...process.env,
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
  };
  env.GTK_THEME = theme === "dark" ? "Adwaita:dark" : "Adwaita";
  const [screen, ...first] = BROWSERS.WebKitGTK.before;
  const size = "--server-args=-screen 0 1600x1200x24";
  const child = spawn(screen, [...first, size, DRIVER, `--port=${port}`], {
    detached: true,
    stdio: "ignore",
    env,
  });
  // Its group is its own, so nothing else ends it if this process is interrupted.
  const end = () => process.kill(-child.pid, "SIGTERM");
  process.once("exit", end);
  const url = `http://127.0.0.1:${port}`;
  async function ask(method, path, body) {
    const response = await fetch(url + path, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }
  while (!(await fetch(`${url}/status`).catch(() => false))) await wait(50);
  const options = { binary: BROWSERS.WebKitGTK.file, args: ["--automation"] };
  // Only a test has a limit (suite.mjs).
  const timeouts = { script: null, pageLoad: Number.MAX_SAFE_INTEGER };
  const wanted = { alwaysMatch: { timeouts, "webkitgtk:browserOptions": options } };
  const { sessionId, capabilities } = await ask("POST", "/session", { capabilities: wanted });
  return {
    version: capabilities.browserVersion,
    ask: (method, path, body) => ask(method, `/session/${sessionId}${path}`, body),
    async close() {
      await ask("DELETE", `/session/${sessionId}`).catch(() => {});
      // Asked first, so that the screen removes its lock.
      process.off("exit", end);
      end();
      await wait(300);
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    },
  };
}

export async function startWebKit() {
  const home = mkdtempSync(join(tmpdir(), "graupel-www-"));
  const folder = join(home, "Downloads");
  mkdirSync(folder);
  writeFileSync(join(home, "user-dirs.dirs"), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n');
  let theme = "light";
  let { ask, version, close } = await launch(home, theme);
  /** In the order in which they were opened; the driver's own list has no order. */
  let tabs = [];

  async function evaluate(source, args = []) {
    const result = await ask("POST", "/execute/async", { script: scriptOf(source), args });
    if (result.error !== undefined) throw new Error(result.error);
    return result.value;
  }

  async function newTab() {
    const { handle } = await ask("POST", "/window/new", { type: "tab" });
    await ask("POST", "/window", { handle });
    tabs.push(handle);
    return tabs.length - 1;
  }

  const keys = (actions) => ask("POST", "/actions", { actions: [{ type: "key", id: "keys", actions }] });

  return {
    name: "WebKitGTK",
    version,
    async fresh() {
      // A file of the same name would be overwritten, or would get another name.
      for (const file of readdirSync(folder)) rmSync(join(folder, file));
      const [first, ...more] = await ask("GET", "/window/handles");
      tabs = [first];
      for (const handle of more) {
        await ask("POST", "/window", { handle });
        await ask("DELETE", "/window");
      }
      await ask("POST", "/window", { handle: first });
      await ask("POST", "/url", { url: "about:blank" });
    },
    newTab,
    async useTab(i) {
      await ask("POST", "/window", { handle: tabs[i] });
    },
    async closeTab(i) {
      await ask("POST", "/window", { handle: tabs[i] });
      const [handle] = await ask("DELETE", "/window");
      await ask("POST", "/window", { handle });
    },
    goto: (url) => ask("POST", "/url", { url }),
    reload: () => ask("POST", "/refresh", {}),
    back: () => ask("POST", "/back", {}),
    evaluate,
    element: async (source, args) => (await evaluate(source, args)) ?? null,
    evaluateOn: (element, source, args) => evaluate(source, [element, ...args]),
    click: (element) => ask("POST", `/element/${element[ELEMENT]}/click`, {}),
    async type(text) {
      const strokes = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await keys(strokes);
    },
    async press(names) {
      const values = names.map((name) => KEYS[name] ?? name);
      await keys([
        ...values.map((value) => ({ type: "keyDown", value })),
        ...values.toReversed().map((value) => ({ type: "keyUp", value })),
      ]);
    },
    async resize(width, height) {
      // The size is the window's, with its bars; it goes no narrower than 447 pixels.
      const inner = await evaluate("() => [innerWidth, innerHeight]");
      const outer = await ask("GET", "/window/rect");
      const bars = outer.height - inner[1];
      await ask("POST", "/window/rect", { width, height: height + bars });
      while ((await evaluate("() => innerHeight")) !== height) await wait(50);
    },
    screenshot: async () => Buffer.from(await ask("GET", "/screenshot"), "base64"),
    async theme(wanted) {
      if (theme === wanted) return;
      theme = wanted;
      await close();
      ({ ask, close } = await launch(home, theme));
      tabs = await ask("GET", "/window/handles");
    },
    downloads: () => {
      const whole = readdirSync(folder).filter((file) => !file.endsWith(".wkdownload"));
      return whole.map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));
    },
    async problems() {
      const found = [];
      for (const handle of tabs) {
        await ask("POST", "/window", { handle });
        found.push(...(await evaluate(NOTED).catch(() => [])));
      }
      return found;
    },
    async close() {
      await close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
