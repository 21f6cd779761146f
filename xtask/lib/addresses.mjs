// Rewrites the README for the package once package.json has a `homepage`: relative links become
// addresses of the site, because the package contains neither the repository nor the site.

import { linksOf } from "../../www/site/docs/links.mjs";
import { placed } from "../../www/site/docs/sources.mjs";
import { fromRoot } from "./process.mjs";

/** Matches code, which stays unchanged; a link or a picture in Markdown; an address in HTML. */
const ADDRESS = /(```[\s\S]*?^```|`[^`\n]*`)|\[([^\]]*)\]\(([^)\s]+)\)|\b(src|href)="([^"]+)"/gm;

/**
 * The text of README.md with the addresses of the site. A source file has no page there, so a link
 * to it becomes its text and the file name. A dead link is an error.
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
