// The text of a page's HTML, for the search, and for lists of results elsewhere.

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };

/** Drawings are left out; words that stand together stay together. */
export const plainText = (html) =>
  html
    .replaceAll(/<(?:svg|figure)\b[\s\S]*?<\/(?:svg|figure)>/g, " ")
    .replaceAll(/<\/?(?:code|a|strong|em|span|wbr)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity])
    .replaceAll(/\s+/g, " ")
    .trim();
