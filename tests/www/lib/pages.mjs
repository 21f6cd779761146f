// The pages of the site, from the navigation and from the file system.

import { readdirSync } from "node:fs";
import { dirname, sep } from "node:path";
import { site } from "../../../www/build.mjs";

/** The label of the entry. */
export const ENTRY = "An ID, or a text with IDs in it";

/** IDs from the services' documentation and from tests/vectors. */
export const DISCORD = "175928847299117063";
export const SNO = "brpk4q72xwf2m63l";
/** A sno ID of 1 May 2024. In a log, a future time would not count as an ID. */
export const RECENT = "8kl8q6q22gf2m2i7";

/**
 * The pages in the navigation, with their paths and headings. `use`: shows the parts of the page
 * that are hidden at first.
 */
export const NAVIGATION = [
  {
    name: "Look inside",
    path: "",
    heading: "Look inside an ID",
    async use(person) {
      await person.click({ role: "button", name: "Look inside this ID" });
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

/** One page of each kind. */
export const KINDS = [...NAVIGATION, { name: "Docs", path: "docs/" }, DOCUMENT];

/** The paths of all pages. */
export const allPages = () =>
  readdirSync(site, { recursive: true })
    .filter((path) => path.split(sep).at(-1) === "index.html")
    .map((path) => dirname(path).split(sep).join("/"))
    .map((path) => (path === "." ? "" : `${path}/`))
    .sort();

/** Opens a page and runs its `use`. */
export async function openUsed(person, { path, use }) {
  await person.open(path);
  await use?.(person);
}
