// Rewrites the README for the package, because the package contains neither the repository nor the
// site: with a `homepage` in package.json, relative links become addresses of the site. Without one
// they would be dead, so they become the names of files.

import { linksOf } from "../../www/site/docs/links.mjs";
import { fromRoot } from "./process.mjs";

/** Matches code, which stays unchanged; a link or a picture in Markdown; an address in HTML. */
const ADDRESS = /(```[\s\S]*?^```|`[^`\n]*`)|\[([^\]]*)\]\(([^)\s]+)\)|\b(src|href)="([^"]+)"/gm;

/** A picture, which is not packed. */
const IMAGE = /^<img [^>]*>\n\n?/gm;

/**
 * The text of README.md without relative links: each becomes its words and the name of the file.
 */
export function withoutAddresses(text) {
  return text.replaceAll(IMAGE, "").replace(ADDRESS, (all, code, words, address) => {
    if (code !== undefined || /^[a-z]+:|^#/.test(address)) return all;
    return `${words} (\`${address.split("#")[0]}\`)`;
  });
}

/**
 * The text of README.md with the addresses of the site. A source file has no page there, so a link
 * to it becomes its text and the file name. A dead link is an error.
 */
export async function withAddresses(text, homepage) {
  // Only now: the list of pages needs the package that was built.
  const { placed } = await import("../../www/site/docs/sources.mjs");
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
