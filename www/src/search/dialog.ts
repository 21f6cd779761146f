/**
 * The search dialog. It loads the index when it first opens, lists the results, and can be used
 * with the keyboard.
 */
import "./search.css";
import { type Found, find, useIndex } from "./find.ts";
import { INDEX } from "./options.mjs";

/** The number of results to choose from. A query with more words finds fewer. */
const MOST = 12;

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/**
 * A result: the group, the page, the section, and an excerpt in which the words of the query are
 * marked.
 */
function itemOf({ path, page, section, group, pieces }: Found, root: URL): HTMLLIElement {
  const where = section === "" ? page : `${page} › ${section}`;
  const text = pieces.map(({ words, marked }) => element(marked ? "mark" : "span", {}, words));
  const link = element(
    "a",
    { href: new URL(path, root).href },
    element("span", { className: "where" }, where),
    element("span", { className: "group" }, group),
    element("span", { className: "text" }, ...text),
  );
  return element("li", {}, link);
}

let loading: Promise<void> | undefined;

/** Loads the index once. After a failure, the next search tries again. */
function loadIndex(root: URL): Promise<void> {
  const load = async () => {
    const response = await fetch(new URL(INDEX, root));
    if (!response.ok) throw new Error(`${response.status}`);
    await useIndex(await response.text());
  };
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

function makeInput(): HTMLInputElement {
  const input = element("input", {
    id: "site-query",
    type: "search",
    autocomplete: "off",
    spellcheck: false,
  });
  input.setAttribute("aria-label", "Search the documentation");
  input.setAttribute("aria-describedby", "site-found");
  input.placeholder = "decode, autoscaling, SEQUENCE_FULL …";
  return input;
}

/**
 * Moves the focus from the input into the list and along it, and from the first result back to the
 * input.
 */
function move(input: HTMLElement, list: HTMLElement, step: number): void {
  const links: Element[] = [...list.querySelectorAll("a")];
  const at = (document.activeElement === null ? -1 : links.indexOf(document.activeElement)) + step;
  const next = at < 0 ? input : links[Math.min(at, links.length - 1)];
  if (next instanceof HTMLElement) next.focus();
}

function make(root: URL): HTMLDialogElement {
  const input = makeInput();
  const said = element("p", { id: "site-found", className: "visually-hidden" });
  said.setAttribute("role", "status");
  const list = element("ol", { id: "site-results", hidden: true });
  const close = element("button", { type: "button", className: "close" }, "Close");
  const form = element("form", {}, input, close);
  const dialog = element("dialog", { id: "site-search" }, form, said, list);
  dialog.setAttribute("aria-label", "Search");

  const say = (text: string, visibly = false) => {
    said.textContent = text;
    said.className = visibly ? "quiet" : "visually-hidden";
  };

  const show = async () => {
    const query = input.value.trim();
    if (query === "") {
      list.hidden = true;
      list.replaceChildren();
      say("");
      return;
    }
    try {
      await loadIndex(root);
      // The query may have changed while the index was loading.
      if (input.value.trim() !== query) return;
      const { found, unknown } = find(query);
      list.replaceChildren(...found.slice(0, MOST).map((one) => itemOf(one, root)));
      list.hidden = found.length === 0;
      list.scrollTop = 0;
      const missing = `No page contains ${unknown.map((word) => `“${word}”`).join(" or ")}.`;
      if (unknown.length > 0) say(found.length === 0 ? missing : `${missing} The closest pages:`, true);
      else if (found.length === 0) say(`Nothing found for “${query}”.`, true);
      else if (found.length > MOST) say(`The first ${MOST} of ${found.length} results`);
      else say(`${found.length} result${found.length === 1 ? "" : "s"}`);
    } catch {
      list.hidden = true;
      say("The search index could not be loaded.", true);
    }
  };

  input.addEventListener("input", show);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await show();
    list.querySelector("a")?.click();
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => {
    const { key } = event;
    if (!/^(?:ArrowDown|ArrowUp|Escape)$/.test(key)) return;
    // In some browsers, Escape would also clear the input.
    event.preventDefault();
    if (key === "Escape") dialog.close();
    else move(input, list, key === "ArrowDown" ? 1 : -1);
  });
  // A link to a section of this page loads no page, so the dialog would stay open.
  list.addEventListener("click", () => dialog.close());
  // A click outside the dialog closes it.
  dialog.addEventListener("pointerdown", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}

let window: HTMLDialogElement | undefined;

/** Opens the dialog with the previous query. `root`: the site's root. */
export function openSearch(root: URL): void {
  window ??= make(root);
  if (!window.open) window.showModal();
  window.querySelector("input")?.select();
  // Load the index now, because a search will follow soon. If loading fails, the search reports it.
  loadIndex(root).catch(() => undefined);
}
