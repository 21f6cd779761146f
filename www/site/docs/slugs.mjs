// The ids of headings, the same as on GitHub, so that one link works in both places.

/** Gives each heading of one page its id. `taken`: ids that others on the page have. */
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
