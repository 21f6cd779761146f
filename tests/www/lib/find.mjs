// Finds an element by the name that a user would give it. This function runs in the page, so it
// cannot use variables from outside.

/**
 * `what`: `{ css }`, `{ text }`, `{ label }` or `{ role, name }`. A text or a name is a string that
 * must match completely, or `{ source, flags }` of a regular expression. Runs of white space are
 * collapsed. `inside`: a selector for the element's container. Returns the visible elements.
 */
function findAll(what) {
  const ROLES = {
    button: "button, summary, input[type=button], input[type=submit]",
    link: "a[href]",
    heading: "h1, h2, h3, h4, h5, h6",
  };
  const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const is = (text, wanted) =>
    typeof wanted === "string"
      ? plain(text) === plain(wanted)
      : new RegExp(wanted.source, wanted.flags).test(plain(text));
  const visible = (element) =>
    element.checkVisibility() && element.getClientRects().length > 0 && element.closest("[inert]") === null;
  const ownText = (label) => {
    const copy = label.cloneNode(true);
    for (const control of copy.querySelectorAll("input, select, textarea, output")) control.remove();
    return copy.textContent;
  };
  const nameOf = (element) => {
    const by = element.getAttribute("aria-labelledby");
    if (by)
      return by
        .split(/\s+/)
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join(" ");
    const label = element.getAttribute("aria-label");
    if (label) return label;
    if (element.labels?.length > 0) return [...element.labels].map(ownText).join(" ");
    const image = element.matches("img") ? element.alt : undefined;
    return image ?? (plain(element.textContent) || element.title || element.value);
  };
  const root = what.inside === undefined ? document : document.querySelector(what.inside);
  if (root === null) return [];
  const among = (selector) => [...root.querySelectorAll(selector)].filter(visible);
  if (what.css !== undefined) return among(what.css);
  if (what.label !== undefined) {
    const controls =
      "input, select, textarea, output, [role], [contenteditable], [aria-label], [aria-labelledby]";
    return among(controls).filter((element) => is(nameOf(element), what.label));
  }
  if (what.role !== undefined) {
    const native = ROLES[what.role];
    if (native === undefined) throw new Error(`tests/www/lib/find.mjs knows no role "${what.role}"`);
    return among(`[role="${what.role}"], ${native}`)
      .filter((element) => (element.getAttribute("role") ?? what.role) === what.role)
      .filter((element) => what.name === undefined || is(nameOf(element), what.name));
  }
  // The innermost elements that contain the text.
  const found = among("*").filter((element) => is(element.textContent, what.text));
  return found.filter((element) => !found.some((other) => other !== element && element.contains(other)));
}

/** The source of a function that returns the found element at an index, or null. */
export const FIND = `(what, at) => (${findAll})(what)[at] ?? null`;
export const COUNT = `(what) => (${findAll})(what).length`;

/** Converts a description of an element to data. A string is a selector. */
export function asData(what) {
  if (typeof what === "string") return { css: what };
  const entries = Object.entries(what).map(([key, value]) => [
    key,
    value instanceof RegExp ? { source: value.source, flags: value.flags } : value,
  ]);
  return Object.fromEntries(entries);
}
