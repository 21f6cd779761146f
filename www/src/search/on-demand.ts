/**
 * The search of every page: a button, and "/" or Control+K. Its code is loaded when somebody is
 * about to use it.
 */

/** Whether a "/" is part of a text. The first page gives the focus to its empty entry, and no ID begins with one. */
const typesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement
    ? target.value !== ""
    : target instanceof HTMLElement &&
      (target.isContentEditable || /^(?:INPUT|SELECT)$/.test(target.tagName));

/** `root`: the site's root. */
export function searchOnDemand(root: URL): void {
  const button = document.querySelector<HTMLButtonElement>(".search-open");
  if (button === null) return;
  const load = () => import("./dialog.ts");
  const open = () =>
    load().then(
      ({ openSearch }) => openSearch(root),
      () => {
        button.textContent = "The search could not be loaded";
      },
    );
  button.addEventListener("pointerenter", () => void load().catch(() => undefined), { once: true });
  button.addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    const slash = key === "/" && !ctrlKey && !metaKey && !typesText(target);
    const letter = key === "k" && (ctrlKey || metaKey);
    if (altKey || !(slash || letter)) return;
    event.preventDefault();
    void open();
  });
}
