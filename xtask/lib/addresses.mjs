// Rewrites the README for the package, which contains neither the repository nor the site. If
// package.json has a `homepage`, relative links become addresses of the site. Otherwise they would
// be dead, so they become file names.

import { linksOf } from "../../www/site/docs/links.mjs";
import { fromRoot } from "./process.mjs";

/** Matches code, which stays unchanged; a link or an image in Markdown; and an address in HTML. */
const ADDRESS = /(```[\s\S]*?^```|`[^`\n]*`)|\[([^\]]*)\]\(([^)\s]+)\)|\b(src|href)="([^"]+)"/gm;

/** An image, which the package does not contain. */
const IMAGE = /^<img [^>]*>\n\n?/gm;

/** Returns README.md without relative links. Each becomes its text and the name of the file. */
export function withoutAddresses(text) {
  return text.replaceAll(IMAGE, "").replace(ADDRESS, (all, code, words, address) => {
    if (code !== undefined || /^[a-z]+:|^#/.test(address)) return all;
    return `${words} (\`${address.split("#")[0]}\`)`;
  });
}

/**
 * Returns README.md with the site's addresses. A source file has no page there, so a link to it
 * becomes its text and the file name. A dead link is an error.
 */
export async function withAddresses(text, homepage) {
  // Import the list of pages late, because it needs the built package.
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
