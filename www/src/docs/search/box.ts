/** The search box: loads the index when it is first used, lists what it finds, and is at home on the keyboard. */
import type { Found } from "./find.ts";

/** Enough to choose from; more words find less. */
const MOST = 12;

const required = <T extends Element>(selector: string): T => {
  const found = document.querySelector<T>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
};

const typesText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** A result: the page, the section, and the text around the words that were found, which are marked. */
function itemOf(found: Found, root: string): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = root + found.path;
  const where = document.createElement("span");
  where.className = "where";
  where.textContent = found.section === "" ? found.page : `${found.page} › ${found.section}`;
  const text = document.createElement("span");
  text.className = "text";
  for (const { words, marked } of found.pieces) {
    const piece = document.createElement(marked ? "mark" : "span");
    piece.textContent = words;
    text.append(piece);
  }
  link.append(where, text);
  item.append(link);
  return item;
}

export function searchBox(): void {
  const form = required<HTMLFormElement>("#site-search");
  const input = required<HTMLInputElement>("#site-query");
  const said = required<HTMLElement>("#site-found");
  const list = required<HTMLOListElement>("#site-results");
  const { index = "", root = "" } = form.dataset;
  let loading: Promise<typeof import("./find.ts")> | undefined;

  const load = () => {
    loading ??= import("./find.ts").then(async (module) => {
      await module.loadIndex(new URL(index, location.href));
      return module;
    });
    // The next use tries again.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };

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
      const { find } = await load();
      // While the index was loading, somebody may have typed on.
      if (input.value.trim() !== query) return;
      const found = find(query);
      list.replaceChildren(...found.slice(0, MOST).map((one) => itemOf(one, root)));
      list.hidden = found.length === 0;
      const results = `${found.length} result${found.length === 1 ? "" : "s"}`;
      if (found.length === 0) say(`Nothing found for “${query}”.`, true);
      else say(found.length > MOST ? `${results}, the first ${MOST} are shown` : results);
    } catch (error) {
      console.warn("the index of the search:", error);
      say("The index of the search could not be loaded.", true);
    }
  };

  /** Moves from the box into the list and along it, and from its first result back. */
  const move = (step: number) => {
    const links: Element[] = [...list.querySelectorAll("a")];
    const at = (document.activeElement === null ? -1 : links.indexOf(document.activeElement)) + step;
    const next = at < 0 ? input : links[Math.min(at, links.length - 1)];
    if (next instanceof HTMLElement) next.focus();
  };

  const leave = () => {
    list.hidden = true;
    say("");
  };

  input.addEventListener("focus", () => {
    load().catch(() => undefined);
    if (list.childElementCount > 0) list.hidden = false;
  });
  input.addEventListener("input", show);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await show();
    list.querySelector("a")?.click();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      input.focus();
      leave();
    }
  });
  // A link to a section of this page loads nothing, so the list would stay.
  list.addEventListener("click", leave);
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !form.contains(target)) leave();
  });
  form.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !form.contains(relatedTarget)) leave();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typesText(event.target))
      return;
    event.preventDefault();
    input.focus();
    input.select();
    input.scrollIntoView({ block: "nearest" });
  });
}
