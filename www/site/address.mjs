// Where the site and its source are. Both are decided in package.json and nowhere else: until `homepage` is set there, addresses
// are relative to the page; until `repository` is set, no page links to a source.

import { readFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";

const { name, homepage, repository } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));

/** The line that installs the package. */
export const installLine = `npm install ${name}`;

/** npm's short form of a repository on GitHub, or an address of git, as the address of a page. */
function pageOf(address) {
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(address);
  if (short !== null) return `https://github.com/${short[1]}`;
  return address.replace(/^git\+/, "").replace(/\.git$/, "");
}

const given = typeof repository === "string" ? repository : repository?.url;

/** The page of the source; `undefined` as long as there is none. */
export const sourceAddress = given === undefined ? undefined : pageOf(given);

/** The address of the site's root, with its slash; `undefined` as long as there is none. */
export const siteAddress = homepage === undefined ? undefined : `${homepage.replace(/[?#].*$|\/$/, "")}/`;

/** The path of the site's root on its host: a page that a host shows at any address needs it. */
export const sitePath = siteAddress === undefined ? "/" : new URL(siteAddress).pathname;

/** The address of a file that other sites load: whole where the site's is known. `up`: the way to the root. */
export const publicAddress = (up, path) => `${siteAddress ?? up}${path}`;
