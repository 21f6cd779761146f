// Generates the IDs of headings in the same way as GitHub, so that a link works in both places.

/**
 * Returns a function that generates the IDs of a page's headings. `taken`: IDs that the page
 * already has.
 */
export function slugs(taken = []) {
  const used = new Map(taken.map((id) => [id, 1]));
  return (text) => {
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  };
}
