// Extracts the text from a page's HTML, for the search index and for the descriptions of pages.

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };

/** Leaves out drawings. Adds no space where an inline tag divides a word. */
export const plainText = (html) =>
  html
    .replaceAll(/<(?:svg|figure)\b[\s\S]*?<\/(?:svg|figure)>/g, " ")
    .replaceAll(/<\/?(?:code|a|strong|em|span|wbr)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity])
    .replaceAll(/\s+/g, " ")
    .trim();
