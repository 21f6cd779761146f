// A user at a browser, with the same methods for all three browsers.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { targetDir } from "../../../xtask/lib/process.mjs";
import { asData, COUNT, FIND } from "./find.mjs";

/** The folder for screenshots. Those of failed tests are in the subfolder `failed`. */
export const pictures = join(targetDir, "www-screenshots");

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * An element is described by a selector (`"#main"`), `{ label: "Epoch" }`, `{ role: "button", name:
 * "Copy" }` or `{ text: "..." }`. `inside` restricts the search to the content of a selector. Texts
 * may be regular expressions. Only visible elements count.
 */
export class Person {
  #expected = [];
  #isOver = false;
  /** The event that the test waits for, reported if it hangs. */
  awaited;

  /**
   * `driver`: for features of a single browser. `server`: `log`, `change(path, content)`, `root`.
   */
  constructor(driver, server) {
    this.driver = driver;
    this.server = server;
  }

  /**
   * Opens a page of the site and waits until it has loaded. `path`: from the site's root, with the
   * query and the fragment.
   */
  async open(path = "") {
    await this.driver.goto(this.server.root + path);
  }

  reload = () => this.driver.reload();

  /** The address relative to the site's root. */
  async address() {
    return (await this.evaluate(() => location.href)).replace(this.server.root, "");
  }

  /** Opens a new tab and switches to it. Returns its number for `goTo`. The first tab is 0. */
  newTab = () => this.driver.newTab();
  goTo = (tab) => this.driver.useTab(tab);

  /** Runs a function in the page. Its arguments and its result must be data. */
  evaluate(work, ...args) {
    return this.driver.evaluate(String(work), args);
  }

  /**
   * Repeats `work` until its result is truthy, and returns the result. An error counts as not yet,
   * because the page may be unloading. `what`: describes what did not happen. Only the test has a
   * time limit (suite.mjs).
   */
  async #again(what, work) {
    for (;;) {
      this.awaited = what;
      try {
        const found = await work();
        if (found) return found;
      } catch (error) {
        this.awaited += `\n${error.stack}`;
      }
      if (this.#isOver) throw new Error(what);
      await wait(50);
    }
  }

  /** Stops all searches. */
  leave() {
    this.#isOver = true;
  }

  /** Waits until a function in the page returns a truthy value, and returns it. */
  until(work, ...args) {
    return this.#again(`this does not come true: ${work}`, () => this.evaluate(work, ...args));
  }

  /** The current number of these elements. */
  count(what) {
    return this.driver.evaluate(COUNT, [asData(what)]);
  }

  /** Waits for an element. `at`: the index among several matches. */
  find(what, at = 0) {
    const data = asData(what);
    return this.#again(`there is no ${JSON.stringify(data)} on the page`, () =>
      this.driver.element(FIND, [data, at]),
    );
  }

  /** Waits until no such element exists. */
  gone(what) {
    const words = `${JSON.stringify(asData(what))} stays on the page`;
    return this.#again(words, async () => (await this.count(what)) === 0);
  }

  /**
   * Finds an element and runs a function on it. Retries if the element was replaced in the
   * meantime.
   */
  async #on(what, work, ...args) {
    const result = await this.#again(`this fails on ${JSON.stringify(asData(what))}: ${work}`, async () => {
      const element = await this.find(what);
      return { value: await this.evaluate(work, element, ...args) };
    });
    return result.value;
  }

  /** The visible text of an element. */
  text(what) {
    // biome-ignore lint/performance/useDomNodeTextContent: only the text that a user sees.
    return this.#on(what, (element) => element.innerText);
  }

  /** The value of a control. */
  value(what) {
    return this.#on(named(what), (element) => element.value);
  }

  attribute(what, name) {
    return this.#on(what, (element, name) => element.getAttribute(name), name);
  }

  async click(what, at) {
    await this.#again(`${JSON.stringify(asData(what))} cannot be clicked`, async () => {
      const element = await this.find(what, at);
      await this.evaluate((element) => element.scrollIntoView({ block: "center" }), element);
      await this.driver.click(element);
      return true;
    });
  }

  /**
   * Fills in the control with a label. A short text is typed; a long one is inserted as if pasted.
   * In a list, the option with this text is selected. Controls for dates and sliders get the value
   * directly.
   */
  async fill(label, text) {
    const { kind, refused } = await this.#on(named(label), begin, text);
    if (refused) throw new Error(`${JSON.stringify(asData(named(label)))} has no choice "${text}"`);
    if (kind === "set") return;
    if (text === "") await this.press("Backspace");
    else if (text.length > 60 || text.includes("\n"))
      await this.evaluate((text) => document.execCommand("insertText", false, text), text);
    else await this.driver.type(text);
  }

  /** Presses keys: "Tab", "Enter", "Shift+Tab", "Control+v". */
  async press(...chords) {
    for (const chord of chords) await this.driver.press(chord === "+" ? ["+"] : chord.split("+"));
  }

  resize = (width, height) => this.driver.resize(width, height);

  /** Stops or restarts the server. */
  async offline(yes) {
    await (yes ? this.server.stop() : this.server.start());
  }

  /** Waits until the service worker has cached the whole site and controls this page. */
  async readyForOffline() {
    await this.until(() => navigator.serviceWorker.controller !== null);
  }

  /** Saves a screenshot. `options`: Puppeteer's options. */
  async screenshot(file, options) {
    const path = join(pictures, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await this.driver.screenshot(options));
  }

  /** The text in the clipboard, read by pasting it into a temporary field. */
  async clipboard() {
    await this.evaluate(() => {
      const field = document.createElement("textarea");
      field.id = "pasted";
      document.body.append(field);
      field.focus();
    });
    await this.press("Control+v");
    return this.evaluate(() => {
      const field = document.getElementById("pasted");
      field.remove();
      return field.value;
    });
  }

  /** Waits for the file that `work` downloads: `{ file, text }`. */
  async download(work) {
    const before = this.driver.downloads().map(({ file }) => file);
    const added = () => this.driver.downloads().find(({ file }) => !before.includes(file));
    await work();
    let seen;
    return this.#again("nothing was downloaded", () => {
      const found = added();
      // Firefox first creates an empty file of the same name, and any browser may still be writing.
      const isWhole = found !== undefined && found.text !== "" && found.text === seen;
      seen = found?.text;
      return isWhole && found;
    });
  }

  /** Expects problems that match a pattern, because the test causes them. */
  expect(pattern) {
    this.#expected.push(pattern);
  }

  /**
   * The problems since the start of the test: console errors, policy violations and failed
   * requests.
   */
  async problems() {
    const { log, under } = this.server;
    const refused = log
      .filter(({ status, url }) => status >= 400 || !url.startsWith(under))
      .map(({ method, url, status }) => `${method} ${url}: ${status}`);
    const found = [...(await this.driver.problems()), ...refused];
    return found.filter((problem) => !this.#expected.some((pattern) => pattern.test(problem)));
  }
}

/** A string is a label. */
const named = (what) => (typeof what === "string" ? { label: what } : what);

/**
 * Runs in the page. Prepares a control for typing or sets its value if a user would not type it.
 */
function begin(element, text) {
  const changed = () => {
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
    return { kind: "set" };
  };
  if (element.matches("select")) {
    const option = [...element.options].find(({ label, value }) => label.trim() === text || value === text);
    if (option === undefined) return { refused: true };
    element.value = option.value;
    return changed();
  }
  if (element.matches("[type=range], [type=date], [type=time], [type=datetime-local], [type=color]")) {
    element.value = text;
    return changed();
  }
  element.focus();
  if (element.select) element.select();
  else getSelection().selectAllChildren(element);
  return { kind: "typed" };
}
