// Where the site and its source are. Both are decided in package.json and nowhere else: until `homepage` is set there, addresses
// are relative to the page; until `repository` is set, no page links to a source.

import { readFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";

/** npm's short form of a repository on GitHub, or an address of git, as the address of a page. */
function pageOf(address) {
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(address);
  if (short !== null) return `https://github.com/${short[1]}`;
  return address.replace(/^git\+/, "").replace(/\.git$/, "");
}

/**
 * The addresses in a package.json. `source`: the page of the source; `site`: the site's root, with
 * its slash; either `undefined` as long as there is none. `path`: the site's root on its host,
 * which a page needs that a host shows at any address.
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

/** The address of a file that other sites load: whole where the site's is known. `up`: the way to the root. */
export const publicAddress = (up, path) => `${addresses.site ?? up}${path}`;
