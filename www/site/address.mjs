// The addresses of the site and of its source. Both come from package.json alone. Until `homepage`
// is set there, addresses are relative to the page; until `repository` is set, no page links to the
// source.

import { readFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";

/** Turns npm's short form of a GitHub repository, or a Git URL, into the address of a web page. */
function pageOf(address) {
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(address);
  if (short !== null) return `https://github.com/${short[1]}`;
  return address.replace(/^git\+/, "").replace(/\.git$/, "");
}

/**
 * The addresses in a package.json. `source`: the page of the repository. `site`: the root of the
 * site, with a trailing slash. Each is `undefined` if package.json does not name it. `path`: the
 * path of the site's root on its host, for a page that the host serves at any address.
 */
export function addressesOf({ name, homepage, repository }) {
  const given = typeof repository === "string" ? repository : repository?.url;
  const site = homepage === undefined ? undefined : `${homepage.replace(/[?#].*$/, "").replace(/\/$/, "")}/`;
  return {
    install: `npm install ${name}`,
    source: given === undefined ? undefined : pageOf(given),
    site,
    path: site === undefined ? "/" : new URL(site).pathname,
  };
}

export const addresses = addressesOf(JSON.parse(readFileSync(fromRoot("package.json"), "utf8")));

/**
 * The address of a file that other sites load: absolute if the address of the site is known. `up`:
 * the relative path to the site's root.
 */
export const publicAddress = (up, path) => `${addresses.site ?? up}${path}`;
