// The pages of the site, as the navigation and the file system have them.

import { readdirSync } from "node:fs";
import { dirname, sep } from "node:path";
import { site } from "../../../www/build.mjs";

/** The label of the entry. */
export const ENTRY = "An ID, or a text with IDs in it";

/** From the services' own documentation, and from tests/vectors. */
export const DISCORD = "175928847299117063";
export const SNO = "brpk4q72xwf2m63l";
/** A sno of 1 May 2024: one of a time to come is no ID in a log. */
export const RECENT = "8kl8q6q22gf2m2i7";

/**
 * The pages of the navigation: the path and the heading of each; `use`: what brings forth what the page can show, besides what
 * it begins with.
 */
export const NAVIGATION = [
  {
    name: "Look inside",
    path: "",
    heading: "Look inside an ID",
    async use(person) {
      await person.click({ role: "button", name: "Look inside this one" });
      await person.find("[data-bit]");
    },
  },
  {
    name: "Make",
    path: "make/",
    heading: "Make IDs",
    async use(person) {
      await person.click({ role: "button", name: /^Make / });
      await person.find({ role: "button", name: /^Download/ });
    },
  },
  {
    name: "Range",
    path: "range/",
    heading: "From dates to IDs, and back",
    async use(person) {
      await person.click({ role: "button", name: "Yesterday" });
    },
  },
  { name: "Choose", path: "choose/", heading: "Which format?" },
];

/** A page of the documentation. */
export const DOCUMENT = { name: "sno", path: "docs/formats/sno/", heading: "sno" };

/** Pages of each kind. */
export const KINDS = [...NAVIGATION, { name: "Docs", path: "docs/" }, DOCUMENT];

/** The paths of all pages. */
export const allPages = () =>
  readdirSync(site, { recursive: true })
    .filter((path) => path.split(sep).at(-1) === "index.html")
    .map((path) => dirname(path).split(sep).join("/"))
    .map((path) => (path === "." ? "" : `${path}/`))
    .sort();

/** Opens a page, and uses it. */
export async function openUsed(person, { path, use }) {
  await person.open(path);
  await use?.(person);
}
