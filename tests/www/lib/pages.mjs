// The pages of the site, as the navigation and the file system have them.

import { readdirSync } from "node:fs";
import { dirname, sep } from "node:path";
import { site } from "../../../www/build.mjs";

/** The pages of the navigation: the path and the heading of each. */
export const NAVIGATION = [
  { name: "Look inside", path: "", heading: "See inside an ID" },
  { name: "Make", path: "make/", heading: "Make IDs" },
  { name: "Range", path: "range/", heading: "From dates to IDs, and back" },
  { name: "Choose", path: "choose/", heading: "Which format?" },
];

/** A page of the documentation. */
export const DOCUMENT = { name: "sno", path: "docs/formats/sno/", heading: "sno" };

/** The paths of all pages. */
export const allPages = () =>
  readdirSync(site, { recursive: true })
    .filter((path) => path.split(sep).at(-1) === "index.html")
    .map((path) => dirname(path).split(sep).join("/"))
    .map((path) => (path === "." ? "" : `${path}/`))
    .sort();
