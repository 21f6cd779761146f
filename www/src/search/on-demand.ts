/**
 * The search on every page: a button, "/" or Control+K. Its code is loaded when a reader is about
 * to use it.
 */

/**
 * Whether a "/" is typed as text. On the first page, the empty text area has the focus, but no ID
 * begins with "/".
 */
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
