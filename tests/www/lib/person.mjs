// A person at a browser, the same for all three browsers.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { targetDir } from "../../../xtask/lib/process.mjs";
import { asData, COUNT, FIND } from "./find.mjs";

/** Where pictures of the pages are; those of failed tests are in the folder `failed`. */
export const pictures = join(targetDir, "www-screenshots");

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * An element is named by a selector (`"#main"`), or `{ label: "Epoch" }`, `{ role: "button", name: "Copy" }`, `{ text: "..." }`;
 * `inside` limits it to what is within a selector; texts may be regular expressions. Only visible elements count.
 */
export class Person {
  #expected = [];
  #isOver = false;
  /** What does not happen, as far as it is known: told when a test hangs. */
  awaited;

  /** `driver`: for what only one browser can do. `server`: `log`, `change(path, content)`, `root`. */
  constructor(driver, server) {
    this.driver = driver;
    this.server = server;
    /** "Chromium", "Firefox" or "WebKitGTK". */
    this.browser = driver.name;
  }

  /** Opens a page of the site, and waits until it has loaded. `path`: from the site's root, with its query and fragment. */
  async open(path = "") {
    await this.driver.goto(this.server.root + path);
  }

  reload = () => this.driver.reload();

  /** The address, below the site's root. */
  async address() {
    return (await this.evaluate(() => location.href)).replace(this.server.root, "");
  }

  /** Opens another tab, and goes to it; gives its number, for `goTo`. The first one is 0. */
  newTab = () => this.driver.newTab();
  goTo = (tab) => this.driver.useTab(tab);

  /** Runs a function in the page. Its arguments and its result are data. */
  evaluate(work, ...args) {
    return this.driver.evaluate(String(work), args);
  }

  /**
   * Does something again until it gives something true, and gives that. What it throws counts as not yet: a page may just be
   * leaving. `what`: what did not happen, in words. Only the test has a limit (suite.mjs).
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

  /** Nothing is looked for any more. */
  leave() {
    this.#isOver = true;
  }

  /** Waits until a function of the page gives something true, and gives that. */
  until(work, ...args) {
    return this.#again(`this does not come true: ${work}`, () => this.evaluate(work, ...args));
  }

  /** How many there are now. */
  count(what) {
    return this.driver.evaluate(COUNT, [asData(what)]);
  }

  /** Waits for an element. `at`: which one of several. */
  find(what, at = 0) {
    const data = asData(what);
    return this.#again(`there is no ${JSON.stringify(data)} on the page`, () =>
      this.driver.element(FIND, [data, at]),
    );
  }

  /** Waits until there is no such element. */
  gone(what) {
    const words = `${JSON.stringify(asData(what))} stays on the page`;
    return this.#again(words, async () => (await this.count(what)) === 0);
  }

  /** Finds an element and does something with it: again, if it has been replaced in between. */
  async #on(what, work, ...args) {
    const result = await this.#again(`this fails on ${JSON.stringify(asData(what))}: ${work}`, async () => {
      const element = await this.find(what);
      return { value: await this.evaluate(work, element, ...args) };
    });
    return result.value;
  }

  /** The text of an element, as it is shown. */
  text(what) {
    // biome-ignore lint/performance/useDomNodeTextContent: what a person sees, without what is hidden.
    return this.#on(what, (element) => element.innerText);
  }

  /** What a control holds. */
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
   * Fills in the control with a label. A short text is typed, a long one goes in as if it were pasted; of a list, the choice with
   * this text is taken; controls for dates and numbers on a scale get the value.
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

  /** Stops the server, or starts it again. */
  async offline(yes) {
    await (yes ? this.server.stop() : this.server.start());
  }

  /** Waits until the service worker has the whole site and answers for this page. */
  async readyForOffline() {
    await this.until(() => navigator.serviceWorker.controller !== null);
  }

  /** Writes a picture. `options`: Puppeteer's. */
  async screenshot(file, options) {
    const path = join(pictures, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await this.driver.screenshot(options));
  }

  /** The text in the clipboard: pastes it into a field of its own. */
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
      // Firefox begins with an empty file of the same name, and any browser may be in the middle of it.
      const isWhole = found !== undefined && found.text !== "" && found.text === seen;
      seen = found?.text;
      return isWhole && found;
    });
  }

  /** The test makes this happen: a pattern of problems that are none. */
  expect(pattern) {
    this.#expected.push(pattern);
  }

  /** What went wrong since the test began: in the console, against the policy, and requests without success. */
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

/** Runs in the page: makes a control ready for typing, or sets its value where a person would not type. */
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
