// The README as it is packed once package.json has a `homepage`: its relative links lead to the pages of the site there, because a
// reader of the package has neither the repository nor the site beside it.

import { linksOf } from "../../www/site/docs/links.mjs";
import { placed } from "../../www/site/docs/sources.mjs";
import { fromRoot } from "./process.mjs";

/** Code, which stays as it is; a link or a picture in Markdown; an address in HTML. */
const ADDRESS = /(```[\s\S]*?^```|`[^`\n]*`)|\[([^\]]*)\]\(([^)\s]+)\)|\b(src|href)="([^"]+)"/gm;

/**
 * The text of README.md with the addresses of the site. A link to a source file, which has no page there, becomes its text and the file's
 * name. A link that leads nowhere is an error.
 */
export function withAddresses(text, homepage) {
  const pages = placed();
  const page = pages.get(fromRoot("README.md"));
  const links = linksOf(page, pages, new Map());
  const site = `${homepage.replace(/\/$/, "")}/${page.path}/`;
  return text.replace(ADDRESS, (all, code, words, address, attribute, value = address) => {
    if (code !== undefined || value.startsWith("#") || /^[a-z]+:/.test(value)) return all;
    const { href, source } = links.link(value);
    if (source !== undefined) return `${words} (\`${source}\`)`;
    const there = new URL(href, site).href;
    return attribute === undefined ? `[${words}](${there})` : `${attribute}="${there}"`;
  });
}
